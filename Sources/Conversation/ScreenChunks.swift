/// How a text of many screens is sent: the lines of the first screen by themselves, so that reading can begin, then the rest
/// in pieces of some screens. Most texts are one piece.
package struct ScreenChunks: Equatable, Sendable {
    /// Of lines, one behind another.
    package let chunks: [Range<Int>]

    /// A text of so many screens comes in one piece.
    package static let mostScreensAtOnce: Int64 = 20
    private static let screensPerChunk: Int64 = 10

    /// - Parameters:
    ///   - bottoms: where each line ends, from the top of the text.
    ///   - first: what of the text is seen first.
    package init(bottoms: [Int32], first: Range<Int32>, screen: Int32) {
        let screen = max(1, Int64(screen))
        guard let last = bottoms.last, Int64(last) > screen * ScreenChunks.mostScreensAtOnce else {
            chunks = [0..<bottoms.count]
            return
        }
        let start = bottoms.partition { $0 > first.lowerBound }
        let end = min(bottoms.count, bottoms.partition { $0 >= first.upperBound } + 1)
        let step = max(1, Int(Int64(bottoms.count) * screen * ScreenChunks.screensPerChunk / Int64(last)))
        func pieces(_ lines: Range<Int>) -> [Range<Int>] {
            stride(from: lines.lowerBound, to: lines.upperBound, by: step).map {
                $0..<min($0 + step, lines.upperBound)
            }
        }
        chunks = [start..<end].filter { !$0.isEmpty } + pieces(end..<bottoms.count) + pieces(0..<start).reversed()
    }
}
