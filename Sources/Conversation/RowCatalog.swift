import MessageLayout
import Names
import Rows
import Wire

/// The senders and looks of a conversation, numbered, and the ruler that knows them. Rows are read with it.
struct RowCatalog: Sendable {
    private var senders: [SenderID: UInt32] = [:]
    private(set) var senderNames: [SenderID] = []
    private var looks: [RowLook: UInt32] = [:]
    private(set) var lookList: [RowLook] = []
    var ruler: RowRuler
    /// The target of its heights. Blocks may be laid out for others, too.
    var target: Target { ruler.decorator.target }

    /// Number 0 is the viewer's own, even before the viewer has said anything; for an observer it stays free.
    init(style: DecorationStyle, viewer: Viewer, own: SenderID?, target: Target) {
        var viewer = viewer
        viewer.own = own.map { _ in SenderNumber(0) }
        ruler = RowRuler(Decorator(style: style, viewer: viewer, target: target))
        if let own { _ = number(of: own) } else { senderNames.append(RowCatalog.nobody) }
    }

    /// A name that no sender has: it takes number 0 for an observer.
    private static let nobody: SenderID = {
        do { return try SenderID("\u{0}") } catch { preconditionFailure("one letter is a name") }
    }()

    mutating func number(of sender: SenderID) -> UInt32 {
        if let known = senders[sender] { return known }
        let number = UInt32(senderNames.count)
        senders[sender] = number
        senderNames.append(sender)
        return number
    }

    mutating func number(of look: RowLook) -> UInt32 {
        if let known = looks[look] { return known }
        let number = UInt32(lookList.count)
        looks[look] = number
        lookList.append(look)
        ruler.append(look)
        return number
    }

    /// Changes to a viewer who has read farther, or differs otherwise: numbers stay.
    mutating func change(to viewer: Viewer) {
        var viewer = viewer
        viewer.own = ruler.decorator.viewer.own
        let decorator = ruler.decorator
        ruler = RowRuler(
            Decorator(style: decorator.style, viewer: viewer, target: decorator.target), looks: lookList)
    }

    mutating func row(_ new: NewRow) -> TreeRow {
        let brief = RowBrief(
            order: new.position.order, milliseconds: new.time.milliseconds, sender: number(of: new.sender),
            look: number(of: new.look), heights: new.heights)
        return TreeRow(number: new.number, message: new.position.message, brief: brief, height: 0)
    }
}

extension RowRuler {
    /// The dress of the middle one of three rows in order.
    mutating func dress(of row: RowBrief, after before: RowBrief?, before after: RowBrief?) -> RowDress {
        // First, as a ruler that changes while its arguments are found would be copied.
        let above = seam(between: before, and: row)
        let below = after.map { seam(between: row, and: $0).joins } ?? false
        return dress(of: row, below: above, joinsBelow: below, isLast: after == nil)
    }
}
