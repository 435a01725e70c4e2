package import MessageLayout
package import Names
package import Record
package import Rows
import Wire

/// A row as the tree holds it: its brief, and the height that it has beside its neighbours.
package struct TreeRow: Equatable, Sendable {
    package var number: MessageNumber
    package var message: MessageID
    /// The row in brief. Its sender and its look are numbers of the tree's `RowCatalog`.
    package var brief: RowBrief
    /// The height of the whole row, in device pixels.
    package internal(set) var height: Int32

    package var position: Position { Position(order: brief.order, message: message) }

    /// The bytes of memory that it takes, about: an id that does not fit into the row is an object of its own.
    var bytes: Int {
        let letters = message.text.utf8.count
        return MemoryLayout<TreeRow>.stride + (letters > 15 ? 32 + letters : 0)
    }
}

/// A row from outside, as the cache holds it for one target.
package struct NewRow: Hashable, Sendable {
    package var number: MessageNumber
    package var position: Position
    package var sender: SenderID
    package var time: Timestamp
    package var look: RowLook
    package var heights: ContentHeights

    package init(
        number: MessageNumber, position: Position, sender: SenderID, time: Timestamp, look: RowLook,
        heights: ContentHeights
    ) {
        (self.number, self.position, self.sender) = (number, position, sender)
        (self.time, self.look, self.heights) = (time, look, heights)
    }

    package init(_ row: SealedRow, target: Int) {
        self.init(
            number: row.number, position: row.position, sender: row.sender, time: row.time, look: row.look,
            heights: row.heights[target])
    }
}
