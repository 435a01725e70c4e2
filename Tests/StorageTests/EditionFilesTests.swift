import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

private let edition = try! EditionID("e1")

@Test func `how many files an edition has is decided once`() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let editions = EditionFolder(DataFolder(folder))
    #expect(try editions.files(of: edition) == nil)
    #expect(try editions.decideFiles(of: edition, shards: 16, atMost: 4) == FileMap(shards: 16, atMost: 4))
    #expect(try editions.decideFiles(of: edition, shards: 16, atMost: 2).files == 4)
    #expect(try editions.files(of: edition)?.files == 4)
    // The number is decided again when the edition has gone and comes back.
    try editions.remove(edition)
    #expect(try editions.decideFiles(of: edition, shards: 16, atMost: 2).files == 2)
}

@Test func `an edition in which something was laid out before keeps a file for each shard`() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path
    let folder = DataFolder(path)
    var shard = try SQLiteShard(Shard(11), of: edition, in: folder)
    try shard.close()
    #expect(try EditionFolder(folder).decideFiles(of: edition, shards: 16, atMost: 4).files == 16)
    #expect(try EditionFolder(folder).files(of: edition) == nil)
    #expect(try ShardPlace(with: Shard(11), of: edition, in: folder).shard == Shard(11))
}

@Test func `a reader of a shard reads the file that has it`() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path
    let folder = DataFolder(path)
    _ = try EditionFolder(folder).decideFiles(of: edition, shards: 16, atMost: 4)
    var file = try SQLiteShard(Shard(2), of: edition, in: folder)
    try file.close()
    #expect(try ShardReader(Shard(11), of: edition, in: folder).place.shard == Shard(2))
    #expect(throws: StorageError.self) { _ = try ShardReader(Shard(7), of: edition, in: folder) }
}

@Test func `what was decided is written again as the journal's progress tells it`() throws {
    let progress = (0..<16).map {
        ShardProgress(edition: edition, shard: Shard(UInt16($0)), origin: $0 < 8 ? nil : ShardOrigin(UInt64($0 / 4)))
    }
    let temporary = try TemporaryFolder()
    let path = temporary.path
    let editions = EditionFolder(DataFolder(path))
    #expect(try editions.files(of: edition, shards: 16, as: progress).files == 4)
    #expect(try editions.files(of: edition)?.files == 4)
    let other = try EditionID("e2")
    #expect(try editions.files(of: other, shards: 16, as: progress).files == 16)
    #expect(try editions.files(of: other) == nil)
}

@Test(arguments: [
    #"{"shards": 16, "files": 5}"#, #"{"shards": 16, "files": 0}"#, #"{"shards": 4, "files": 8}"#, "{", "",
])
func `what nobody can have decided is not taken`(text: String) throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path
    let editions = EditionFolder(DataFolder(path))
    _ = try editions.decideFiles(of: edition, shards: 16, atMost: 4)
    try FileFacts.replace("\(path)/editions/e1/files.json", with: Array(text.utf8))
    #expect(throws: StorageError.self) { _ = try editions.files(of: edition) }
}
