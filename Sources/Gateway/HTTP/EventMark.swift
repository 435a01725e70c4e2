import Wire

/// The name of an event: the stream, and the moment that the event leads to.
struct EventMark: Equatable {
    var stream: StreamName
    var cursor: WindowCursor

    var text: String { "\(stream.text).\(cursor.epoch.number).\(cursor.stamp.number).\(cursor.turn)" }

    init(stream: StreamName, cursor: WindowCursor) { (self.stream, self.cursor) = (stream, cursor) }

    /// Nil for what is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let stream = StreamName(String(parts[0])), let epoch = UInt64(parts[1]),
            let stamp = UInt64(parts[2]), let turn = UInt32(parts[3])
        else { return nil }
        self.init(stream: stream, cursor: WindowCursor(epoch: LeaseEpoch(epoch), stamp: Stamp(stamp), turn: turn))
    }
}
