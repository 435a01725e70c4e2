import Names
package import Wire

/// The name of a row for as long as its message exists: a local echo keeps it when the backend gives the message
/// another id.
public struct RowID: Hashable, Comparable, Sendable {
    public let number: Int64
    public init(number: Int64) { self.number = number }
    public static let none = RowID(number: .min)
    public static func < (a: RowID, b: RowID) -> Bool { a.number < b.number }
}

/// A place in a row that stays where it is on the screen, whatever happens around it.
public struct Anchor: Hashable, Sendable {
    public var row: RowID
    public var edge: Edge
    /// The distance from the edge, downward, in device pixels.
    public var offset: Int32

    /// An edge of a row's content: date lines and gaps come and go without moving it.
    public enum Edge: Hashable, Sendable {
        case top, bottom
    }

    public init(row: RowID, edge: Edge = .bottom, offset: Int32 = 0) {
        (self.row, self.edge, self.offset) = (row, edge, offset)
    }

    public static let none = Anchor(row: .none)
}

extension Anchor {
    package init(_ anchor: WindowAnchor) {
        self.init(
            row: RowID(number: anchor.row.number), edge: anchor.edge == .top ? .top : .bottom, offset: anchor.offset)
    }

    var wire: WindowAnchor {
        WindowAnchor(row: MessageNumber(row.number), edge: edge == .top ? .top : .bottom, offset: offset)
    }
}
