import MessageLayout
import Typography

// Facts of a sheet that its table of blocks is made of.
extension LayoutSheet.EntitySpan {
    func isAlike(_ other: Self) -> Bool {
        entity == other.entity && line == other.line && -1...1 ~= left &- other.left && -1...1 ~= width &- other.width
    }

    /// About the same span at another scale.
    func scaled(to scale: Scale, from other: Scale) -> Self {
        var own = self
        own.left = RecordForm.scaled(left, to: scale, from: other)
        own.width = RecordForm.scaled(width, to: scale, from: other)
        return own
    }
}

extension LayoutSheet {
    func spans(of block: Block) -> ArraySlice<EntitySpan> {
        spans[Int(block.spans.lowerBound)..<Int(block.spans.upperBound)]
    }

    /// The starts and the ends of the stretches of bars in a node.
    @inline(__always)
    func bars(at place: Int) -> (Lanes, Lanes) {
        let place = Int(frames[place].extras)
        return place < 0 ? (Lanes(), Lanes()) : (extras[place].firstBar, extras[place].endBar)
    }

    func hasSameBars(_ one: Range<Int32>, _ other: Range<Int32>) -> Bool {
        bars[Int(one.lowerBound)..<Int(one.upperBound)].elementsEqual(
            bars[Int(other.lowerBound)..<Int(other.upperBound)])
    }

    /// The parts of a node in any of its layouts: true where it has lines, and where it has bars.
    func fills(of node: Int, _ nodes: Int) -> (lines: Bool, bars: Bool) {
        let frames = frames.span
        var blocks = Lanes(repeating: -1)
        var hasBars = false
        var place = node
        while place < frames.count {
            blocks &= frames[place].block
            if frames[place].extras >= 0 {
                let own = extras[Int(frames[place].extras)]
                hasBars = hasBars || (own.firstBar .< own.endBar).isAny
            }
            place &+= nodes
        }
        // In -1, which means no block, all bits are set.
        return ((blocks .>= 0).isAny, hasBars)
    }
}
