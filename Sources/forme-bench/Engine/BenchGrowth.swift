import Bytes
import Shaping
import Typography

/// Time for each character of short and long texts. Growth is linear where it is the same for all.
struct BenchGrowth {
    let characters: Int
    let latin: Cost
    let mixed: Cost

    /// Nanoseconds to a character.
    struct Cost {
        let measuring: Double
        /// Breaking into lines of one width.
        let breaking: Double
    }

    static let lengths = [10, 100, 1_000, 10_000, 100_000]

    static func measure(_ bench: TextBench, latin: BenchTexts, mixed: BenchTexts) throws -> [BenchGrowth] {
        let latin = try costs(bench, latin)
        let mixed = try costs(bench, mixed)
        return lengths.indices.map { BenchGrowth(characters: lengths[$0], latin: latin[$0], mixed: mixed[$0]) }
    }

    private static func costs(_ bench: TextBench, _ texts: BenchTexts) throws -> [Cost] {
        var shaper = try Shaper(fonts: bench.fonts)
        for text in texts.warming { _ = shaper.measure(text) }
        let long = Array(texts.measured.joined(separator: " ").prefix(2 * lengths[lengths.count - 1]))
        return lengths.map { length in
            let parts = parts(of: long, length)
            return cost(of: parts, characters: parts.reduce(0) { $0 + $1.count }, &shaper)
        }
    }

    /// Messages seldom begin with a space, so no part does.
    private static func parts(of text: [Character], _ length: Int) -> [String] {
        var parts: [String] = []
        var rest = text.drop { $0 == " " }
        while !rest.isEmpty {
            parts.append(String(rest.prefix(length)))
            rest = rest.dropFirst(length).drop { $0 == " " }
        }
        return parts
    }

    private static func cost(of texts: [String], characters: Int, _ shaper: inout Shaper) -> Cost {
        var measured: [MeasuredText] = []
        measured.reserveCapacity(texts.count)
        let start = ProcessorTime.now
        for text in texts { measured.append(shaper.measure(text)) }
        let measuring = ProcessorTime.now - start
        let breaking = (0..<5).map { n in breakingTime(of: measured, width: 280 + n) }.sorted()[2]
        return Cost(measuring: measuring * 1e9 / Double(characters), breaking: breaking * 1e9 / Double(characters))
    }

    private static func breakingTime(of texts: [MeasuredText], width: Int) -> Double {
        let breaker = LineBreaker(width: .points(Int32(width)), size: TextBench.size, scale: .two)
        var lines = LineBuffer(capacity: 1 << 16)
        let start = ProcessorTime.now
        for text in texts {
            lines.removeAll()
            breaker.breakLines(of: text, into: &lines)
        }
        return ProcessorTime.now - start
    }
}
