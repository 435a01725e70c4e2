import Names
import Pool
import Record
import Wire

/// One reading connection to the file of a shard.
struct ReadTables: ~Copyable {
    struct Standing {
        var origin: ShardOrigin
        var generation: Generation
        var stamp: Stamp
        /// The oldest stamp whose changes are still told one by one.
        var oldest: Stamp
        var cursor: Cursor { Cursor(generation: generation, stamp: stamp) }
    }

    let files: ShardFiles
    let database: Database
    let meta: Statement
    let findConversation: Statement
    let nameConversation: Statement
    let places: PlaceQuery
    let newest: PlaceQuery
    let row: Statement
    /// Seekers for rows with their layouts, for rows with their measured texts, too, and for measured texts alone.
    var layouts: RowSeeker
    var whole: RowSeeker
    var measured: RowSeeker
    let changes: Statement
    let blocks: Statement
    /// The changes in torn ranges; nil where the file has none.
    private let tornRanges: RangeChanges?
    var stretch: PlacedRows
    var recent: RecentPlaces
    let roles: StoredRoles

    /// - Parameter attempts: the number of tries, as a file that is replaced while it is opened
    ///   must not be read with the log of the next.
    static func open(
        _ place: ShardPlace, cache: Int, attempts: Int = 3
    ) throws(StorageError) -> ReadTables {
        guard let file = FileFacts(place.path) else { throw .absent(path: place.path) }
        let database = try Database.open(
            path: place.path, .read, Database.Tuning(synchronous: .normal, cache: cache, patience: 250))
        let format = try database.integer("PRAGMA user_version")
        guard FileFacts(place.path)?.isSameFile(as: file) == true else {
            guard attempts > 1 else { throw .absent(path: place.path) }
            return try open(place, cache: cache, attempts: attempts - 1)
        }
        guard format != 0 else { throw .absent(path: place.path) }
        guard ShardTables.knownFormats.contains(format) else {
            throw .foreignFormat(path: place.path, found: format, expected: ShardTables.format)
        }
        return try ReadTables(database, place)
    }

    private init(_ database: consuming Database, _ place: ShardPlace) throws(StorageError) {
        let meta = try database.prepare(
            """
            SELECT origin, generation, ifnull((SELECT max(stamp) FROM changes), 0),
                ifnull((SELECT min(stamp) FROM changes), 0)
            FROM meta
            """)
        let findConversation = try database.prepare("SELECT number FROM conversations WHERE name = ?")
        let nameConversation = try database.prepare("SELECT name FROM conversations WHERE number = ?")
        let places = try PlaceQuery(in: database)
        let newest = try PlaceQuery(isDescending: true, in: database)
        let row = try database.prepare("SELECT number, job, head, layout, measured FROM rows WHERE number = ?")
        let layouts = try RowSeeker("number, job, head, layout", in: database)
        let whole = try RowSeeker("number, job, head, layout, measured", in: database)
        let measured = try RowSeeker("number, head, measured", in: database)
        let changes = try database.prepare("SELECT stamp, list FROM changes WHERE stamp > ? ORDER BY stamp")
        let blocks = try database.prepare(
            """
            SELECT position, message, block, torn, number FROM blocks
            WHERE conversation = ?1 AND (position, message) > (?2, ?3) ORDER BY position, message
            """)
        let tornRanges: RangeChanges? = try RangeChanges.areIn(database) ? RangeChanges(database) : nil
        let stretch = try PlacedRows(StoredBlocks.columns, in: database)
        let recent = try RecentPlaces(database)
        roles = try StoredRoles(database)
        self.recent = recent
        self.blocks = blocks
        self.tornRanges = tornRanges
        self.stretch = stretch
        files = ShardFiles(place)
        self.meta = meta
        self.findConversation = findConversation
        self.nameConversation = nameConversation
        self.places = places
        self.newest = newest
        self.row = row
        self.layouts = layouts
        self.whole = whole
        self.measured = measured
        self.changes = changes
        self.database = database
    }

    /// Brings the recent places up to this moment, at each moment at which places are asked for.
    mutating func followPlaces(_ standing: Standing) throws(StorageError) {
        try recent.follow(database, standing.origin, standing.generation, standing.stamp)
    }

    /// The rows of a torn range; nil where its block and the changes since do not say which they are.
    mutating func rows(
        after start: Position?, upTo end: Position, ofTorn number: Int64, _ block: [UInt8], by sealer: inout RowSealer
    ) throws(StorageError) -> [RowSealer.Stated]? {
        guard let torn = try tornRanges?.torn(number, block) else { return nil }
        defer { layouts.reset() }
        return try torn.rows(after: start, upTo: end) { (number) throws(StorageError) in
            guard let row = try layouts.row(number.number) else { return nil }
            do throws(RowSealer.Fault) {
                return .success(try sealer.seal(row, from: 0, roles, for: nil))
            } catch {
                return .failure(error)
            }
        }
    }

    func areInPlace(_ place: ShardPlace) -> Bool { files.areIn(place) }

    /// The era of the journal that the rows are derived from.
    func era() throws(StorageError) -> UInt64 {
        UInt64(bitPattern: try database.integer("SELECT era FROM meta"))
    }

    func standing() throws(StorageError) -> Standing {
        let found = try meta.first { row in
            Standing(
                origin: ShardOrigin(UInt64(bitPattern: row.integer(0))),
                generation: Generation(UInt64(bitPattern: row.integer(1))),
                stamp: Stamp(UInt64(bitPattern: row.integer(2))), oldest: Stamp(UInt64(bitPattern: row.integer(3))))
        }
        guard let found else { throw .corrupt(path: database.path, "its meta row is missing") }
        return found
    }
}
