import Foundation
import Shaping

extension Command {
    static let bench = Command(
        name: "bench",
        summary: "measures the speed of the text engine beside Pango and HarfBuzz",
        usage: """
            usage: forme bench text [OPTIONS]

              --json               one JSON object, instead of a table
              --rounds N           of which medians are taken (default: 3)
              --mixed FILE         texts in many scripts, one JSON object with "text" a line (default: the oracle's cases)
            \(FontOption.usage)

            deploy/bench installs and builds what is compared, and runs this.
            """
    ) { words in
        guard words.first == "text" else {
            throw Failure(.usage, "bench what? Only text can be measured. Read: forme help bench")
        }
        let arguments = try Arguments(
            Array(words.dropFirst()), of: "bench", options: [FontOption.name, "mixed", "rounds"], switches: ["json"])
        let rounds = try arguments.integer("rounds", in: 1...100, default: 3)
        let mixed = try BenchTexts.mixed(from: arguments.text("mixed") ?? BenchTexts.usualMixedFile())
        let report = try TextReport(
            latin: BenchTexts.latin(), mixed: mixed, rounds: rounds, fonts: FontOption.loader(arguments),
            fontWords: arguments.text(FontOption.name).map { ["--\(FontOption.name)", $0] } ?? [])
        print(arguments.has("json") ? report.json : report.table)
    }
}
