import Foundation
import JSON

extension Command {
    static let bench = Command(
        name: "bench",
        summary: "measures the speed of the text engine",
        usage: """
            usage: forme bench text [--fonts FILE] [--mixed FILE]

              --mixed FILE         texts in many scripts, one JSON object with "text" a line
            \(FontOption.usage)
            """
    ) { words in
        guard words.first == "text" else {
            throw Failure(.usage, "bench what? Only text can be measured. Read: forme help bench")
        }
        let arguments = try Arguments(Array(words.dropFirst()), of: "bench", options: [FontOption.name, "mixed"])
        let bench = TextBench(fonts: try FontOption.loader(arguments)())
        var corpus = ChatCorpus(seed: 7)
        let texts = corpus.messages(40_000)
        for _ in 0..<3 {
            let result = try bench.measure(texts)
            print(result, result.perSecond)
        }
        print(try bench.relayout(Array(texts[..<10_000])))
        guard let path = arguments.text("mixed") else { return }
        let mixed = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            let document = JSONDocument(name: path, bytes: Array(line.utf8), dialect: .json)
            return try document.read { (root) throws(JSONError) in
                try root.object().required("text").string()
            }
        }
        for _ in 0..<3 {
            let result = try bench.measure(mixed)
            print(result, result.perSecond)
        }
    }
}
