import Bytes
import Shaping
import Typography

/// Measures the text engine as workers use it: a text in, every line for six widths and three scales out.
struct TextBench {
    let fonts: FontList
    static let size = Fixed.points(16)
    static let widths: [Int32] = [200, 240, 280, 320, 360, 420]
    static let scales: [Scale] = [.one, .two, .three]

    static let breakers: [LineBreaker] = scales.flatMap { scale in
        widths.map { LineBreaker(width: .points($0), size: size, scale: scale) }
    }

    /// Warms a fresh shaper with one half of the texts and times the other.
    func measure(_ texts: BenchTexts) throws -> BenchRun {
        var shaper = try Shaper(fonts: fonts)
        _ = run(texts.warming, &shaper)
        let warm = shaper.cacheStatistics
        var result = run(texts.measured, &shaper)
        let after = shaper.cacheStatistics
        result.hits = after.hits - warm.hits
        result.misses = after.misses - warm.misses
        return result
    }

    private func run(_ texts: ArraySlice<String>, _ shaper: inout Shaper) -> BenchRun {
        var result = BenchRun()
        var measured = MeasuredText.empty
        var lines = LineBuffer()
        let start = ProcessorTime.now
        for text in texts {
            shaper.measure(text, into: &measured)
            for breaker in TextBench.breakers {
                lines.removeAll()
                breaker.breakLines(of: measured, into: &lines)
                result.lines += lines.count
                for i in 0..<lines.count { result.checksum = TextBench.mix(result.checksum, lines[i]) }
            }
        }
        result.seconds = ProcessorTime.now - start
        result.messages = texts.count
        return result
    }

    /// Breaks texts that are measured already for one more width, another one each time; the run of median speed.
    func relayout(_ texts: [String]) throws -> BenchRun {
        var shaper = try Shaper(fonts: fonts)
        var column = StopsColumn()
        for text in texts { column.append(shaper.measure(text)) }
        var result = ColumnLines()
        let runs = (0..<15).map { n in
            var run = BenchRun(messages: column.count)
            let breaker = LineBreaker(width: .points(300 + Int32(n)), size: TextBench.size, scale: .three)
            let start = ProcessorTime.now
            breaker.breakLines(of: column, into: &result)
            run.lines = result.lines.count
            for i in 0..<run.lines { run.checksum = TextBench.mix(run.checksum, result.lines[i]) }
            run.seconds = ProcessorTime.now - start
            return run
        }
        return BenchRun.median(runs)
    }

    @inline(__always)
    private static func mix(_ checksum: UInt64, _ line: Line) -> UInt64 {
        let value = UInt64(UInt32(bitPattern: line.end)) << 32 | UInt64(UInt32(bitPattern: line.width))
        return (checksum ^ value) &* 0x9e37_79b9_7f4a_7c15
    }
}
