import Bytes
import MessageLayout

/// The places of the lines of a row.
extension LayoutRows {
    /// Lines of a text, one below the other.
    package struct LineStack: Hashable, Sendable {
        /// The numbers of its lines in the row, counted as `RowExcerpt` does.
        package var lines: Range<Int>
        /// The distance from the top of the content.
        package var top: Int32
        package var pitch: Int32

        package init(lines: Range<Int>, top: Int32, pitch: Int32) {
            (self.lines, self.top, self.pitch) = (lines, top, pitch)
        }
    }

    /// A state of a row: its height, and its texts in the order in which their lines are counted.
    package struct StateStacks: Hashable, Sendable {
        package var height: Int32
        package var stacks: [LineStack]

        package init(height: Int32, stacks: [LineStack]) { (self.height, self.stacks) = (height, stacks) }
    }

    /// The states of a row that is whole, and the only one of its page.
    package func lineStacks() -> [StateStacks] {
        precondition(rows.count == 1)
        return rows[0].states.map { state in
            let slice = slices[Int(state)]
            let stacks = (0..<rows[0].nodes.count).compactMap { node -> LineStack? in
                let placement = placements[Int(slice.placements) + node]
                guard placement.block >= 0 else { return nil }
                let block = blocks[Int(placement.block)]
                return LineStack(
                    lines: Int(block.lines.lowerBound)..<Int(block.lines.upperBound), top: placement.frame.top,
                    pitch: block.pitch)
            }
            return StateStacks(height: slice.size.height, stacks: stacks)
        }
    }
}
