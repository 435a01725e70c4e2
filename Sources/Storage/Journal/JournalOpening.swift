import Pool
import Wire

/// Opens the journal's file, whatever lies there, and finds out whether it is all that was ever acknowledged.
struct JournalOpening {
    static let file = "journal.db"

    let folder: DataFolder
    let settings: JournalSettings
    let boot: String
    private(set) var manifest: FolderManifest
    private(set) var term: UInt64 = 0
    private(set) var news: [JournalNews] = []

    init(_ folder: DataFolder, _ settings: JournalSettings) throws(StorageError) {
        (self.folder, self.settings) = (folder, settings)
        if let given = settings.boot { boot = given } else { boot = try FileFacts.bootID() }
        manifest = try FolderManifest.read(in: folder) ?? FolderManifest(shards: settings.shards)
    }

    mutating func open() throws(StorageError) -> JournalTables {
        let path = folder.file(Self.file)
        let isNew = FileFacts(path) == nil
        let database = try Database.open(
            path: path, .write,
            Database.Tuning(
                synchronous: settings.durability == .full ? .full : .normal, cache: settings.cache, forgets: true,
                vfs: settings.vfs))
        // What was deleted before the end of the last coordinator leaves the log.
        _ = try database.emptyLog(patience: 1000)
        try database.adopt(
            format: JournalTables.format,
            schema: JournalTables.schema
                + "INSERT INTO meta VALUES (1, 0, -1, 0, x'', -1, -1, '', '')")
        try database.execute(JournalTables.additions)
        let known = UInt64(bitPattern: try database.integer("SELECT term FROM meta"))
        var wasOpenAt = ""
        try database.prepare("SELECT boot FROM meta").run { row throws(StorageError) in wasOpenAt = row.text(0) }
        if isNew {
            manifest.era = .random(in: 1 ... .max)
        } else if manifest.term > known {
            beginEra("this journal is of term \(known), and there was one of term \(manifest.term)")
        } else if !wasOpenAt.isEmpty && wasOpenAt != boot {
            beginEra("the machine went down, and this journal does not survive that")
        }
        term = max(known, manifest.term) + 1
        manifest.term = term
        // First the manifest: a coordinator that ends in between is followed by one that finds an older journal.
        try manifest.write(in: folder)
        let leavesTrace = settings.durability == .process ? boot : ""
        try database.prepare("UPDATE meta SET term = ?, boot = ?").run(
            .integer(Int64(bitPattern: term)), .text(leavesTrace))
        try database.syncLog()
        try FileFacts.sync(folder.path)
        return try JournalTables(database)
    }

    private mutating func beginEra(_ reason: String) {
        manifest.era = .random(in: 1 ... .max)
        news.append(.newEra(reason: reason))
    }

    /// How things stood at the last merge.
    struct State {
        var merged: LogPosition
        var next: Int64
        var latest: [JobNumber]
        var swept: LogPosition
        var expired: LogPosition
    }

    func state(of tables: borrowing JournalTables) throws(StorageError) -> State {
        let found = try tables.database.prepare("SELECT merged, next, latest, swept, expired FROM meta").first { row in
            (row.integer(0), row.integer(1), row.blob(2), row.integer(3), row.integer(4))
        }
        guard let found else { throw .corrupt(path: tables.database.path, "its meta row is missing") }
        var latest = Array(repeating: JobNumber.zero, count: manifest.shards)
        var reader = PackedReader(found.2)
        do throws(WireError) {
            for shard in latest.indices where !reader.isAtEnd { latest[shard] = JobNumber(try reader.number()) }
        } catch {
            throw .damaged(path: tables.database.path, error)
        }
        return State(
            merged: LogPosition(found.0), next: found.1, latest: latest, swept: LogPosition(found.3),
            expired: LogPosition(found.4))
    }

    func entries(
        of tables: borrowing JournalTables, after place: LogPosition, _ take: (LogChange, LogPosition) -> Void
    ) throws(StorageError) {
        let shards = manifest.shards
        var rows: [LogSegment] = []
        try tables.database.prepare("SELECT first, segment FROM log WHERE first > ? ORDER BY first")
            .run(.integer(place.number)) { row throws(StorageError) in
                rows.append(try tables.segment(row.blob(1), first: row.integer(0)))
            }
        for segment in rows {
            for offset in 0..<segment.count {
                let place = LogPosition(segment.first.number + Int64(offset))
                guard let change = try tables.change(at: place, in: segment) else { continue }
                guard change.shard.number < shards else {
                    throw .damaged(
                        path: tables.database.path, .outOfRange(Int64(change.shard.number), of: "shard"))
                }
                take(change, place)
            }
        }
    }

    func progress(
        of tables: borrowing JournalTables
    ) throws(StorageError) -> [SQLiteJournal.ProgressPlace: ShardProgress] {
        var all: [SQLiteJournal.ProgressPlace: ShardProgress] = [:]
        let path = tables.database.path
        try tables.database.prepare("SELECT edition, shard, state FROM progress").run { row throws(StorageError) in
            do throws(WireError) {
                let place = SQLiteJournal.ProgressPlace(
                    edition: try EditionID(row.text(0)), shard: Shard(UInt16(truncatingIfNeeded: row.integer(1))))
                all[place] = try ShardProgress(place, decoding: row.blob(2))
            } catch {
                throw .damaged(path: path, error)
            }
        }
        return all
    }
}

/// | bytes | |
/// |---|---|
/// | number | all jobs up to this one are done |
/// | byte, signed | 1 and the last message that a walk has reached, or 0 |
/// | byte, number | 1 and the file's origin, or 0 |
/// | number | ranges of jobs that are done beyond; of each: |
/// | number, number | its first, less the last of the range before; its length less one |
extension ShardProgress {
    func encoded() -> [UInt8] {
        var writer = PackedWriter()
        writer.number(through.number)
        writer.byte(walkedTo == nil ? 0 : 1)
        if let walkedTo { writer.signed(walkedTo.number) }
        writer.byte(origin == nil ? 0 : 1)
        if let origin { writer.number(origin.number) }
        writer.number(UInt64(beyond.count))
        var last = through.number
        for range in beyond {
            writer.number(range.lowerBound.number - last)
            writer.number(range.upperBound.number - range.lowerBound.number)
            last = range.upperBound.number
        }
        return writer.bytes
    }

    init(_ place: SQLiteJournal.ProgressPlace, decoding bytes: [UInt8]) throws(WireError) {
        self.init(edition: place.edition, shard: place.shard)
        var reader = PackedReader(bytes)
        through = JobNumber(try reader.number())
        if try reader.byte() != 0 { walkedTo = MessageNumber(try reader.signed()) }
        if try reader.byte() != 0 { origin = ShardOrigin(try reader.number()) }
        var last = through.number
        for _ in 0..<min(try reader.number(), 1 << 20) {
            let (first, length) = (try reader.number(), try reader.number())
            guard first < 1 << 62, length < 1 << 62 else { throw .outOfRange(.max, of: "range of jobs") }
            beyond.append(JobNumber(last + first)...JobNumber(last + first + length))
            last += first + length
        }
    }
}
