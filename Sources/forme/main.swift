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
try lines(fontsPath: CommandLine.arguments[2])
