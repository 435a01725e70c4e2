import Foundation
import TestSupport
import Testing

@Test(
    .waits, .enabled(if: canBecomeNobody, "run it as root, in a folder that others may enter"),
    arguments: [
        ["status", "--data"], ["top", "--data"], ["fetch", "c", "--data"], ["tail", "c", "--data"],
        ["post", "--data"], ["shelf", "list", "--data"], ["pool", "drain", "--data"], ["check"], ["upgrade"],
        ["coordinator", "--data"], ["worker", "--data"], ["gateway", "--data"],
    ])
func `a folder of another user is told with its owner, and how to become that one`(words: [String]) throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let data = folder.file("data")
    try files.createDirectory(
        atPath: data, withIntermediateDirectories: false,
        attributes: [.ownerAccountName: "daemon", .posixPermissions: 0o700])
    let end = try Command(words + [data], launcher: nobody).finish()
    #expect(end.code == 74 && end.output.isEmpty, "\(end)")
    #expect(end.errors.contains("forme: ") && end.errors.contains("\(data)"), "\(end.errors)")
    #expect(
        end.errors.contains("may not be opened by this user: ")
            && end.errors.contains("belongs to daemon; run this as that user (sudo -u daemon forme …), or "),
        "\(end.errors)")
    #expect(!end.errors.contains("is forme serve running"))
}

@Test(.waits, .enabled(if: canBecomeNobody, "run it as root, in a folder that others may enter"))
func `a service of another user is not called missing, and a file of it is named with its owner`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let data = folder.file("data")
    let service = try Command(["coordinator", "--data", data])
    try service.waitForMessage("message=listening")
    for words in [["status"], ["fetch", "c"], ["post"]] {
        let end = try Command(words + ["--data", data], launcher: nobody).finish()
        #expect(end.code == 74 && end.errors.contains(": \(data) belongs to root; "), "\(words): \(end.errors)")
    }
    // One that may be entered has files that may not be read.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data)
    let checked = try Command(["check", data], launcher: nobody).finish()
    #expect(checked.code == 74 && checked.errors.contains(" may not be opened by this user: it belongs to root; "))
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
