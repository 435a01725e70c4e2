import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

@Test func `a journal has all that was committed, however its entries are merged, swept and read again`() {
    forEachSeed(15) { random in
        let temporary = try TemporaryFolder()
        let length = Int.random(in: 1...40, using: &random)
        var settings = JournalSettings(shards: 3, mergeLength: length)
        settings.segment = Int.random(in: 1000...20_000, using: &random)
        settings.jobsAtOnce = Int.random(in: 1...60, using: &random)
        let suite = JournalSuite(shards: 3) { [settings] in
            try SQLiteJournal(in: DataFolder(temporary.path), settings: settings)
        }
        try suite.agreesWithTheModel(using: &random) { journal, random in
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                _ = try journal.maintain(
                    steps: .random(in: 1...20, using: &random), idle: .random(using: &random))
            }
        }
        return true
    }
}

@Test func `an edition that is wanted again in the turn in which it goes keeps what that turn says of it`() throws {
    let temporary = try TemporaryFolder()
    let (folder, settings) = (DataFolder(temporary.path), JournalSettings(shards: 2))
    let edition = try EditionID("e1")
    var record = PoolRecord()
    record.progress = [0, 1].map { ShardProgress(edition: edition, shard: Shard($0), walkedTo: MessageNumber(4)) }
    let new = ShardProgress(edition: edition, shard: Shard(0), walkedTo: MessageNumber(-1))
    do {
        var journal = try SQLiteJournal(in: folder, settings: settings)
        try journal.commit(JournalTurn(record: record))
        (record.progress, record.retired) = ([new], [edition])
        try journal.commit(JournalTurn(record: record))
        #expect(try journal.standing().progress == [new])
    }
    var again = try SQLiteJournal(in: folder, settings: settings)
    #expect(try again.standing().progress == [new])
}
