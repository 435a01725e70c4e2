import Foundation
import TestSupport
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

/// Comments are read by their marks: `///` in Swift, where `//` is for those who change the code; all of them in files for
/// browsers and in C, where one mark serves both; and in scripts.
@Test func `no sentence of a comment or a page begins with a question word, unless it asks`() throws {
    var files = 0
    let kinds: [(folder: String, endings: [String], marks: [String])] = [
        ("Sources", ["swift"], ["///"]), ("Tests", ["swift"], ["///"]),
        ("Sources/C", ["h", "c", "cpp"], ["///", "//"]),
        ("Sources/Web", ["js", "mjs", "d.ts"], ["/**", "//", "*/", "* "]),
    ]
    for (folder, endings, marks) in kinds {
        for file in try Repository.files(in: folder, withEndings: endings) {
            files += 1
            let comments = PlainEnglish.comments(in: file.text, markedBy: marks)
            expectPlain(comments.flatMap(PlainEnglish.paragraphs), file.path)
        }
    }
    for file in try Repository.files(in: "deploy", withEndings: [""]) where file.text.hasPrefix("#!") {
        files += 1
        let comments = PlainEnglish.comments(in: String(file.text.dropFirst(2)), markedBy: ["#"])
        expectPlain(comments.flatMap(PlainEnglish.paragraphs), file.path)
    }
    let readme = Repository.File(
        path: "README.md",
        text: try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8))
    for file in try Repository.files(in: "Sources", withEndings: ["md"]) + [readme] {
        files += 1
        expectPlain(PlainEnglish.paragraphs(of: file.text), file.path)
    }
    #expect(files > 1500)
}

private func expectPlain(_ paragraphs: [String], _ path: String) {
    let found = paragraphs.flatMap(PlainEnglish.lookedFor)
    #expect(found.isEmpty, "\(path)")
}

@Test(arguments: [
    ("It waits. What is kept is counted.", ["What is kept is counted."]),
    ("**Who asks.** Work is charged.", ["**Who asks.**"]),
    ("It ends; what is left\nstays. A row.", ["what is left stays."]),
    ("What is kept? The rows are. It says what is kept.", []),
    ("The rows, which\nWhatever names.", []),
])
func `a sentence whose subject is a question word is found`(text: String, found: [String]) {
    #expect(PlainEnglish.lookedFor(in: text) == found)
}

@Test func `a page is its paragraphs and items, without headings, tables and code`() {
    let code = "```sh\nWhat\n```\n"
    let page = "# What it is\n\nA row\nis cut.\n\n\(code)- One.\n- Two\n  lines.\n| What | Who |\n1. Three.\n"
    #expect(PlainEnglish.paragraphs(of: page) == ["A row is cut.", "One.", "Two lines.", "Three."])
    let source = "/** A row.\n * Of what. */\nlet a\n// A line.\n"
    #expect(PlainEnglish.comments(in: source, markedBy: ["/**", "//", "* "]) == ["A row.\nOf what. ", "A line."])
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
