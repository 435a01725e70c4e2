import Foundation
import TestSupport
import Testing

/// Runs a program of this machine, and returns its status and its words; nil where it is not installed.
private func said(by program: String, _ arguments: [String]) throws -> (code: Int32, output: String)? {
    let paths = ["/usr/bin/\(program)", "/bin/\(program)"]
    guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
}

/// The commands that help lists.
private func commands() throws -> [String] {
    let lines = try run(["--help"]).output.split(separator: "\n")
    return lines.filter { $0.hasPrefix("  ") }.map { String($0.split(separator: " ")[0]) }
}

@Test(.waits) func `every command has a man page with every option that its help has`() throws {
    let folder = try TemporaryFolder()
    let names = try commands()
    #expect(names.count > 20)
    #expect(try run(["manual", folder.path]).output == "\(names.count + 1) pages in \(folder.file("man1"))\n")
    for name in names {
        let page = try String(contentsOfFile: folder.file("man1/forme-\(name).1"), encoding: .utf8)
        for line in try run(["help", name]).output.split(separator: "\n") where line.hasPrefix("  --") {
            let option = line.split(separator: " ")[0].prefix { $0 != "," }.replacing("-", with: "\\-")
            #expect(page.contains("\\fB\(option)"), "\(name): \(line)")
        }
        if let lint = try said(by: "mandoc", ["-T", "lint", "-W", "warning", folder.file("man1/forme-\(name).1")]) {
            // A page without a date is one that is the same whenever it is made.
            let faults = lint.output.split(separator: "\n").filter { !$0.contains("missing date") }
            #expect(faults.isEmpty, "\(name)")
        }
    }
}

@Test(.waits, arguments: ["bash", "zsh", "fish"])
func `what a shell completes with is a script that it understands`(shell: String) throws {
    let folder = try TemporaryFolder()
    let script = folder.file("completions")
    try run(["completions", shell]).output.write(toFile: script, atomically: true, encoding: .utf8)
    if let checked = try said(by: shell, ["-n", script]) { #expect(checked.code == 0, "\(checked.output)") }
}

@Test(
    .waits,
    arguments: [
        ("forme sta", "status"), ("forme pool re", "resume retire"), ("forme fetch --tar", "--target"),
        ("forme pool --lane b", "backfill"), ("forme help gal", "gallery"),
    ])
func `a shell completes commands, verbs, options and values`(typed: String, offered: String) throws {
    let script = try run(["completions", "bash"]).output
    let words = typed.split(separator: " ").map(String.init)
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let asked = script + "COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _forme; echo \"${COMPREPLY[@]}\""
    let folder = try TemporaryFolder()
    let path = folder.file("asked")
    try asked.write(toFile: path, atomically: true, encoding: .utf8)
    let answer = try #require(try said(by: "bash", ["-c", "cd \(folder.path) && . ./asked"]))
    #expect(answer.output == "\(offered)\n")
}

@Test(.waits) func `a shell that is not known, and a folder that is not named, are refused in words`() throws {
    let shell = try run(["completions", "cmd"])
    #expect(shell.code == 2 && shell.errors == "forme: completions are for bash, zsh, fish; name one of them.\n")
    #expect(try run(["help", "completions"]).output == run(["--help"]).output)
    let folder = try run(["manual"])
    #expect(folder.code == 2 && folder.errors.contains("manual takes the FOLDER where man pages go"))
}

/// The lines of help in which a description, which stands behind two spaces or more, begins with a question word, and the
/// sentences that do.
private func lookedFor(inHelp text: String) -> [String] {
    let described = text.matches(of: /\S {2,}((?:[Ww]ho|[Ww]hat|[Ww]hich)(?:ever)? [^\n]*)/).map { String($0.1) }
    return described + text.components(separatedBy: "\n\n").flatMap(PlainEnglish.lookedFor)
}

@Test(.waits) func `no description or sentence of a help begins with a question word`() throws {
    let all = try commands()
    for words in [["--help"]] + all.map({ ["help", $0] }) {
        #expect(lookedFor(inHelp: try run(words).output).isEmpty, "\(words)")
    }
    #expect(lookedFor(inHelp: "  --json       what it says\n\nWhat is kept\nstays. It says what is kept.").count == 2)
}
