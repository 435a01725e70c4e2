import Console
import Foundation
import Shaping

/// The findings of `forme-bench text`, one after another.
struct TextReport {
    let rounds: Int
    let latin: Comparison
    let mixed: Comparison
    let growth: [BenchGrowth]
    let start: BenchStart
    let memory: BenchMemory

    /// The engines over the same texts; nil for one that is not built.
    struct Comparison {
        let charactersPerMessage: Double
        var forme: BenchRun
        var pango: BenchRun?
        var harfBuzz: BenchRun?
        var relayout: BenchRun

        var formeToPango: Double? { pango.map { forme.perSecond / $0.perSecond } }
        var formeToHarfBuzz: Double? { harfBuzz.map { forme.perSecond / $0.perSecond } }
    }

    init(
        latin: BenchTexts, mixed: BenchTexts, rounds: Int, fonts: () throws -> FontList, fontWords: [String]
    ) throws {
        for baseline in [Baseline.pango, .harfBuzz] where !baseline.isBuilt { TextReport.say(baseline.advice) }
        // Memory is measured first, while the process is small.
        memory = try BenchMemory.measure(latin.all + mixed.all, fonts)
        let bench = TextBench(fonts: try fonts())
        var latinRounds: [Round] = []
        var mixedRounds: [Round] = []
        for number in 1...rounds {
            TextReport.progress("round \(number) of \(rounds)")
            latinRounds.append(try Round(latin, bench))
            mixedRounds.append(try Round(mixed, bench))
        }
        TextReport.progress("one more width")
        self.rounds = rounds
        self.latin = try TextReport.comparison(latinRounds, latin, bench)
        self.mixed = try TextReport.comparison(mixedRounds, mixed, bench)
        TextReport.progress("growth")
        growth = try BenchGrowth.measure(bench, latin: latin, mixed: mixed)
        TextReport.progress("cold start")
        start = try BenchStart.measure(fonts: fontWords)
        TextReport.progress("")
    }

    /// A run of each engine, one behind the other, so that a slow moment of the machine slows them all.
    private struct Round {
        let forme: BenchRun
        let pango: BenchRun?
        let harfBuzz: BenchRun?

        init(_ texts: BenchTexts, _ bench: TextBench) throws {
            forme = try BenchRun.repeated { try bench.measure(texts) }
            pango = try Round.measure(.pango, texts, bench)
            harfBuzz = try Round.measure(.harfBuzz, texts, bench)
        }

        private static func measure(_ other: Baseline, _ texts: BenchTexts, _ bench: TextBench) throws -> BenchRun? {
            guard other.isBuilt else { return nil }
            return try BenchRun.repeated { try other.measure(texts, bench.fonts) }
        }
    }

    private static func comparison(_ rounds: [Round], _ texts: BenchTexts, _ bench: TextBench) throws -> Comparison {
        guard Set(rounds.map(\.forme.checksum)).count == 1 else {
            throw Failure(.failed, "the same texts were given other lines in another round")
        }
        return Comparison(
            charactersPerMessage: texts.charactersPerMessage, forme: .median(rounds.map(\.forme)),
            pango: median(rounds.compactMap(\.pango)), harfBuzz: median(rounds.compactMap(\.harfBuzz)),
            relayout: try bench.relayout(Array(texts.all.prefix(10_000))))
    }

    private static func median(_ runs: [BenchRun]) -> BenchRun? { runs.isEmpty ? nil : BenchRun.median(runs) }

    private static func say(_ sentence: String) {
        FileHandle.standardError.write(Data("forme-bench: \(sentence)\n".utf8))
    }

    /// Shows progress in one line that is written over again.
    private static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) != 0 else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K\(text)".utf8))
    }
}
