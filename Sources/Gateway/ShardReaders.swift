import Pool
import Storage
import Wire

/// The shards of the edition that is served, opened when they are first asked for.
struct ShardReaders: ~Copyable {
    private let folder: DataFolder
    private var editions: EditionWatch
    private var readers: [Shard: Reader] = [:]

    /// A file, to be found under its shard.
    private final class Reader {
        var shard: ShardReader
        init(_ shard: consuming ShardReader) { self.shard = shard }
    }

    init(_ folder: DataFolder) {
        self.folder = folder
        editions = EditionWatch(folder)
    }

    /// What the query asks for; nil where a row of it is not laid out for the target and variant. Nothing while nothing was
    /// ever laid out.
    mutating func page(_ query: Query) throws(StorageError) -> Page? {
        if try editions.lookAround() { readers = [:] }
        let empty = Page(rows: [], next: nil)
        guard let edition = editions.served else { return empty }
        let shard = Shard(of: query.conversation, among: editions.shardCount)
        let reader: Reader
        do throws(StorageError) {
            reader = try open(shard, of: edition)
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
}
