import Foundation
import StandInService
import TestSupport
import Testing

/// A program that gives a command a terminal, prints what that one shows, and ends as it does.
private let terminal = [
    "/usr/bin/python3", "-c",
    "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))",
]

/// A file of history for an import.
private func history(in folder: TemporaryFolder) throws -> String {
    let file = folder.file("history.jsonl")
    let lines = (1...400).map { number in
        #"{"conversation": "c", "message": "m\#(number)", "order": \#(number), "sender": "a", "time": 0, "text": "Hi"}"#
    }
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    return file
}

@Test(.waits, arguments: [[], ["--quiet"]])
func `where there is no terminal, an import says how it ended and nothing before`(quiet: [String]) throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let end = try run(["import", "--data", folder.path, history(in: folder)] + quiet)
    #expect(end.code == 0 && end.errors.withoutWaiting.isEmpty, "\(end.errors)")
    #expect(end.output == "imported 400 events; 0 were there before\n")
}

@Test(.waits, arguments: [([], true), (["--quiet"], false)])
func `a terminal shows a bar, unless quiet is asked for`(quiet: [String], isShown: Bool) throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let words = ["import", "--data", folder.path, try history(in: folder)] + quiet
    let end = try Command(words, launcher: terminal).finish()
    #expect(end.code == 0 && end.output.contains("imported 400 events; 0 were there before"), "\(end)")
    #expect(end.output.contains(" % · ") == isShown, "\(end.output)")
    #expect(end.output.contains("\u{1B}") == isShown, "\(end.output)")
}

@Test(
    .waits,
    arguments: ["backup", "chaos", "check", "demo", "flood", "gallery", "import", "restore", "simulate"])
func `every command with long work can be quiet`(command: String) throws {
    let help = try run(["help", command]).output.split(separator: "\n")
    #expect(help.contains { $0.hasPrefix("  --quiet ") })
    let end = try run([command, "--quiet", "--probe"])
    #expect(end.code == 2 && end.errors.hasPrefix("forme: unknown option --probe"), "\(end.errors)")
}
