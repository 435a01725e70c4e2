/// The rules of language for comments, pages and help.
package enum PlainEnglish {
    private static let questions: Set<String> = ["who", "whoever", "what", "whatever", "which", "whichever"]

    /// The sentences, and clauses behind a semicolon, that begin with a question word and do not ask. A reader looks for
    /// the subject of such a sentence.
    package static func lookedFor(in text: String) -> [String] {
        let words = text.split { $0 == " " || $0 == "\n" }
        var found: [String] = []
        var before: Character = "."
        for (index, word) in words.enumerated() {
            let bare = word.drop { marks.contains($0) }.prefix { $0.isASCII && $0.isLetter }
            let isQuestion = questions.contains(bare.lowercased())
            if isQuestion, before == ";" || ".!?:".contains(before) && bare.first!.isUppercase {
                let all = sentence(from: index, of: words)
                if all.last(where: { !marks.contains($0) }) != "?" { found.append(all) }
            }
            before = word.last { !marks.contains($0) } ?? before
        }
        return found
    }

    private static let marks = "*`(_\")"

    private static func sentence(from start: Int, of words: [Substring]) -> String {
        let end = words[start...].firstIndex { word in ".!?".contains(word.last { !marks.contains($0) } ?? " ") }
        return words[start...(end ?? words.count - 1)].joined(separator: " ")
    }

    /// The paragraphs and items of a page. Headings and cells of tables may ask; drawings and code are no sentences.
    package static func paragraphs(of page: String) -> [String] {
        var (paragraphs, lines): ([String], [Substring]) = ([], [])
        var isCode = false
        func end() {
            if !lines.isEmpty { paragraphs.append(lines.joined(separator: " ")) }
            lines = []
        }
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.drop { $0 == " " }
            let isFence = line.hasPrefix("```")
            if isFence { isCode.toggle() }
            if isCode || isFence || line.isEmpty || "#|<".contains(line.first!) {
                end()
            } else if let item = line.prefixMatch(of: /(?:[-*]|\d+\.) +/) {
                end()
                lines = [line[item.range.upperBound...]]
            } else {
                lines.append(line)
            }
        }
        end()
        return paragraphs
    }

    /// The comments of a source, each as a small page: lines one below the other that begin with one of the marks.
    package static func comments(in source: String, markedBy marks: [String]) -> [String] {
        var (comments, lines): ([String], [Substring]) = ([], [])
        let all: [Substring] = source.split(separator: "\n", omittingEmptySubsequences: false) + [""]
        for line in all {
            let line = line.drop { $0 == " " }
            if let mark = marks.first(where: { line.hasPrefix($0) }) {
                lines.append(line.dropFirst(mark.count).drop { $0 == " " })
            } else if !lines.isEmpty {
                comments.append(lines.joined(separator: "\n").replacing("*/", with: ""))
                lines = []
            }
        }
        return comments
    }
}
