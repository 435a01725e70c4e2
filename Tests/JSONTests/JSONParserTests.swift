import JSON
import TestSupport
import Testing

private func parse(_ text: String, _ dialect: JSONDialect = .json) throws(JSONError) -> JSONValue {
    try JSONValue.parse(Array(text.utf8), dialect: dialect)
}

private func problem(_ bytes: [UInt8], _ dialect: JSONDialect = .json) -> String? {
    do throws(JSONError) {
        _ = try JSONValue.parse(bytes, dialect: dialect)
        return nil
    } catch {
        return error.description
    }
}

@Test(
    arguments: [
        ("null", .null), (" true ", .bool(true)), ("false\n", .bool(false)), ("\t\"\"\r", .string("")),
        ("0", .number(0)), ("-12", .number(-12)), ("18446744073709551615", .number(JSONNumber(UInt64.max))),
        (#""see you""#, .string("see you")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e9\ud83d\ude00\u0000""#, .string("é😀\0")), (#""é😀 \u4f60好""#, .string("é😀 你好")),
        ("[]", .array([])), ("[ ]", .array([])),
        ("[1,[2],\n3]", .array([.number(1), .array([.number(2)]), .number(3)])),
        ("{}", .object(JSONObject([]))), (#"{"":null}"#, .object(JSONObject([.init("", .null)]))),
        (
            #"{"b":1, "a":[{}]}"#,
            .object(JSONObject([.init("b", .number(1)), .init("a", .array([.object(JSONObject([]))]))]))
        ),
    ] as [(String, JSONValue)])
func `reads every kind of value, in order`(text: String, value: JSONValue) throws {
    #expect(try parse(text) == value)
    #expect(try parse(text, .json5) == value)
}

@Test(arguments: [
    ("", "1:1: expected a value, found the end of the text"),
    ("nul", "1:1: expected a value, found 'n'"),
    ("nulll", "1:5: expected the end of the text, found 'l'"),
    ("1 2", "1:3: expected the end of the text, found '2'"),
    ("\u{FEFF}1", "1:1: expected a value, found '\u{FEFF}'"),
    ("é", "1:1: expected a value, found 'é'"),
    ("[1,]", "1:4: expected a value, found ']'"),
    ("[1 2]", "1:4: expected ',' or ']', found '2'"),
    ("[,1]", "1:2: expected a value, found ','"),
    ("[", "1:2: expected a value, found the end of the text"),
    ("]", "1:1: expected a value, found ']'"),
    ("[}", "1:2: expected a value, found '}'"),
    (#"{"a":1,}"#, "1:8: expected a key, found '}'"),
    (#"{"a" 1}"#, "1:6: expected ':', found '1'"),
    (#"{"a":1 "b":2}"#, "1:8: expected ',' or '}', found '\"'"),
    ("{a:1}", "1:2: expected a key, found 'a'"),
    (#"{"a":1,"é":2,"a":3}"#, "1:14: 'a' is there twice"),
    (#"{"\u0061":1,"a":3}"#, "1:13: 'a' is there twice"),
    ("'a'", "1:1: expected a value, found '''"),
    ("\"a", "1:3: expected the end of the string, found the end of the text"),
    ("\"a\n\"", "1:3: control character 10 in a string; write it as an escape"),
    ("\"a\0\"", "1:3: control character 0 in a string; write it as an escape"),
    (#""\x41""#, "1:2: not an escape of this dialect"), (#""\u00e""#, "1:2: not an escape of this dialect"),
    (#""\"#, "1:2: not an escape of this dialect"),
    (#""\ud800""#, #"1:2: \ud800 is half of a surrogate pair"#),
    (#""\udc00\ud800""#, #"1:2: \udc00 is half of a surrogate pair"#),
    (#""\ud800\u0041""#, #"1:2: \ud800 is half of a surrogate pair"#),
    ("01", "1:1: a number does not begin with 0 and another digit"),
    ("-", "1:2: expected a digit, found the end of the text"),
    ("+1", "1:1: expected a value, found '+'"), (".5", "1:1: expected a value, found '.'"),
    ("5.", "1:3: expected a digit, found the end of the text"), ("-.5", "1:2: expected a digit, found '.'"),
    ("1e", "1:3: expected a digit, found the end of the text"),
    ("0x1F", "1:2: expected the end of the text, found 'x'"),
    ("NaN", "1:1: Infinity and NaN are not numbers here"),
    ("-Infinity", "1:1: Infinity and NaN are not numbers here"),
    ("18446744073709551616", "1:1: a number of more than 64 bits or an exponent beyond 99999"),
    ("1e999999999999999999999", "1:1: a number of more than 64 bits or an exponent beyond 99999"),
    ("// no\n1", "1:1: expected a value, found '/'"),
    ("{\n  \"a\": 1,\r\n  \"é\": x\r}", "3:8: expected a value, found 'x'"),
    ("\0", "1:1: expected a value, found U+0"),
])
func `says what is wrong, and where`(text: String, error: String) {
    #expect(problem(Array(text.utf8)) == error)
}

@Test(
    arguments: [
        ("// a comment\n1 /* and ** another */", .number(1)), ("/**/'\"'//", .string("\"")),
        ("[1,2,]", .array([.number(1), .number(2)])),
        (
            "{$a_1: .5,}",
            .object(JSONObject([.init("$a_1", .number(JSONNumber(isNegative: false, magnitude: 5, exponent: -1)!))]))
        ),
        ("+1", .number(1)), ("-0x1f", .number(-31)), ("0XFFFFFFFFFFFFFFFF", .number(JSONNumber(UInt64.max))),
        ("5.", .number(5)), ("{'b':null}", .object(JSONObject([.init("b", .null)]))),
        (#"'\x41\v\0\'\a\é\😀'"#, .string("A\u{B}\0'aé😀")), ("'a\\\nb\\\r\nc\\\u{2028}d'", .string("abcd")),
        ("\u{FEFF}\u{A0}\u{2028}\u{B}1\u{2029}", .number(1)),
    ] as [(String, JSONValue)])
func `reads what people write in JSON5`(text: String, value: JSONValue) throws {
    #expect(try parse(text, .json5) == value)
}

@Test(arguments: [
    "", "[,]", "{,}", "[1,,]", "{1:2}", "{a b:1}", "/* open", "/* open *", "/", "'a\nb'", #"'\1'"#, #"'\01'"#,
    #"'\xg0'"#, "'\\",
    "'\\\0'", "0x", "0x1FFFFFFFFFFFFFFFF", ".", "+", "+-1", "Infinity", "-NaN", "+Infinity", "1.e", "010", "{a:1,a:2}",
])
func `refuses what is not JSON5 either`(text: String) {
    #expect(problem(Array(text.utf8), .json5) != nil)
}

@Test(
    arguments: [
        [0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80],
        [0xF4, 0x90, 0x80, 0x80],
        [0x80], [0xC3], [0xE4, 0xBD], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
func `refuses bytes that are not UTF-8, wherever they stand`(bytes: [UInt8]) {
    #expect(problem(Array("\n \"é".utf8) + bytes + Array("\"".utf8)) == "2:4: not UTF-8")
    #expect(problem(Array("1 //é".utf8) + bytes, .json5) == "1:6: not UTF-8")
}

@Test func `replaces lone surrogates when asked to`() throws {
    let text = Array(#""a\ud800\ud83d\ude00\udc00\ud800b""#.utf8)
    #expect(try JSONValue.parse(text, loneSurrogates: .replaced) == .string("a\u{FFFD}😀\u{FFFD}\u{FFFD}b"))
}

@Test func `stops at its limits`() {
    func isRefused(_ text: String, _ limits: JSONLimits) -> Bool {
        (try? JSONValue.parse(Array(text.utf8), limits: limits)) == nil
    }
    #expect(!isRefused("[[1]]", JSONLimits(depth: 2)) && isRefused("[[[1]]]", JSONLimits(depth: 2)))
    #expect(!isRefused("[[],[],[]]", JSONLimits(depth: 2)) && isRefused("[[{}]]", JSONLimits(depth: 2)))
    #expect(!isRefused("[1,2]", JSONLimits(bytes: 5)) && isRefused("[1,2]", JSONLimits(bytes: 4)))
    #expect(!isRefused(#""é""#, JSONLimits(stringBytes: 2)) && isRefused(#""éa""#, JSONLimits(stringBytes: 2)))
    #expect(!isRefused(#""\n\n""#, JSONLimits(stringBytes: 2)))
    #expect(isRefused(#""\n\u00e9""#, JSONLimits(stringBytes: 2)))
    #expect(isRefused(#"{"abc":1}"#, JSONLimits(stringBytes: 2)))
    #expect(!isRefused("[1,2]", JSONLimits(members: 2)) && isRefused("[1,2,3]", JSONLimits(members: 2)))
    #expect(isRefused(#"{"a":1,"b":2,"c":3}"#, JSONLimits(members: 2)))
}

@Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
func `survives a depth bomb`(opening: String) {
    let bomb = Array(String(repeating: opening, count: 1 << 18).utf8)
    #expect(throws: JSONError.self) { try JSONValue.parse(bomb) }
    #expect(throws: JSONError.self) { try JSONValue.parse(bomb, dialect: .json5, limits: JSONLimits(depth: 512)) }
}

@Test func `finds a duplicate among a hundred thousand keys`() throws {
    let keys = (0..<100_000).map { "\"k\($0)\":0" }
    #expect(try parse("{" + keys.joined(separator: ",") + "}").object?.members.count == 100_000)
    #expect(
        problem(Array(("{" + (keys + ["\"k77\":1"]).joined(separator: ",") + "}").utf8))?.hasSuffix("twice") == true)
}

@Test(arguments: [#"\n"#, #"\ud83d\ude00"#, "é", "a", #"\\\""#])
func `takes time in proportion to the length of a string`(piece: String) throws {
    func time(_ count: Int) throws -> Duration {
        let text = Array(("\"" + String(repeating: piece, count: count / piece.utf8.count) + "\"").utf8)
        return try (0..<3).map { _ in try processorTime { _ = try JSONValue.parse(text) } }.min()!
    }
    // 16 when linear, 256 when quadratic; a busy machine may spoil a measurement, but not all of them.
    #expect(try (0..<8).contains { _ in try time(1 << 20) < time(1 << 16) * 64 })
}
