package import Conversation
import Names
import Wire

/// Rows of a conversation with their places: a value, as it was at one moment. Everything counts in device pixels
/// from an origin that stays where it is, so that older rows extend upward and move nothing.
///
///     for i in window.rows(in: viewport.visible) { draw(window[i], at: window[i].y - viewport.top) }
///
/// Nothing here allocates, however long a window is.
public struct Window: Equatable, Sendable {
    package var mirror: WindowMirror?
    public internal(set) var source: Source
    /// The row at the top of the screen, where the window was opened.
    var opened: WindowReply.FirstVisible?
    /// Whether the whole conversation is no higher than the screen.
    public internal(set) var fits: Bool

    public enum Source: Hashable, Sendable {
        /// There is no window.
        case nobody
        /// The cache: the window as it was when the conversation was last seen.
        case cache
        case gateway
    }

    /// A window without rows or place.
    public static let none = Window(mirror: nil, source: .nobody, opened: nil, fits: true)

    public var count: Int { mirror?.rows.count ?? 0 }
    public var indices: Range<Int> { 0..<count }
    public var isEmpty: Bool { count == 0 }

    public subscript(i: Int) -> Row {
        guard let mirror else { preconditionFailure("there is no row \(i) where there are no rows") }
        return Row(mirror.rows[i], y: mirror.top(of: i))
    }

    /// The range of y of all rows of the conversation, loaded or not.
    public var extent: Range<Int64> { mirror?.frame.extent ?? 0..<0 }
    /// The range of y of the rows that are here.
    public var loaded: Range<Int64> { mirror.map { $0.frame.top..<$0.bottom } ?? 0..<0 }
    public var rowsAbove: Int { mirror?.frame.rowsAbove ?? 0 }
    public var rowsBelow: Int { mirror?.frame.rowsBelow ?? 0 }
    public var hasOlder: Bool { rowsAbove > 0 }
    public var hasNewer: Bool { rowsBelow > 0 }
    /// Whether another style is served by now: later answers may look different.
    public var isOld: Bool { mirror?.frame.isOld ?? false }

    /// Whether all lines of its rows are here.
    public var isWhole: Bool { mirror?.rows.allSatisfy { !($0.body?.isExcerpt ?? false) } ?? true }

    /// Rows that reach into a range of y.
    public func rows(in range: Range<Int64>) -> Range<Int> { mirror?.rows(in: range) ?? 0..<0 }

    public func index(of row: RowID) -> Int? { mirror?.index(of: MessageNumber(row.number)) }

    /// The index of a row, by the id of its message.
    public func index(ofMessage id: String) -> Int? { mirror?.rows.firstIndex { $0.message.isSpelled(id) } }

    /// The y of an anchor; nil where its row is not here.
    public func y(of anchor: Anchor) -> Int64? { mirror?.y(of: anchor.wire) }
}
