import Testing

@testable import Shaping

/// A text with `|` wherever a run of another script begins.
private func cut(_ text: String) -> String {
    let units = Array(text.utf16)
    let table = CharacterTable()
    var scripts = [UInt16](repeating: 0, count: units.count)
    ScriptRuns.resolve(units, units.map { table[UInt32($0)] }, into: &scripts)
    var parts: [UInt16] = []
    for i in units.indices {
        if i > 0 && scripts[i] != scripts[i - 1] { parts.append(UInt16(UInt8(ascii: "|"))) }
        parts.append(units[i])
    }
    return String(decoding: parts, as: UTF16.self)
}

@Suite struct ScriptRunsTests {
    @Test(arguments: [
        "say “hi”, 12", "あ “|hi", "中。|カタカナかな", "abc |где", "“中” “|s", "…“s", "ー“|s", "न। |ا “|s", "！“s", "₹“s",
    ])
    func `what is common to all scripts joins the run before it`(expected: String) {
        #expect(cut(expected.filter { $0 != "|" }) == expected)
    }

    @Test(arguments: [
        "(一|a|) “|s", "a (|一|) “s", "a|「|b|」 “|c", "a|（|b|） “|c", "（|a|（|b|）) “|c", "a） “s", "((a）“s",
    ])
    func `a closing bracket has the script of its opening one`(expected: String) {
        #expect(cut(expected.filter { $0 != "|" }) == expected)
    }

    @Test func `a mark of another script is a run of its own`() {
        let table = CharacterTable()
        var scripts: [UInt16] = [0, 0, 0]
        let units = Array("a\u{5b0}b".utf16)
        ScriptRuns.resolve(units, units.map { table[UInt32($0)] }, into: &scripts)
        #expect(scripts[0] == scripts[2] && scripts[0] != scripts[1])
    }
}
