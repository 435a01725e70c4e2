import Foundation
import TestSupport
import Testing

@Test(.waits) func `fonts are listed with what each file is, the same hash for faces of one file`() throws {
    let result = try run(["fonts", "--json", "--fonts", Fonts.list])
    #expect(result.code == 0 && result.errors.isEmpty)
    let rows = try result.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let first = try #require(rows.first)
    #expect(first["family"] as? String == "NotoSans" && first["face"] as? String == "Regular")
    #expect(first["weight"] as? Int == 400 && first["units_per_em"] as? Int == 1000)
    #expect(rows.allSatisfy { ($0["hash"] as? String)?.count == 64 })
    #expect(rows.filter { $0["colour_bitmaps"] as? Bool == true }.map { $0["family"] as? String } == ["NotoColorEmoji"])
    #expect(try run(["fonts", "--fonts", Fonts.list]).output.split(separator: "\n").count == 1 + rows.count)
}

@Test(
    .waits,
    arguments: [
        ("/nowhere/font.ttf", 0, "/nowhere/font.ttf is missing; install the package of this font"),
        ("/etc", 0, "/etc cannot be read"),
        ("/etc/passwd", 0, "/etc/passwd: is not an OpenType font, or is damaged"),
        (Fonts.sans, 7, "\(Fonts.sans): has no face 7; it has 1, counted from 0"),
    ])
func `a font that cannot be used is named with what is wrong, and ends with 74`(
    path: String, index: Int, sentence: String
) throws {
    let folder = try TemporaryFolder()
    try #"[{"name": "a", "faces": [{"weight": 400, "path": "\#(path)", "index": \#(index)}]}]"#
        .write(toFile: folder.file("fonts.json"), atomically: true, encoding: .utf8)
    for command in ["fonts", "lines"] {
        let result = try run([command, "--fonts", folder.file("fonts.json")])
        #expect(result.code == 74)
        #expect(result.errors.hasPrefix("forme: \(sentence)"))
        #expect(result.output.isEmpty)
    }
}

@Test(.waits) func `a font that was cut in its middle is refused, or measured without a trap`() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: URL(filePath: Fonts.sans))
    try #"[{"name": "a", "faces": [{"weight": 400, "path": "\#(folder.file("cut.ttf"))"}]}]"#
        .write(toFile: folder.file("fonts.json"), atomically: true, encoding: .utf8)
    for part in [12, 300, whole.count / 4, whole.count / 2, whole.count - 1] {
        try whole.prefix(part).write(to: URL(filePath: folder.file("cut.ttf")))
        let result = try run(
            ["lines", "--fonts", folder.file("fonts.json")],
            input: #"{"id": "1", "text": "See you at nine? ö 漢 👍", "font_size": 16, "max_width": 80, "#
                + #""line_height": 20, "scale": 2}"# + "\n")
        #expect(result.code == 0 || result.errors.hasSuffix("is not an OpenType font, or is damaged\n"))
    }
}

@Test(.waits) func `fonts are made while nobody else wants the processor`() throws {
    let folder = try TemporaryFolder()
    let making = try Command(["webfonts", "--wait", "600", "--data", folder.path])
    try waitUntil {
        let facts = try String(contentsOfFile: "/proc/\(making.process.processIdentifier)/stat", encoding: .utf8)
        let fields = facts[facts.lastIndex(of: ")")!...].split(separator: " ").dropFirst().map(String.init)
        // Its niceness, and SCHED_IDLE.
        return fields[16] == "19" && fields[38] == "5"
    }
    // Commands of tests have signals blocked, and this one waits for none: only SIGKILL ends it.
    kill(making.process.processIdentifier, SIGKILL)
    _ = try making.finish()
}

@Test(.waits) func `fonts are made small once, and go when the list names others`() throws {
    let folder = try TemporaryFolder()
    let list = folder.file("fonts.json")
    func made(_ names: [String]) throws -> [String] {
        let families = names.map {
            #"{"name": "\#($0)", "faces": [{"weight": "any", "path": "/usr/share/fonts/truetype/noto/\#($0)-Regular.ttf"}]}"#
        }
        try "[\(families.joined(separator: ","))]".write(toFile: list, atomically: true, encoding: .utf8)
        let result = try run(["webfonts", "--data", folder.file("data"), "--fonts", list])
        #expect(result.code == 0 && result.output.isEmpty)
        return try FileManager.default.contentsOfDirectory(atPath: folder.file("data/fonts")).sorted()
    }
    let both = try made(["NotoSansThai", "NotoSansLao"])
    #expect(both.count == 4 && both.filter { $0.hasSuffix(".woff2") }.count == 2)
    let font = folder.file("data/fonts/" + both.first { $0.hasSuffix(".woff2") }!)
    let before = try FileManager.default.attributesOfItem(atPath: font)[.modificationDate] as? Date
    #expect(try made(["NotoSansThai", "NotoSansLao"]) == both)
    #expect(try FileManager.default.attributesOfItem(atPath: font)[.modificationDate] as? Date == before)
    let one = try made(["NotoSansLao"])
    #expect(one.count == 2 && Set(one).isSubset(of: both))
}

private enum Fonts {
    static let list = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config/fonts.json5").path
    static let sans = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"
}
