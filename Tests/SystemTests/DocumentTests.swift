import Foundation
import TestSupport
import Testing

/// The README and all pages, by their paths.
private func documents() throws -> [(path: String, text: String)] {
    let pages = try FileManager.default.subpathsOfDirectory(atPath: Project.file("Sources").path)
        .filter { $0.hasSuffix(".md") }.sorted()
    return try (["README.md"] + pages.map { "Sources/\($0)" }).map {
        ($0, try String(contentsOf: Project.file($0), encoding: .utf8))
    }
}

/// The lines of a page's shell code.
private func commands(in text: String) -> [String] {
    text.matches(of: /```sh\n([\s\S]*?)```/).flatMap { $0.1.split(separator: "\n").map(String.init) }
}

@Test func `links lead to what is there`() throws {
    for (path, text) in try documents() {
        let folder = Project.file(path).deletingLastPathComponent()
        for link in text.matches(of: /\]\(([^)\s]+)\)/).map({ String($0.1) }) where !link.contains("://") {
            let target = folder.appending(path: String(link.prefix { $0 != "#" })).path
            // A picture of a catalogue is named without its folder and its ending.
            let pictures = ["jpg", "png", "svg"].map { folder.appending(path: "Resources/\(link).\($0)").path }
            #expect(([target] + pictures).contains { FileManager.default.fileExists(atPath: $0) }, "\(path): \(link)")
        }
        for page in text.matches(of: /<doc:(\w+)>/).map({ String($0.1) }) {
            let all = try documents().map { URL(filePath: $0.path).deletingPathExtension().lastPathComponent }
            #expect(all.contains(page), "\(path): \(page)")
        }
    }
}

@Test func `files of the project that are named are there`() throws {
    for (path, text) in try documents() {
        let named = text.matches(of: /`((?:Sources|Tests|deploy|config|\.ci)\/[\w.\/+-]+)`/).map { String($0.1) }
        for file in named where !file.hasSuffix("payment.json5") {
            #expect(FileManager.default.fileExists(atPath: Project.file(file).path), "\(path): \(file)")
        }
    }
}

@Test func `tests that pages name are there`() throws {
    var count = 0
    for (path, text) in try documents() {
        for test in text.matches(of: /`(Tests\/[^`]+\.swift)`:\s+`([^`]+)`/) {
            count += 1
            let source = try String(contentsOf: Project.file(String(test.1)), encoding: .utf8)
            #expect(source.contains("func `\(test.2)`("), "\(path): \(test.2) is not in \(test.1)")
        }
    }
    #expect(count > 100)
}

@Test func `each module has a page of its name, which the page House links`() throws {
    let house = try String(contentsOf: Project.file("Sources/forme/forme.docc/House.md"), encoding: .utf8)
    let pages = try documents().map { $0.path }
    // Libraries of C, pages for browsers, and the laboratory.
    let others: Set = ["C", "Web", "forme-bench"]
    let folders = try FileManager.default.contentsOfDirectory(atPath: Project.file("Sources").path)
    for module in folders where !others.contains(module) && !module.hasPrefix(".") {
        #expect(pages.contains("Sources/\(module)/\(module).docc/\(module).md"), "\(module)")
        #expect(house.contains("<doc:\(module)>"), "\(module)")
    }
}

