import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

/// A folder with a journal, and the means to write to it and to read it back.
final class Diary {
    let temporary: TemporaryFolder
    var settings = JournalSettings(durability: .full, shards: 2, mergeLength: 30, checkpoint: 60_000)

    init() throws { temporary = try TemporaryFolder() }

    var folder: DataFolder { DataFolder(temporary.path) }
    var journal: String { temporary.file("journal.db") }
    var log: String { journal + "-wal" }
    var era: UInt64 { get throws { try #require(try FolderManifest.read(in: folder)).era } }

    func open(boot: String? = nil) throws -> SQLiteJournal {
        var settings = settings
        settings.boot = boot
        return try SQLiteJournal(in: folder, settings: settings)
    }

    /// Posts some messages, in one turn.
    static func post(_ count: Int, to journal: inout SQLiteJournal, _ word: String = "entry") throws {
        var keeper = Bookkeeper(shards: journal.shardCount)
        let first = journal.nextPosition.number
        let events = try (0..<Int64(count)).map { place in
            MessageEvent(
                conversation: try ConversationID("c\((first + place) % 3)"),
                message: try MessageID("m\(first + place)"),
                body: MessageBody(
                    sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                    content: MessageEvent.plainText(
                        "\(word) \(first + place) \(String(repeating: "x", count: 300))")),
                order: first + place)
        }
        keeper.open(room: IngestRoom(live: 10_000, backfill: 100, retryAfter: 1))
        _ = try keeper.take(
            IngestRequest(events: events.map { .success($0) }), from: Peer(route: [1]), in: &journal)
        try journal.commit(keeper.close())
    }

    /// Deletes a message, in a turn of its own.
    static func delete(_ number: Int, in journal: inout SQLiteJournal) throws {
        var keeper = Bookkeeper(shards: journal.shardCount)
        keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1))
        let event = MessageEvent(
            conversation: try ConversationID("c\(number % 3)"), message: try MessageID("m\(number)"),
            revision: Revision(2), isDeleted: true)
        _ = try keeper.take(IngestRequest(events: [.success(event)]), from: Peer(route: [1]), in: &journal)
        try journal.commit(keeper.close())
    }

    /// The texts of all entries, in order.
    static func texts(_ journal: inout SQLiteJournal) throws -> [String] {
        var texts: [String] = []
        for number in 0..<journal.nextPosition.number {
            let key = MessageKey(try ConversationID("c\(number % 3)"), try MessageID("m\(number)"))
            guard case .message(let card)? = try journal.card(key), let place = card.body?.value.at,
                let body = try journal.body(at: place)
            else {
                texts.append("(nothing)")
                continue
            }
            texts.append(String(decoding: body.content, as: UTF8.self))
        }
        return texts
    }

    func texts(boot: String? = nil) throws -> [String] {
        var journal = try open(boot: boot)
        return try Self.texts(&journal)
    }

    /// Every file, byte for byte, but locks.
    static func files(in folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where !name.hasSuffix(".lock") {
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            files[name] = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
        }
        return files
    }

    static func put(_ files: [String: Data], into folder: String) throws {
        for (name, bytes) in files {
            let path = URL(filePath: folder + "/" + name).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try bytes.write(to: URL(filePath: folder + "/" + name))
        }
    }
}
