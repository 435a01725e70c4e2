import Foundation
import TestSupport
import Testing

/// The environment of a later release, which knows one more version of the heads of segments.
private let later = ["FORME_TEST_FORMAT": "segments"]

private func contents(of folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where !["-shm", ".lock"].contains(where: name.hasSuffix) {
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder),
            !isFolder.boolValue
        {
            files[name] = FileManager.default.contents(atPath: folder + "/" + name)
        }
    }
    return files
}

@Test(.waits) func `the release before has its folder back until it is committed, and then refuses and leaves it`()
    throws
{
    let folder = try TemporaryFolder()
    func post(_ message: String, _ order: Int) throws {
        let line =
            #"{"conversation": "c", "message": "\#(message)", "order": \#(order), "sender": "ada", "time": 0, "text": "Hello"}"#
        try waitUntil { try run(["post", "--data", folder.path], input: line + "\n").code == 0 }
    }
    func shows(_ messages: [String]) throws -> Bool {
        let shown = try run(["fetch", "c", "--data", folder.path, "--target", "375@3"]).output
        return messages.allSatisfy { shown.contains("\($0) ") }
    }
    func serve(_ environment: [String: String] = [:]) throws -> Command {
        try Command(["serve", "--data", folder.path, "--workers", "1"], environment: environment)
    }
    func end(_ service: Command) throws {
        service.process.terminate()
        #expect(try service.finish().code == 0)
    }
    func upgrade(_ words: String..., environment: [String: String] = later) throws -> (
        code: Int32, output: String, errors: String
    ) {
        try Command(["upgrade", folder.path] + words, environment: environment).finish()
    }

    var service = try serve()
    try post("first", 1)
    try end(service)
    #expect(try upgrade("--commit", environment: [:]).output.contains("Committed: the newest of all is written."))

    service = try serve(later)
    try post("second", 2)
    try waitUntil { try shows(["first", "second"]) }
    try end(service)
    let said = try upgrade()
    #expect(
        said.code == 0 && said.output.contains("Not committed")
            && said.output.contains("segments  1 to 2        1       2"))

    service = try serve()
    try post("third", 3)
    try waitUntil { try shows(["first", "second", "third"]) }
    try end(service)

    #expect(try upgrade("--commit").output.contains("Committed"))
    let before = try contents(of: folder.path)
    for words in [["serve"], ["coordinator"], ["worker"], ["gateway"]] {
        let refused = try run(words + ["--data", folder.path])
        #expect(refused.code == 74 && refused.errors.contains("a newer release has this folder: segments of version 2"))
        #expect(try contents(of: folder.path) == before)
    }
    service = try serve(later)
    try post("fourth", 4)
    try waitUntil { try shows(["first", "second", "third", "fourth"]) }
    try end(service)
    let check = try Command(["check", folder.path], environment: later).finish()
    #expect(check.code == 0, "\(check.output) \(check.errors)")
}

@Test func `what was not served by this release yet is not committed`() throws {
    let folder = try #require(GoldenFolder.all.first).unpack()
    let said = try run(["upgrade", folder.path, "--commit"])
    #expect(said.code == 1 && said.errors.contains("start forme serve with it, and commit when it has run well"))
    let absent = try run(["upgrade", folder.path + "/nothing"])
    #expect(absent.code == 74 && absent.errors.contains("does not exist"))
}

@Test func `one release is named as the one before, and by its whole commit`() throws {
    let lines = try String(contentsOf: Project.file("deploy/previous"), encoding: .utf8).split(separator: "\n")
    let commits = lines.filter { !$0.hasPrefix("#") }
    #expect(commits.count == 1 && commits.allSatisfy { $0.count == 40 && $0.allSatisfy(\.isHexDigit) })
}
