import Names
import Wire

/// The name of an event: the stream, and the moment that each of its windows has reached with it.
///
/// A moment that names no window is that of window 1, so a stream of one window has the names that it always had.
struct EventMark: Equatable {
    var stream: StreamName
    var cursors: [WindowID: WindowCursor]

    var text: String {
        let own = cursors[Self.first].map { ".\($0.mark)" } ?? ""
        let others = cursors.filter { $0.key != Self.first }.sorted { $0.key.number < $1.key.number }
        return stream.text + own + others.map { ";\($0.key.number).\($0.value.mark)" }.joined()
    }

    init(stream: StreamName, cursors: [WindowID: WindowCursor]) { (self.stream, self.cursors) = (stream, cursors) }

    /// Nil for a text that is no mark.
    init?(_ text: String) {
        let pieces = text.split(separator: ";", omittingEmptySubsequences: false)
        guard pieces.count <= Self.most + 1 else { return nil }
        let head = pieces[0].split(separator: ".", omittingEmptySubsequences: false)
        guard let stream = StreamName(String(head[0])) else { return nil }
        var cursors: [WindowID: WindowCursor] = [:]
        if head.count > 1 {
            guard let cursor = WindowCursor(mark: head.dropFirst()) else { return nil }
            cursors[Self.first] = cursor
        }
        for piece in pieces.dropFirst() {
            let parts = piece.split(separator: ".", omittingEmptySubsequences: false)
            guard let window = UInt32(parts[0]), let cursor = WindowCursor(mark: parts.dropFirst()) else { return nil }
            cursors[WindowID(window)] = cursor
        }
        self.init(stream: stream, cursors: cursors)
    }

    private static let first = WindowStreams.window
    /// The most windows in a mark; a stream has fewer.
    private static let most = 64
}

extension WindowCursor {
    fileprivate var mark: String { "\(epoch.number).\(stamp.number).\(turn)" }

    fileprivate init?(mark parts: ArraySlice<Substring>) {
        let parts = Array(parts)
        guard parts.count == 3, let epoch = UInt64(parts[0]), let stamp = UInt64(parts[1]), let turn = UInt32(parts[2])
        else { return nil }
        self.init(epoch: LeaseEpoch(epoch), stamp: Stamp(stamp), turn: turn)
    }
}
