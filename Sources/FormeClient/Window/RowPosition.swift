import Wire

/// Where a row is, loaded or not.
public struct RowPosition: Hashable, Sendable {
    /// How many rows are above it.
    public var rank: Int
    public var row: Row

    public static let none = RowPosition(rank: 0, row: .zero)
}

/// Where a message is.
public enum MessagePosition: Hashable, Sendable {
    case there(RowPosition)
    /// It is accepted and not laid out yet, and will come there.
    case pending(order: Int64)
    /// It is accepted and has no row, and none is on its way: what it said is no longer kept, or was given up. It has one again when
    /// something newer is said of it.
    case unavailable(order: Int64)
}

/// Heights of rows that follow each other, and nothing else of them: what a scroll bar, or a jump, has to know.
public struct Heights: Hashable, Sendable {
    /// How many rows are above the first of these.
    public var rank: Int
    /// Of the first of these.
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
