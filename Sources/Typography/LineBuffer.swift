package import Bytes

/// Lines of one text after another.
package typealias LineBuffer = Buffer<Line>

extension Buffer<Line> {
    /// The extent of some lines: the width of the widest, whether any ends before its paragraph does, whether any
    /// runs from right to left, and whether any ends within a word.
    @inline(__always)
    package func extent(
        of lines: Range<Int>
    ) -> (widest: Int32, isAnyWrapped: Bool, isAnyRightToLeft: Bool, isAnyTorn: Bool) {
        precondition(lines.lowerBound >= 0 && lines.upperBound <= max(count, lines.lowerBound))
        let all = unsafe elements
        var widest: Int32 = 0
        var (common, any) = (LineTraits.lastOfParagraph.rawValue, Int32(0))
        for i in lines {
            let line = unsafe all[i]
            widest = max(widest, line.width)
            common &= line.traits.rawValue
            any |= line.traits.rawValue
        }
        return (
            widest, common == 0, any & LineTraits.rightToLeft.rawValue != 0, any & LineTraits.emergency.rawValue != 0
        )
    }
}
