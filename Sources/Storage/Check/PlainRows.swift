import Foundation
package import Wire

/// The rows of an edition, read from its files by a reader that is not the gateway's: an audit that read as gateways do
/// would meet their faults on both sides, and find nothing.
///
/// It has SQLite and the connection to it in common with them, and nothing else. A conversation is looked for in all files, whatever the map says;
/// each row counts that stands in `rows`, wherever places, blocks and the log of changes say that it is; and heads are
/// decoded here, by the table of their bytes in `RowHead`. It reads all files at once, for an audit of many
/// conversations, and never while the flood goes on.
package struct PlainRows {
    package typealias Row = (message: String, order: Int64, revision: UInt64)

    private let directory: String
    private var conversations: [String: [Row]] = [:]
    /// Whether some file or row of it could not be read.
    private var isDamaged = false
    /// Conversations that were asked for since the files were read; nil before that.
    private var asked: Set<String>?

    package init(of edition: EditionID, in folder: DataFolder) { directory = folder.file("shards/\(edition)") }

    /// The rows of a conversation, in order, with their newest revisions; nil for all of them where something cannot be read. The files
    /// are read anew for a conversation that was asked for before.
    package mutating func rows(of conversation: String) throws(StorageError) -> [Row]? {
        if asked?.insert(conversation).inserted != true {
            try readAll()
            asked = [conversation]
        }
        return isDamaged ? nil : conversations[conversation] ?? []
    }

    private mutating func readAll() throws(StorageError) {
        (conversations, isDamaged) = ([:], false)
        var files: [String] = []
        // Nothing was ever laid out.
        guard FileFacts(directory) != nil else { return }
        do { files = try FileManager.default.contentsOfDirectory(atPath: directory) } catch {
            throw .notReadable(path: directory, code: EACCES)
        }
        for file in files where file.hasSuffix(".db") && file.dropLast(3).allSatisfy(\.isNumber) {
            do throws(StorageError) {
                try read(directory + "/" + file)
            } catch .absent {
                continue
            } catch .corrupt {
                isDamaged = true
            }
        }
        for conversation in conversations.keys {
            conversations[conversation]?.sort { one, other in
                one.order == other.order
                    ? one.message.utf8.lexicographicallyPrecedes(other.message.utf8) : one.order < other.order
            }
        }
    }

    private mutating func read(_ path: String) throws(StorageError) {
        let database = try Database.open(path: path, .read)
        try database.beginToRead()
        var names: [UInt64: String] = [:]
        try database.prepare("SELECT number, name FROM conversations").run { row in
            names[UInt64(bitPattern: row.integer(0))] = row.text(1)
        }
        try database.prepare("SELECT head FROM rows").run { row in
            guard let head = PlainHead(row.blob(0)), let name = names[head.conversation] else {
                isDamaged = true
                return
            }
            conversations[name, default: []].append((head.message, head.order, head.revision))
        }
        try database.commit()
    }
}

/// The beginning of a row's head, as far as an audit compares it.
private struct PlainHead {
    var conversation: UInt64
    var message: String
    var order: Int64
    var revision: UInt64

    /// Nil for bytes that are no head of a known version.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 13, bytes[0] == 2 || bytes[0] == 3 else { return nil }
        // Behind the version stand three checksums of four bytes.
        var place = 13
        func number() -> UInt64? {
            var value: UInt64 = 0
            for shift in stride(from: 0 as UInt64, to: 64, by: 7) where place < bytes.count {
                let byte = bytes[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
            }
            return nil
        }
        func block() -> ArraySlice<UInt8>? {
            guard let count = number(), count <= UInt64(bytes.count - place) else { return nil }
            defer { place += Int(count) }
            return bytes[place..<place + Int(count)]
        }
        func signed() -> Int64? { number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) } }
        guard let conversation = number(), let message = block(), let order = signed(), block() != nil, signed() != nil,
            let revision = number()
        else { return nil }
        (self.conversation, self.order, self.revision) = (conversation, order, revision)
        self.message = String(decoding: message, as: UTF8.self)
    }
}
