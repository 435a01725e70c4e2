import JSON
import Testing

/// A font of a configuration file, as a reader of one would have it.
private struct Font: Equatable {
    enum Weight: Equatable {
        case any
        case exactly(Int)
    }

    var file: String
    var index: Int
    var weight: Weight

    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["file", "index", "weight"])
        file = try fields.required("file").string()
        index = try fields.optional("index")?.integer(in: 0...255) ?? 0
        weight = try Self.weight(try fields.required("weight"))
    }

    private static func weight(_ reader: JSONReader) throws(JSONError) -> Weight {
        if reader.value == .string("any") { return .any }
        guard let weight = reader.value.number?.integer, 1...1000 ~= weight else {
            throw reader.mismatch(expected: "1...1000 or 'any'")
        }
        return .exactly(weight)
    }
}

private func fonts(_ text: String) throws(JSONError) -> [Font] {
    let document = JSONDocument(name: "config/fonts.json5", bytes: Array(text.utf8), dialect: .json5)
    return try document.read { (root) throws(JSONError) in
        var fonts: [Font] = []
        for element in try root.object(knownKeys: ["fonts"]).required("fonts").elements() {
            fonts.append(try Font(element))
        }
        return fonts
    }
}

@Test func `turns a file into values`() throws {
    let read = try fonts("{fonts: [{file: 'a.ttf', weight: 400}, {file: 'b.ttc', index: 2, weight: 'any'}]} // two")
    #expect(read.map(\.file) == ["a.ttf", "b.ttc"])
    #expect(read.map(\.index) == [0, 2])
    #expect(read.map(\.weight) == [.exactly(400), .any])
}

@Test(arguments: [
    (
        "{fonts: [\n{file: 'a', weight: 400},\n{file: 'b', weight: 'bold'}]}",
        "3:21: fonts[1].weight: expected 1...1000 or 'any', found 'bold'"
    ),
    (
        "{fonts: [{file: 'a',\n  wieght: 400, weight: 1}]}",
        "2:3: fonts[0].wieght: unknown; known are file, index, weight"
    ),
    ("{fonts:\n [ {file: 'a'}]}", "2:4: fonts[0]: 'weight' is missing"),
    ("{fonts: [{file: 7, weight: 'any'}]}", "1:17: fonts[0].file: expected a string, found 7"),
    ("{fonts: [{file: '', index: 256, weight: 'any'}]}", "1:28: fonts[0].index: expected 0...255, found 256"),
    ("{fonts: [{file: '', index: 0.5, weight: 'any'}]}", "1:28: fonts[0].index: expected 0...255, found 0.5"),
    ("{fonts: {}}", "1:9: fonts: expected an array, found an object of 0"),
    ("// x\n []", "2:2: expected an object, found an array of 0"),
    ("{}", "1:1: 'fonts' is missing"), ("{fonts: [1,]", "1:13: expected ',' or '}', found the end of the text"),
])
func `names the file, the line, the column and the way to what is wrong`(text: String, message: String) {
    #expect {
        try fonts(text)
    } throws: { error in
        "\(error)" == "config/fonts.json5:" + message
    }
}

@Test func `knows a few words, and no others`() throws {
    func direction(_ text: String) throws -> Bool {
        try JSONReader(JSONValue.parse(Array(text.utf8))).choice(["ltr": false, "rtl": true])
    }
    #expect(try direction("\"rtl\""))
    #expect(throws: JSONError(problem: .mismatch(expected: "'ltr' or 'rtl'", found: "'up'"))) {
        try direction("\"up\"")
    }
}

@Test func `tells a value in short, however much there is of one letter`() {
    let letter = "a" + String(repeating: "\u{301}", count: 10_000)
    let error = JSONReader(.string(letter)).mismatch(expected: "a word")
    #expect("\(error)".utf8.count < 200)
}

@Test func `does not trap on an error about another text`() throws {
    let stray = JSONError(problem: .missingField("x"), path: .element(3, of: .member("no", of: .root)))
    let document = JSONDocument(name: "a.json", bytes: Array("{\"yes\":1}".utf8), dialect: .json)
    #expect {
        try document.read { (_) throws(JSONError) in throw stray }
    } throws: { error in
        "\(error)" == "a.json: no[3]: 'x' is missing"
    }
}

@Test(arguments: [
    (#"{"a": "a secret"}"#, "text:1:7: a: expected an integer, found something else"),
    (#"{"a": S}"#, "text:1:7: expected a value, found something else"),
    (#"{"secret": 1, "secret": 2}"#, "text:1:15: '…' is there twice"),
    (#"{"b": 1}"#, "text:1:1: 'a' is missing"),
])
func `an error can be told to those who may not see the text`(text: String, sentence: String) {
    let document = JSONDocument(name: "text", bytes: Array(text.utf8), dialect: .json)
    #expect(
        performing: {
            try document.read { (root) throws(JSONError) in try root.object().required("a").integer() }
        }, throws: { ($0 as? JSONError)?.discreet == sentence })
}
