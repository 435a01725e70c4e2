import Foundation
import JSON
import Shaping
import Typography

func lines(fontsPath: String) throws {
    let fonts = try FontList(FontConfiguration.families(Array(Data(contentsOf: URL(filePath: fontsPath))), from: fontsPath))
    var shaper = try Shaper(fonts: fonts)
    var out = JSONWriter()
    while let text = readLine(strippingNewline: true) {
        let document = JSONDocument(name: "standard input", bytes: Array(text.utf8), dialect: .json)
        let one = try document.read { (root) throws(JSONError) in try LineCase(root) }
        let measured = shaper.measure(one.text, style: TextStyle(weight: one.weight))
        one.write(one.breaker.lines(of: measured), to: &out)
        print(String(decoding: out.bytes, as: UTF8.self))
        out = JSONWriter()
    }
}
if CommandLine.arguments[1] == "bench" {
    let path = CommandLine.arguments[2]
    let fonts = try FontList(FontConfiguration.families(Array(Data(contentsOf: URL(filePath: path))), from: path))
    let bench = TextBench(fonts: fonts)
    var corpus = ChatCorpus(seed: 7)
    let texts = corpus.messages(40_000)
    if CommandLine.arguments.count > 4, CommandLine.arguments[4] == "m" {
        let mixed = try String(contentsOfFile: CommandLine.arguments[3], encoding: .utf8).split(separator: "\n").map {
            try JSONValue.parse(Array($0.utf8), dialect: .json)["text"]!.string!
        }
        for _ in 0..<10 { let r = try bench.measure(mixed); print(r, r.perSecond) }
        exit(0)
    }
    if CommandLine.arguments.count > 4 { for _ in 0..<20 { print(try bench.relayout(Array(texts[..<10_000]))) }; exit(0) }
    print(texts[..<5], texts.reduce(0) { $0 + $1.utf8.count } / texts.count)
    for _ in 0..<3 { let r = try bench.measure(texts); print(r, r.perSecond) }
    print(try bench.relayout(Array(texts[..<10_000])))
    let mixed = try String(contentsOfFile: CommandLine.arguments[3], encoding: .utf8).split(separator: "\n").map {
        try JSONValue.parse(Array($0.utf8), dialect: .json)["text"]!.string!
    }
    for _ in 0..<3 { let r = try bench.measure(mixed); print(r, r.perSecond) }
} else {
    try lines(fontsPath: CommandLine.arguments[2])
}
