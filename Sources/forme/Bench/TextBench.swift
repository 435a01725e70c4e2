import Foundation
import Shaping
import Typography

/// Measures the text engine as workers use it: a text in, every line for six widths and three scales out.
struct TextBench {
    let fonts: FontList
    static let size = Fixed.points(16)
    static let widths: [Int32] = [200, 240, 280, 320, 360, 420]
    static let scales: [Scale] = [.one, .two, .three]

    struct Result {
        var messages = 0
        var seconds = 0.0
        var lines = 0
        var checksum: UInt64 = 0
        var hits = 0
        var misses = 0
        var cacheBytes = 0

        var perSecond: Double { Double(messages) / seconds }
    }

    static let breakers: [LineBreaker] = scales.flatMap { scale in
        widths.map { LineBreaker(width: .points($0), size: size, scale: scale) }
    }

    /// Warms a fresh shaper with the first half of the texts and times the second.
    func measure(_ texts: [String]) throws -> Result {
        var shaper = try Shaper(fonts: fonts)
        let texts = stride(from: 0, to: texts.count, by: 2).map { texts[$0] } + stride(from: 1, to: texts.count, by: 2).map { texts[$0] }
        let half = (texts.count + 1) / 2
        _ = run(texts[..<half], &shaper)
        let warm = shaper.cacheStatistics
        var result = run(texts[half...], &shaper)
        let after = shaper.cacheStatistics
        result.hits = after.hits - warm.hits
        result.misses = after.misses - warm.misses
        result.cacheBytes = after.bytes
        return result
    }

    private func run(_ texts: ArraySlice<String>, _ shaper: inout Shaper) -> Result {
        var result = Result()
        var measured = MeasuredText.empty
        var lines = LineBuffer()
        let start = ContinuousClock.now
        for text in texts {
            shaper.measure(text, into: &measured)
            for breaker in TextBench.breakers {
                lines.removeAll()
                breaker.breakLines(of: measured, into: &lines)
                result.lines += lines.count
                for i in 0..<lines.count { result.checksum = TextBench.mix(result.checksum, lines[i]) }
            }
        }
        result.seconds = (ContinuousClock.now - start).seconds
        result.messages = texts.count
        return result
    }

    /// One more width for texts that are measured already.
    func relayout(_ texts: [String]) throws -> (nanoseconds: Double, checksum: UInt64) {
        var shaper = try Shaper(fonts: fonts)
        var column = StopsColumn()
        for text in texts { column.append(shaper.measure(text)) }
        var lines = LineBuffer()
        var checksum: UInt64 = 0
        var best: [Double] = []
        for width in [301, 302, 303, 304, 305, 306, 307] as [Int32] {
            let breaker = LineBreaker(width: .points(width), size: TextBench.size, scale: .three)
            let start = ContinuousClock.now
            for i in 0..<column.count {
                lines.removeAll()
                breaker.breakLines(of: column, at: i, into: &lines)
                for n in 0..<lines.count { checksum = TextBench.mix(checksum, lines[n]) }
            }
            best.append((ContinuousClock.now - start).seconds / Double(texts.count) * 1e9)
        }
        return (best.sorted()[best.count / 2], checksum)
    }

    @inline(__always)
    private static func mix(_ checksum: UInt64, _ line: Line) -> UInt64 {
        let value = UInt64(UInt32(bitPattern: line.end)) << 32 | UInt64(UInt32(bitPattern: line.width))
        return (checksum ^ value) &* 0x9e37_79b9_7f4a_7c15
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
