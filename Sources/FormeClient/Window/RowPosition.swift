import Wire

/// The place of a row, loaded or not.
public struct RowPosition: Hashable, Sendable {
    /// The number of rows above it.
    public var rank: Int
    public var row: Row

    public static let none = RowPosition(rank: 0, row: .zero)
}

/// The place of a message.
public enum MessagePosition: Hashable, Sendable {
    case there(RowPosition)
    /// The message is accepted and not laid out yet, and will come there.
    case pending(order: Int64)
    /// The message is accepted and has no row, and none is on its way: its content is no longer kept, or was given
    /// up. It gets a row again with the next newer event about it.
    case unavailable(order: Int64)
}

/// The heights of rows that follow each other, and nothing else of them, for a scroll bar or a jump.
public struct Heights: Hashable, Sendable {
    /// The number of rows above the first of these.
    public var rank: Int
    /// The y of the first of these.
    public var y: Int64
    public var heights: [Int32]

    public static let none = Heights(rank: 0, y: 0, heights: [])
}

extension RowPosition {
    init(_ reply: PlaceReply) { self.init(rank: reply.rank, row: Row(reply.row, y: reply.top)) }
}

extension Heights {
    init(_ reply: HeightsReply) { self.init(rank: reply.rank, y: reply.top, heights: reply.heights) }
}
