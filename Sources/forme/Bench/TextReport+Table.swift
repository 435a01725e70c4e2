import Foundation
import Shaping
import Typography

extension TextReport {
    /// For people.
    var table: String { [engines, details, growthTable, starts, memoryTable].joined(separator: "\n\n") }

    private var engines: String {
        TextReport.columns([
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
        TextReport.columns([
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
        TextReport.columns(
            [["ns to a character of a text of", "Latin: measure", "break", "mixed: measure", "break"]]
                + growth.map { step in
                    [
                        "\(whole(step.characters)) characters", tenth(step.latin.measuring),
                        hundredth(step.latin.breaking), tenth(step.mixed.measuring), hundredth(step.mixed.breaking),
                    ]
                })
    }

    private var starts: String {
        TextReport.columns([
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
        return TextReport.columns(tables) + "\n\n"
            + TextReport.columns([["font file", "in memory", "mapped"]] + files)
    }

    private func lookUps(_ comparison: Comparison) -> Int { comparison.forme.hits + comparison.forme.misses }

    /// The first column to the left, the others to the right.
    private static func columns(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}

private func whole(_ value: Double?) -> String { value.map { whole(Int($0.rounded())) } ?? "not built" }

/// With a comma before every three digits.
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
