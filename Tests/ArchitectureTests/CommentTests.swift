import Foundation
import Testing

/// The first word of a comment is the thing that it describes, or says what a function does: a reader need not look
/// for it.
@Test func `no doc comment begins with a question word`() throws {
    let questions: Set<Substring> = ["Who", "Whoever", "What", "Whatever", "Which", "Whichever"]
    var found: [String] = []
    for file in try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "Tests") {
        for (number, words) in firstWords(ofCommentsIn: file.text) where questions.contains(words) {
            found.append("\(file.path):\(number)")
        }
    }
    #expect(found.isEmpty)
}

@Test func `a doc comment is all of its lines`() {
    let text = "/// The words.\n/// What they say.\n\n    /// A letter.\n// What\nlet a = \"/// Who\"\n///\n"
    #expect(firstWords(ofCommentsIn: text).map { "\($0.line) \($0.word)" } == ["1 The", "4 A", "7 "])
}

private func firstWords(ofCommentsIn text: String) -> [(line: Int, word: Substring)] {
    var words: [(line: Int, word: Substring)] = []
    var isWithin = false
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let line = line.drop { $0 == " " }
        if line.hasPrefix("///"), !isWithin {
            words.append((number + 1, line.dropFirst(3).drop { $0 == " " }.prefix { $0 != " " }))
        }
        isWithin = line.hasPrefix("///")
    }
    return words
}
