import Foundation
import Storage
import TestSupport
import Testing

@Test func `a folder of a journal, and one that is not yet made, are looked at in silence, and left as they are`()
    throws
{
    let diary = try Diary()
    do { _ = try diary.open() }
    let before = try Diary.files(in: diary.temporary.path)
    #expect(throws: Never.self) { try diary.folder.refuseUnusable() }
    #expect(try Diary.files(in: diary.temporary.path) == before)
    let new = DataFolder(diary.temporary.file("new"))
    #expect(throws: Never.self) { try new.refuseUnusable() }
    #expect(!FileManager.default.fileExists(atPath: new.path))
}

@Test func `a folder in which no coordinator could begin is refused before one is started`() throws {
    let deep = DataFolder("/nowhere/deep/er")
    #expect(throws: StorageError.notAccessible(path: deep.path, code: ENOENT)) { try deep.refuseUnusable() }
    let diary = try Diary()
    do { _ = try diary.open() }
    let manifest = diary.temporary.file(FolderManifest.name)
    let written = try Data(contentsOf: URL(filePath: manifest))
    try Data("{\"format\": 99}".utf8).write(to: URL(filePath: manifest))
    #expect(throws: StorageError.foreignFormat(path: manifest, found: 99, expected: 2)) {
        try diary.folder.refuseUnusable()
    }
    try written.write(to: URL(filePath: manifest))
    try Data("no database at all".utf8).write(to: URL(filePath: diary.journal))
    #expect(throws: StorageError.corrupt(path: diary.journal, "it does not begin as a database does")) {
        try diary.folder.refuseUnusable()
    }
    for lose in [
        { try Data().write(to: URL(filePath: diary.journal)) },
        { try FileManager.default.removeItem(atPath: diary.journal) },
    ] {
        try lose()
        #expect(throws: StorageError.missingJournal(path: diary.journal)) { try diary.folder.refuseUnusable() }
    }
}
