import Foundation
import TestSupport
import Testing

@testable import Storage

private func folder(with names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names {
        let file = URL(filePath: folder.file(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: file)
    }
    return folder
}

@Test(arguments: [["log/syslog"], ["www/index.html", ".bash_history"], ["log/00000000000000000001", "lib/forme.txt"]])
func `a folder of others is refused, and what is in it stays as it is`(names: [String]) throws {
    let foreign = try folder(with: names)
    #expect(throws: StorageError.self) { try DataFolder(foreign.path).refuseForeign() }
    let mode = { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
    let before = try names.map { try mode(foreign.file($0)) }
    #expect(throws: StorageError.self) {
        _ = try SQLiteJournal(in: DataFolder(foreign.path), settings: JournalSettings())
    }
    for (name, before) in zip(names, before) {
        let file = foreign.file(name)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "x")
        #expect(try mode(file) == before)
    }
}

@Test(arguments: [
    [], ["lost+found/x"], [".snapshot"], ["fetch.ipc", "fonts/x"], ["forme.json5"], ["tokens/key"],
    ["journal.db", "notes.txt"],
])
func `an empty folder is taken, one that a disk or a gateway has begun, and one of ours`(names: [String]) throws {
    try DataFolder(folder(with: names).path).refuseForeign()
    try DataFolder("/tmp/forme-none/of/these").refuseForeign()
}
