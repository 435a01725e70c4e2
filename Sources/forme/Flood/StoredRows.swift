import Names
import Pool
import Storage
import Wire

/// Rows of conversations as the files of the cache have them, read without any gateway.
struct StoredRows {
    private let folder: DataFolder
    private let edition: EditionID
    private let shardCount: Int

    /// The reason for which there are no files to be read, though nothing is wrong.
    struct Absence: Error {
        var reason: String
    }

    /// - Throws: `Absence` where no single edition has all rows here, as another one fills it up, or as no service has
    ///   its files here.
    init(in folder: DataFolder) throws {
        guard let manifest = try FolderManifest.read(in: folder), let served = try ServedEdition.read(in: folder) else {
            throw Absence(reason: "no service has laid out its messages in \(folder.path) of this machine")
        }
        guard served.filler == nil else {
            throw Absence(reason: "another edition fills up the one that is served, so neither has all rows")
        }
        (self.folder, edition, shardCount) = (folder, served.edition, manifest.shards)
    }

    /// The rows of a conversation in order; none where the file is absent, and nil where it is damaged.
    func rows(of conversation: ConversationID) throws -> [StoredRow]? {
        do throws(StorageError) {
            return try read(conversation)
        } catch .absent {
            return []
        } catch .corrupt {
            return nil
        }
    }

    private func read(_ conversation: ConversationID) throws(StorageError) -> [StoredRow] {
        let shard = Shard(of: conversation, among: shardCount)
        var reader = try ShardReader(shard, of: edition, in: folder)
        let places = try reader.places(of: conversation).places
        return try reader.rows(places.map(\.number)).map { row in
            (row.message.text, row.facts.order, row.facts.revision.number)
        }
    }

    typealias StoredRow = (message: String, order: Int64, revision: UInt64)
}
