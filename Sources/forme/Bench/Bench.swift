import FormeLayout
import Foundation
import JSON
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
        if words.first == "layout" {
            let arguments = try Arguments(Array(words.dropFirst()), of: "bench", options: [FontOption.name])
            let texts = try BenchTexts.latin()
            func json(_ text: String) -> [UInt8] {
                var json = JSONWriter()
                json.object {
                    $0.key("kind")
                    $0.string("text")
                    $0.key("text")
                    $0.string(text)
                    $0.key("name")
                    $0.string("Ada Lovelace")
                    $0.key("status")
                    $0.string("sent")
                    $0.key("time")
                    $0.integer(1_700_000_000)
                }
                return json.bytes
            }
            var bench = try LayoutBench(
                style: StyleFiles.open("config/styles/bubble.json5"), fonts: FontOption.loader(arguments)())
            try bench.run(texts.warming.map(json))
            let measured = texts.measured.map(json)
            for _ in 0..<3 {
                try bench.run(measured)
                let s = bench.stages
                let n = Double(s.messages)
                print(
                    "parse \(s.parse / n * 1e6) measure \(s.measure / n * 1e6) compose \(s.compose / n * 1e6) encode \(s.encode / n * 1e6) µs; \(Double(s.slices) / n) slices; \(n / (s.parse + s.measure + s.compose + s.encode))/s"
                )
            }
            return
        }
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
