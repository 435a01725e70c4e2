package import Bytes
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

extension RowBlock {
    /// Its rows, as they were sealed.
    package func rows() throws(ByteError) -> [SealedRow] {
        let (messages, numbers) = (try messages(), try numbers())
        var columns = BlockRows()
        var rows: [SealedRow] = []
        rows.reserveCapacity(count)
        for target in 0..<targetCount {
            try columns.read(self, target: target)
            for i in 0..<count {
                if target == 0 { rows.append(columns.row(i, numbers[i], messages[i], targets: targetCount)) }
                rows[i].heights.append(columns[i].heights)
            }
        }
        return rows
    }
}

extension BlockRows {
    /// A row without its heights, of which there will be as many as targets.
    fileprivate func row(_ i: Int, _ number: MessageNumber, _ message: MessageID, targets: Int) -> SealedRow {
        let row = self[i]
        var heights: [ContentHeights] = []
        heights.reserveCapacity(targets)
        return SealedRow(
            number: number, message: message, order: row.order, sender: senders[row.sender],
            time: Timestamp(milliseconds: row.milliseconds), look: looks[row.look], heights: heights)
    }
}
