import Foundation
import TestSupport
import Testing

@Test(
    .waits, .enabled(if: geteuid() == 0, "run it as root"),
    arguments: [
        ["serve", "--data"], ["config", "check", "--data"], ["coordinator", "--data"], ["worker", "--data"],
        ["gateway", "--data"], ["restore", "/backup/forme.backup"], ["upgrade", "--commit"],
        ["pool", "roll", "config/styles/flat.json5", "--data"],
    ])
func `root leaves nothing in the folder of another user, and is told how to work there`(command: [String]) throws {
    let folder = try TemporaryFolder()
    let data = folder.file("data")
    try FileManager.default.createDirectory(
        atPath: data, withIntermediateDirectories: false,
        attributes: [.ownerAccountName: "nobody", .posixPermissions: 0o700])
    let result = try run(command + [data])
    #expect(result.code == 74, "\(result.errors)")
    #expect(
        result.errors
            == "forme: \(data) belongs to nobody, and what root makes there nobody cannot write; run this as that user: "
            + "sudo -u nobody forme \(command[0]) …\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data).isEmpty)
}
