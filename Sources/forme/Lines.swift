import Console
import Foundation
import JSON
import Shaping
import Typography

extension Command {
    static let lines = Command(
        name: "lines",
        summary: "breaks texts into lines: cases in, lines out, one JSON object a line",
        usage: """
            usage: forme lines [--fonts FILE] < cases.jsonl > lines.jsonl

            \(FontOption.usage)
            """
    ) { words in
        let arguments = try Arguments(words, of: "lines", options: [FontOption.name])
        var shaper = try Shaper(fonts: FontOption.loader(arguments)())
        while let text = readLine(strippingNewline: true) {
            let document = JSONDocument(name: "standard input", bytes: Array(text.utf8), dialect: .json)
            let one = try document.read { (root) throws(JSONError) in try LineCase(root) }
            let measured = shaper.measure(one.text, style: TextStyle(weight: one.weight))
            var out = JSONWriter()
            one.write(one.breaker.lines(of: measured), to: &out)
            print(String(decoding: out.bytes, as: UTF8.self))
        }
    }
}
