import Names
import Pool
import Storage
import Wire

/// The shards of the edition that is served, and of the one that fills it, opened when they are first asked for.
struct ShardReaders: ~Copyable {
    private let folder: DataFolder
    private var editions: EditionWatch
    private var readers: [Place: Reader] = [:]
    private var cards: CardReader?

    private struct Place: Hashable {
        var edition: EditionID
        var shard: Shard
    }

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
        guard let edition = editions.served else { return Page(rows: [], next: nil) }
        guard var page = try page(query, of: edition, isServed: true) else { return nil }
        if let filler = editions.filler, filler != edition,
            let other = try self.page(query, of: filler, isServed: false)
        {
            page.fill(from: other, limit: Int(query.limit))
        }
        let rows = page.rows.map { StoredRow(position: $0.position, revision: $0.facts.revision, bytes: $0.layout) }
        return Page(rows: rows, next: page.next)
    }

    /// - Parameter isServed: the one that readers expect to have everything.
    private mutating func page(
        _ query: Query, of edition: EditionID, isServed: Bool
    ) throws(StorageError) -> Part? {
        let place = Place(edition: edition, shard: Shard(of: query.conversation, among: editions.shardCount))
        let reader: Reader
        do throws(StorageError) {
            reader = try open(place)
        } catch .absent {
            return Part()
        }
        do throws(StorageError) {
            guard let page = try reader.shard.page(query) else { return nil }
            // Nothing at all, where there may have been something.
            if isServed, page.rows.isEmpty, query.after == nil, try isLaidOutAgain(place, reader) {
                throw .blocked(path: reader.shard.place.path, by: nil)
            }
            return Part(rows: page.rows, missing: page.missing.map(\.number), next: page.next)
        } catch {
            readers[place] = nil
            throw error
        }
    }

    /// Whether rows of the shard may be missing that were there. Away from the coordinator nobody knows.
    private mutating func isLaidOutAgain(_ place: Place, _ reader: Reader) throws(StorageError) -> Bool {
        do throws(StorageError) {
            if cards == nil { cards = try CardReader(in: folder) }
            return try cards!.isLaidOutAgain(place.shard, of: place.edition, in: reader.shard.origin())
        } catch .absent {
            return false
        }
    }

    private mutating func open(_ place: Place) throws(StorageError) -> Reader {
        if let reader = readers[place] { return reader }
        let reader = Reader(try ShardReader(place.shard, of: place.edition, in: folder))
        readers[place] = reader
        return reader
    }
}

/// A page of one edition.
private struct Part {
    var rows: [ReadRow] = []
    /// Rows that belong between these, and cannot be read.
    var missing: [MessageNumber] = []
    var next: Position?

    /// Takes in rows of another edition that this page lacks, up to where both pages have all.
    mutating func fill(from other: Part, limit: Int) {
        let known = Set(rows.map(\.number) + missing)
        let end = [next, other.next].compactMap(\.self).min()
        let all = (rows + other.rows.filter { !known.contains($0.number) })
            .filter { row in end.map { !($0 < row.position) } ?? true }
            .sorted { $0.position < $1.position }
        var size = 0
        rows = Array(
            all.prefix(limit).prefix { row in
                defer { size += row.layout.count }
                return size == 0 || size + row.layout.count <= Limits.frame / 2
            })
        next = rows.count < all.count || end != nil ? rows.last?.position ?? end : nil
    }
}
