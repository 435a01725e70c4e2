import Foundation
import TestSupport
import Testing

// Mistakes that the page Mistakes lists, and that no other file of tests is about.

@Test(
    .waits,
    arguments: [
        ("{ data: 'x', workers: 2, ", "2:1: expected a key, found the end of the text"),
        ("{ workers 3 }", "1:11: expected ':', found '3'"), ("{ workers: three }", "1:12: expected a value, found 't'"),
        ("{ workers: 3 } }", "1:16: expected the end of the text, found '}'"),
        ("", "2:1: expected a value, found the end of the text"),
    ])
func `JSON5 that is none is named with line and column, and nothing is started`(text: String, told: String) throws {
    let folder = try TemporaryFolder()
    let (file, data) = (folder.file("file.json5"), folder.file("data"))
    try "\(text)\n".write(toFile: file, atomically: true, encoding: .utf8)
    for command in [["config", "check"], ["serve"]] {
        let result = try run(command + ["--config", file, "--data", data])
        #expect(result.code == 1 && result.errors == "forme: \(file):\(told)\n", "\(command): \(result)")
    }
    for option in ["--style", "--fonts"] where text.hasSuffix(" ") || text.isEmpty {
        let result = try run(["serve", "--data", data, option, file])
        #expect(result.code == 1 && result.errors.hasPrefix("forme: \(file):2:1: expected "), "\(option): \(result)")
        #expect(result.errors.count { $0 == "\n" } == 1, "\(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: data))
}

@Test(
    .waits,
    arguments: [
        (["import"], "cannot be read; check the path, its owner and its mode"),
        (["check"], "/journal.db does not exist; check the path"),
        (["upgrade"], "/manifest.json does not exist; check the path"),
        (["config", "check", "--config"], "cannot be read: No such file or directory; check the path and the disk"),
        (["serve", "--config"], "cannot be read: No such file or directory; check the path and the disk"),
        (["kinds", "--style"], "cannot be read; name a style such as config/styles/bubble.json5"),
        (["list", "--http", "http://127.0.0.1:9", "--token"], "cannot be read; check --token, and who may read it"),
    ])
func `a path that leads nowhere is named, with what to do, by every command that takes one`(
    words: [String], told: String
) throws {
    let path = "/nowhere/at/all"
    let result = try run(words + [path])
    #expect(result.code == 74 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains(path) && result.errors.hasSuffix("\(told)\n"), "\(result.errors)")
    #expect(result.errors.hasPrefix("forme: ") && result.errors.count { $0 == "\n" } == 1, "\(result.errors)")
}

@Test(.waits) func `a backup into the folder that it is made of, and a restore of a folder onto itself, are refused`()
    throws
{
    let folder = try TemporaryFolder()
    let service = try Command(["coordinator", "--data", folder.path])
    try service.waitForMessage("message=listening")
    let inside = try run(["backup", folder.path, folder.file("own.backup")])
    #expect(inside.code == 74 && inside.errors.contains("own.backup is not overwritten: it is in \(folder.path), "))
    #expect(inside.errors.hasSuffix("; name another file\n"), "\(inside.errors)")
    let onto = try run(["backup", folder.path, folder.path])
    #expect(onto.code == 2 && onto.errors.contains("is a folder; name the file, such as \(folder.path)/forme.backup"))
    let restored = try run(["restore", folder.path, folder.path])
    #expect(restored.code == 74 && restored.errors.contains("it is what is to be restored. Nothing was changed"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("own.backup")))
    #expect(service.process.isRunning)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
