package import Record
import Wire

/// The order in which a text of many screens comes: first the lines of the screen that is seen, so that reading can
/// begin; then, as they are asked for, each time four times as many as are there, downward to the end and then
/// upward. Most texts come in one piece.
package enum ScreenChunks {
    /// The height up to which a text comes in one piece, in screens.
    package static let mostScreensAtOnce: Int64 = 20
    private static let mostLines = 4096

    package static func isLong(_ height: Int32, on screen: Int32) -> Bool {
        Int64(height) > Int64(max(1, screen)) * mostScreensAtOnce
    }

    /// The lines that come first: at least one, if there is any.
    /// - Parameter seen: the range that is seen, from the top of the content.
    package static func first(of texts: [LayoutRows.LineStack], seen: Range<Int32>) -> Range<Int> {
        let texts = texts.filter { !$0.lines.isEmpty }
        guard let last = texts.last else { return 0..<0 }
        let first =
            texts.lazy.compactMap { $0.line(endingBelow: Int64(seen.lowerBound)) }.first ?? last.lines.upperBound - 1
        let end = texts.lazy.compactMap { $0.line(after: first, beginningAt: Int64(seen.upperBound)) }.first
        return first..<(end ?? last.lines.upperBound)
    }

    /// The lines to ask for next, when some are there; nil when all are.
    package static func next(to lines: Range<Int>, of count: Int) -> Range<Int>? {
        let step = min(max(1, 4 * lines.count), mostLines)
        if lines.upperBound < count { return lines.upperBound..<min(count, lines.upperBound + step) }
        return lines.lowerBound > 0 ? max(0, lines.lowerBound - step)..<lines.lowerBound : nil
    }
}

extension LayoutRows.LineStack {
    /// The first line that ends below a y; nil where none does.
    fileprivate func line(endingBelow y: Int64) -> Int? {
        let above = y < top ? 0 : (y - Int64(top)) / step
        return above < lines.count ? lines.lowerBound + Int(above) : nil
    }

    /// The first of the lines behind another that begins at a y or below.
    fileprivate func line(after other: Int, beginningAt y: Int64) -> Int? {
        let above = y <= top ? 0 : (y - Int64(top) + step - 1) / step
        let line = max(other + 1, lines.lowerBound + Int(min(above, Int64(lines.count))))
        return line < lines.upperBound ? line : nil
    }

    private var step: Int64 { Int64(max(1, pitch)) }
}
