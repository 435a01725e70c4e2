package import MessageLayout
package import Names
package import Rows

/// The data of a row beside its layout: its position, and all that its height depends on.
package struct SealedRow: Hashable, Sendable {
    package var number: MessageNumber
    package var message: MessageID
    package var order: Int64
    package var sender: SenderID
    package var time: Timestamp
    package var look: RowLook
    /// The heights of the content, one for each target.
    package var heights: [ContentHeights]

    package init(
        number: MessageNumber, message: MessageID, order: Int64, sender: SenderID, time: Timestamp, look: RowLook,
        heights: [ContentHeights]
    ) {
        (self.number, self.message, self.order, self.sender) = (number, message, order, sender)
        (self.time, self.look, self.heights) = (time, look, heights)
    }

    package var position: Position { Position(order: order, message: message) }
}
