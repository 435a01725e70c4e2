import Console
import Foundation
import JSON
import Shaping
import Typography

struct LinesCommand: Command {
    let name = "lines"
    let summary = "breaks texts into lines: cases in, lines out, one JSON object a line"
    let usage = """
        usage: forme lines [--fonts FILE] < cases.jsonl > lines.jsonl

        \(FontOption.usage)
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: "lines", options: [FontOption.name])
        try StandardInput.refuseFolder(insteadOf: "a file with a text a line")
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