@Test func `each decision has a status, a reason, and tests that exist or the word that there is none`() throws {
    let index = try String(contentsOf: Project.file("Sources/forme/forme.docc/Decisions.md"), encoding: .utf8)
    let pages = try documents().filter { $0.path.contains("/Decisions/") }
    #expect(pages.count > 50)
    for (path, text) in pages {
        let page = URL(filePath: path).deletingPathExtension().lastPathComponent
        #expect(index.contains("<doc:\(page)>"), "\(path) is not in the index")
        let parts = text.components(separatedBy: "\n## ").dropFirst()
        #expect(parts.map { String($0.prefix { $0 != "\n" }) } == ["Status", "Reason", "Test"], "\(path)")
        let (status, test) = (parts.first ?? "", parts.last ?? "")
        let standing = ["Stands", "Replaced by", "Of an older version"].filter { status.hasPrefix("Status\n\n\($0)") }
        #expect(!standing.isEmpty, "\(path): \(status)")
        let named = namedTests(in: test)
        #expect(!named.isEmpty || test.contains("No test holds"), "\(path)")
        for one in named { #expect(try one.isThere, "\(path): \(one.name) is not in \(one.file)") }
    }
}

@Test func `each mistake is listed with what is said, what to do, and tests that exist`() throws {
    let page = try String(contentsOf: Project.file("Sources/forme/forme.docc/Mistakes.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count >= 20)
    for row in rows {
        let cells = row.dropFirst(2).dropLast(2).split(separator: " | ")
        #expect(cells.count == 4 && cells.allSatisfy { !$0.isEmpty }, "\(row)")
        let named = namedTests(in: String(cells.last ?? ""))
        #expect(!named.isEmpty, "\(row)")
        for one in named { #expect(try one.isThere, "\(one.name) is not in \(one.file)") }
    }
}

/// A test that a page names, as `Tests/…/FILE.swift`: `NAME`.
private struct NamedTest {
    var file: String
    var name: String

    var isThere: Bool {
        get throws {
            try String(contentsOf: Project.file(file), encoding: .utf8).contains("func `\(name)`(")
        }
    }
}

private func namedTests(in text: String) -> [NamedTest] {
    text.matches(of: /`(Tests\/[^`]+\.swift)`: `([^`]+)`/).map {
        NamedTest(file: String($0.1), name: String($0.2))
    }
}

/// The simple commands of a line, as a shell would start them: the words of each, without redirections and comments.
/// Each command of a pipe is one.
private func calls(in line: String) -> [[String]] {
    var (calls, word, quote): ([[String]], String?, Character?) = ([[]], nil, nil)
    var isRedirected = false
    func end() {
        if let done = word, !isRedirected { calls[calls.count - 1].append(done) }
        if word != nil { isRedirected = false }
        word = nil
    }
    for character in line {
        switch (character, quote) {
        case (let mark, let open?) where mark == open: quote = nil
        case (_, _?): word = (word ?? "") + String(character)
        case ("'", nil), ("\"", nil): (word, quote) = (word ?? "", character)
        case ("#", nil) where word == nil: return calls.filter { !$0.isEmpty }
        case ("|", nil), ("&", nil), (";", nil):
            end()
            calls.append([])
        case ("<", nil), (">", nil):
            end()
            isRedirected = true
        case (_, nil) where character.isWhitespace: end()
        default: word = (word ?? "") + String(character)
        }
    }
    end()
    return calls.filter { !$0.isEmpty }
}

@Test(arguments: [
    (
        #"echo '{"a": "b | c"}' | .build/release/forme layout --svg -  # a # b"#,
        [["echo", #"{"a": "b | c"}"#], [".build/release/forme", "layout", "--svg", "-"]]
    ),
    ("forme post --data d < events.jsonl", [["forme", "post", "--data", "d"]]),
    ("forme serve --keys keys &", [["forme", "serve", "--keys", "keys"]]),
])
private func `a line is divided into commands and their words as by a shell`(line: String, expected: [[String]]) {
    #expect(calls(in: line) == expected)
}

/// A program of ours as README or a page names it, with its words.
private struct NamedCall {
    var program: String
    var words: [String]
    var isOfDeploy: Bool
    /// The page and the line.
    var place: String
}

/// The commands that README and pages tell people to type, or name within a sentence, once each.
private func namedCalls() throws -> [NamedCall] {
    var known: Set<[String]> = []
    var named: [NamedCall] = []
    for (path, text) in try documents() {
        let prose = text.replacing(/```[\s\S]*?```/, with: "")
        let spans = prose.matches(of: /`([^`]+)`/).map { String($0.1).replacing(/\s+/, with: " ") }
        for line in commands(in: text) + spans {
            for call in calls(in: line) where call.count > 1 && known.insert(call).inserted {
                let program = call[0].split(separator: "/").last.map(String.init) ?? ""
                let isOfDeploy = call[0].hasPrefix("deploy/")
                guard isOfDeploy || program == "forme" || program == "forme-bench" else { continue }
                named.append(
                    NamedCall(
                        program: program, words: Array(call.dropFirst()), isOfDeploy: isOfDeploy,
                        place: "\(path): \(line)"))
            }
        }
    }
    return named
}

/// Two options that no command has are added to the words of a line. Where all words before are understood, the first
/// is refused, and nothing is done. An option that lacks its value would take the first, and the second would be
/// refused.
@Test(.waits) func `commands in README and pages are understood, to the last of their words`() throws {
    var count = 0
    for call in try namedCalls() where !call.isOfDeploy {
        guard !["help", "completions", "manual", "--help", "--version"].contains(call.words[0]) else { continue }
        count += 1
        // Some commands need more words than their name.
        if call.words.count == 1 {
            #expect(try run(["help", call.words[0]], of: call.program).code == 0, "\(call.place)")
            continue
        }
        let end = try run(call.words + ["--probe-one", "--probe-two"], of: call.program)
        #expect(end.code == 2 && end.errors.contains("unknown option --probe-one."), "\(call.place): \(end.errors)")
    }
    #expect(count > 80)
}

@Test(
    .waits,
    arguments: [
        (["statsu"], "no command is called 'statsu'"), (["post", "--dta", "d"], "unknown option --dta"),
        (["post", "--data"], "unknown option --probe-two"), (["status", "now"], "'now' is not expected here"),
    ])
private func `a command that is none, an option that is none, a value that lacks and a stray word are found so`(
    words: [String], sentence: String
) throws {
    let end = try run(words + ["--probe-one", "--probe-two"])
    #expect(end.code == 2 && end.errors.contains(sentence), "\(end.errors)")
}

@Test(.waits) func `programs of deploy in README and pages are there, with every option that they are given`() throws {
    var count = 0
    for call in try namedCalls() where call.isOfDeploy {
        let file = Project.file("deploy/\(call.program)")
        #expect(FileManager.default.isExecutableFile(atPath: file.path), "\(call.place)")
        var text = try String(contentsOf: file, encoding: .utf8)
        // Some pass options on, to a program beside the tests or to a command.
        for other in Set(text.matches(of: /Tests\/[\w\/]+\.(?:py|mjs)/).map { String($0.0) }) {
            text += try String(contentsOf: Project.file(other), encoding: .utf8)
        }
        for command in Set(text.matches(of: /"\$forme" ([a-z]+) [^\n]*"\$@"/).map({ String($0.1) })) {
            text += try run(["help", command]).output
        }
        for option in call.words where option.hasPrefix("--") {
            count += 1
            #expect(text.contains(option), "\(call.place): \(option)")
        }
    }
    #expect(count > 10)
}

@Test func `the README is short`() throws {
    let lines = try String(contentsOf: Project.file("README.md"), encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 151)
}
