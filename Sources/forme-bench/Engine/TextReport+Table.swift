import Console
import Foundation
import Shaping
import Typography

extension TextReport {
    /// The report for people.
    var table: String { [engines, details, growthTable, starts, memoryTable].joined(separator: "\n\n") }

    private var engines: String {
        Columns.aligned([
            ["messages per second", "Latin", "Forme is", "mixed", "Forme is"],
            ["Forme, 6 widths × 3 scales", whole(latin.forme.perSecond), "", whole(mixed.forme.perSecond), ""],
            [
                "Pango, 6 widths", whole(latin.pango?.perSecond), times(latin.formeToPango),
                whole(mixed.pango?.perSecond), times(mixed.formeToPango),
            ],
            [
                "HarfBuzz, shaped once", whole(latin.harfBuzz?.perSecond), times(latin.formeToHarfBuzz),
                whole(mixed.harfBuzz?.perSecond), times(mixed.formeToHarfBuzz),
            ],
        ])
            + """


            Seconds of processor time of one thread, at \(TextBench.size.raw / 64) px; medians of \(rounds) rounds, in each of \
            which the engines
            run one behind the other. Caches are warmed on one half of the texts and measured on the other; no text is
            seen twice, and every line is written and checksummed.
            """
    }

    private var details: String {
        Columns.aligned([
            ["", "Latin", "mixed"],
            ["messages measured", whole(latin.forme.messages), whole(mixed.forme.messages)],
            ["characters to a message", tenth(latin.charactersPerMessage), tenth(mixed.charactersPerMessage)],
            ["lines written", whole(latin.forme.lines), whole(mixed.forme.lines)],
            ["checksum", hex(latin.forme.checksum), hex(mixed.forme.checksum)],
            ["word cache: looked up", whole(lookUps(latin)), whole(lookUps(mixed))],
            ["word cache: found", percent(latin.forme.hitRate), percent(mixed.forme.hitRate)],
            [
                "one more width, ns to a message", tenth(latin.relayout.nanosecondsPerMessage),
                tenth(mixed.relayout.nanosecondsPerMessage),
            ],
            [
                "one more width, ms to 10,000", hundredth(latin.relayout.nanosecondsPerMessage / 100),
                hundredth(mixed.relayout.nanosecondsPerMessage / 100),
            ],
        ])
    }

    private var growthTable: String {
        Columns.aligned(
            [["ns to a character of a text of", "Latin: measure", "break", "mixed: measure", "break"]]
                + growth.map { step in
                    [
                        "\(whole(step.characters)) characters", tenth(step.latin.measuring),
                        hundredth(step.latin.breaking), tenth(step.mixed.measuring), hundredth(step.mixed.breaking),
                    ]
                })
    }

    private var starts: String {
        Columns.aligned([
            ["from the start of a process to the end of its first message", "ms"],
            ["fonts remembered (median of 10)", tenth(start.cold)],
            ["the same, processor time", tenth(start.processor)],
            ["nothing remembered", tenth(start.first)],
        ])
    }

    private var memoryTable: String {
        let tables = [
            ["bytes", "now", "at most"],
            ["word cache", whole(memory.shaper.cache), whole(memory.shaper.cacheLimit)],
            ["pair tables", whole(memory.shaper.pairTables), ""],
            ["character tables", whole(memory.shaper.characterTables), ""],
            ["process, grown by", whole(memory.residentGrowth), ""],
        ]
        let files = memory.files.map { file in
            [URL(filePath: file.path).lastPathComponent, whole(file.resident), whole(file.mapped)]
        }
        return Columns.aligned(tables) + "\n\n"
            + Columns.aligned([["font file", "in memory", "mapped"]] + files)
    }

    private func lookUps(_ comparison: Comparison) -> Int { comparison.forme.hits + comparison.forme.misses }
}

private func whole(_ value: Double?) -> String { value.map { whole(Int($0.rounded())) } ?? "not built" }

/// The number with a comma before every three digits.
private func whole(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    let grouped = digits.enumerated().map { i, digit in
        i > 0 && (digits.count - i).isMultiple(of: 3) ? ",\(digit)" : String(digit)
    }
    return (value < 0 ? "-" : "") + grouped.joined()
}

private func tenth(_ value: Double) -> String { rounded(value, 10, places: 1) }

private func hundredth(_ value: Double) -> String { rounded(value, 100, places: 2) }

private func times(_ value: Double?) -> String { value.map { tenth($0) + " ×" } ?? "" }

private func percent(_ value: Double?) -> String { value.map { tenth($0 * 100) + " %" } ?? "" }

private func hex(_ value: UInt64) -> String { String(value, radix: 16) }

private func rounded(_ value: Double, _ scale: Double, places: Int) -> String {
    let scaled = Int((value * scale).rounded())
    let fraction = String(scaled.magnitude % UInt(scale))
    return String(scaled / Int(scale)) + "." + String(repeating: "0", count: places - fraction.count) + fraction
}
