import MessageLayout
import Names
import Rows
import Wire

/// Windows of a stand-in: rows of one height, of which a client has a stretch that grows upward. Nothing is told
/// unasked.
struct KeptWindows {
    private struct Window {
        var rows: [Keeper.Row]
        /// The first row that the client has.
        var first: Int
        /// The place behind the last one.
        var end: Int
    }

    private var windows: [WindowID: Window] = [:]
    private let edition: EditionID
    /// The number of pages that will still find their window closed.
    private var closings: Int
    private static let height: Int32 = 100
    /// A decoration that nobody looks at.
    private static let decoration: Decoration = {
        let frame = PixelRect(left: 0, top: 0, width: 100, height: height)
        return Decoration(
            variant: .other, series: .single, height: height, gapAbove: 0, gapBelow: 0, content: frame,
            bubble: Decoration.Bubble(largeRadius: 0, smallRadius: 0, smallCorners: [], hasTail: false))
    }()

    init(of edition: EditionID, _ habits: StandIn.Habits) {
        (self.edition, closings) = (edition, habits.windowsClosed)
    }

    /// - Parameter rows: the rows of a conversation, as they are now.
    mutating func answer(_ word: ClientWord, rows: (ConversationID) -> [Keeper.Row]) -> GatewayWord {
        switch word {
        case .open(let opening):
            let all = rows(opening.conversation)
            var end = all.count
            if case .message(let message) = opening.place {
                guard let place = all.firstIndex(where: { $0.position.message == message }) else {
                    return .refused(opening.window, .unknownMessage)
                }
                end = min(all.count, place + max(1, opening.count / 2))
            }
            let window = Window(rows: Array(all[..<end]), first: max(0, end - opening.count), end: end)
            windows[opening.window] = window
            return .window(reply(opening.window, window, window.first..<end, .whole))
        case .page(let id, .older, let count):
            if closings > 0 { (windows[id], closings) = (nil, closings - 1) }
            guard var window = windows[id] else { return .refused(id, .unknownWindow) }
            let end = window.first
            window.first = max(0, end - count)
            // A page that would make the window too long has no rows.
            if window.end - window.first > Limits.rowsPerWindow { window.first = end }
            windows[id] = window
            return .window(reply(id, window, window.first..<end, .older))
        case .adjust(let id, let most, focus: 0):
            guard var window = windows[id] else { return .refused(id, .unknownWindow) }
            window.end = min(window.end, window.first + most)
            windows[id] = window
            return .adjusted(id, nil)
        case .close(let id):
            windows[id] = nil
            return .done(id)
        default:
            return .unreadable("a stand-in opens windows, makes them longer upward, cuts them below, and closes them")
        }
    }

    private func reply(
        _ id: WindowID, _ window: Window, _ range: Range<Int>, _ part: WindowReply.Part
    ) -> WindowReply {
        let height = Int64(Self.height)
        let frame = WindowFrame(
            cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: .zero), edition: edition, isOld: false,
            rowsAbove: window.first, rowsBelow: 0, top: Int64(window.first) * height,
            extent: 0..<Int64(window.rows.count) * height)
        let rows = range.map { place in
            let row = window.rows[place]
            let message = Array(#"{"revision":\#(row.revision)}"#.utf8)
            return WindowRow(
                number: MessageNumber(Int64(place + 1)), message: row.position.message, order: row.position.order,
                height: Self.height, lead: 0, strip: Self.height,
                body: WindowRow.Body(decoration: Self.decoration, layout: [], message: message))
        }
        return WindowReply(
            window: id, part: part, reason: part == .whole ? .firstLoad : .pagination, frame: frame, rows: rows,
            insertedAbove: part == .older ? Int64(range.count) * height : 0, firstVisible: nil, contentFits: false,
            prefetch: PrefetchHint(older: nil, newer: nil))
    }
}
