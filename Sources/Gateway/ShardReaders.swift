import Pool
import Storage
import Wire

/// The shards of the edition that is served, opened when they are first asked for.
struct ShardReaders: ~Copyable {
    private let folder: DataFolder
    private var served: ServedEdition?
    private var shardCount = 0
    private var lookedAt: ContinuousClock.Instant?
    private var readers: [Shard: Reader] = [:]

    /// A file, to be found under its shard.
    private final class Reader {
        var shard: ShardReader
        init(_ shard: consuming ShardReader) { self.shard = shard }
    }

    /// How soon another edition is noticed.
    private static let pause: Duration = .milliseconds(250)

    init(_ folder: DataFolder) { self.folder = folder }

    /// What the query asks for; nil where a row of it is not laid out for the target and variant. Nothing while nothing was
    /// ever laid out.
    mutating func page(_ query: Query) throws(StorageError) -> Page? {
        try lookAround()
        let empty = Page(rows: [], next: nil)
        guard let served else { return empty }
        let shard = Shard(of: query.conversation, among: shardCount)
        let reader: Reader
        do throws(StorageError) {
            reader = try open(shard, of: served.edition)
        } catch .absent {
            return empty
        }
        do throws(StorageError) {
            guard let page = try reader.shard.page(query) else { return nil }
            let rows = page.rows.map {
                StoredRow(position: $0.position, revision: $0.facts.revision, bytes: $0.layout)
            }
            return Page(rows: rows, next: page.next)
        } catch {
            readers[shard] = nil
            throw error
        }
    }

    private mutating func open(_ shard: Shard, of edition: EditionID) throws(StorageError) -> Reader {
        if let reader = readers[shard] { return reader }
        let reader = Reader(try ShardReader(shard, of: edition, in: folder))
        readers[shard] = reader
        return reader
    }

    private mutating func lookAround() throws(StorageError) {
        let now = ContinuousClock.now
        if let lookedAt, served != nil, now < lookedAt + Self.pause { return }
        lookedAt = now
        let found = try ServedEdition.read(in: folder)
        guard found != served else { return }
        shardCount = try FolderManifest.read(in: folder)?.shards ?? 0
        readers = [:]
        served = found
    }
}
