import Foundation
import Names
import Pool
import Storage
import TestSupport
import Wire

// A process for tests to stop and kill. It writes until then, and prints what is done and may be relied on:
//
//   storage-probe shard FOLDER EPOCH       "stamp N" after each commit, "synced N" after a sync, "fenced" at its end
//   storage-probe journal FOLDER           "position N" after each commit
//   storage-probe restore FOLDER FILE FILE "restored" after each, in turns
//   storage-probe limited-restore FOLDER FILE BYTES   "full" where no file may be longer
//   storage-probe limited-backup FOLDER FILE BYTES    the same
//   storage-probe limited-edition FOLDER ID BYTES     the same

let words = CommandLine.arguments
let folder = DataFolder(words[2])
switch words[1] {
case "shard": try writeShard(in: folder, under: LeaseEpoch(UInt64(words[3])!))
case "restore": try restore(into: folder, from: [words[3], words[4]])
case "limited-restore":
    try limited { () throws(StorageError) in _ = try StorageRestore.restore(words[3], to: folder) }
case "limited-backup":
    try limited { () throws(StorageError) in _ = try StorageBackup.make(of: folder, into: words[3]) }
case "limited-edition":
    let edition = try EditionID(words[3])
    try limited { () throws(StorageError) in
        try EditionFolder(folder).keep([UInt8](repeating: 0x20, count: 100_000), of: edition)
    }
default: try writeJournal(in: folder)
}

func restore(into folder: DataFolder, from files: [String]) throws {
    for turn in 0... {
        _ = try StorageRestore.restore(files[turn % 2], to: folder)
        say("restored")
    }
}

/// Runs `body` with a limit on the length of files: the last word.
func limited(_ body: () throws(StorageError) -> Void) throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(words[4])!, rlim_max: rlim_t(words[4])!)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
        return say("no limit")
    }
    do throws(StorageError) {
        try body()
        say("done")
    } catch {
        guard case .full = error else { throw error }
        say("full")
    }
}

func writeShard(in folder: DataFolder, under epoch: LeaseEpoch) throws {
    var shard = try SQLiteShard(Shard(3), of: EditionID("e1"), in: folder)
    guard try shard.adopt(epoch) != nil else { return say("fenced") }
    for round in 0... {
        let changes = try (0..<100).map { place in
            let number = Int64(round * 100 + place + 1)
            return try ShardSample.laidOut(number, job: UInt64(number), conversation: "c\(place % 9)")
        }
        guard let stamp = try shard.commit(changes, under: epoch) else { return say("fenced") }
        say("stamp \(stamp.number)")
        if round % 8 == 7 { say("synced \(try shard.sync().stamp.number)") }
    }
}

func writeJournal(in folder: DataFolder) throws {
    var journal = try SQLiteJournal(in: folder, settings: JournalSettings(shards: 4, mergeLength: 200))
    var keeper = Bookkeeper(shards: 4)
    var number = Int(journal.nextPosition.number)
    while true {
        let events = try (0..<20).map { place in
            number += 1
            return MessageEvent(
                conversation: try ConversationID("c\(place)"), message: try MessageID("m\(number)"),
                body: MessageBody(
                    sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                    content: MessageEvent.plainText("text \(number)")), order: Int64(number))
        }
        keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1))
        _ = try keeper.take(IngestRequest(events: events.map { .success($0) }), from: Peer(route: [1]), in: &journal)
        try journal.commit(keeper.close())
        say("position \(journal.nextPosition.number)")
        _ = try journal.maintain(steps: 50)
    }
}

/// Writes a line at once, so that tests may rely on it.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
