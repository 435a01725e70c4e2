import Bytes
import Names
import Pool
import Wire

/// Opens the journal's file, whatever lies there, and finds out whether it is all that was ever acknowledged.
struct JournalOpening {
    static let file = "journal.db"
    static let lock = "journal.lock"

    let folder: DataFolder
    let settings: JournalSettings
    let boot: String
    private(set) var manifest: FolderManifest
    private(set) var term: UInt64 = 0
    private(set) var news: [JournalNews] = []
    private let hasManifest: Bool

    init(_ folder: DataFolder, _ settings: JournalSettings) throws(StorageError) {
        (self.folder, self.settings) = (folder, settings)
        if let given = settings.boot { boot = given } else { boot = try FileFacts.bootID() }
        let found = try FolderManifest.read(in: folder)
        (manifest, hasManifest) = (found ?? FolderManifest(shards: settings.shards), found != nil)
    }

    /// - Parameter identity: what the journal is known by from now on.
    mutating func open(_ identity: inout JournalIdentity?) throws(StorageError) -> JournalTables {
        let path = folder.file(Self.file)
        // SQLite would throw away a log that lies beside an empty file.
        let isNew = (FileFacts(path)?.size ?? 0) == 0
        if isNew { try clearForNew() }
        var mark = try JournalMark.open(path: folder.file(JournalMark.file))
        if !isNew { try lookBefore(path, isKnown: mark.value != nil) }
        let database = try Database.open(
            path: path, .write,
            Database.Tuning(
                synchronous: settings.durability == .full ? .full : .normal, cache: settings.cache, forgets: true,
                vfs: settings.vfs))
        // What was deleted before the end of the last coordinator leaves the log.
        var isTied = try database.copyLog(patience: 1000) == .incomplete
        try database.adopt(
            format: JournalTables.format,
            schema: JournalTables.schema
                + "INSERT INTO meta VALUES (1, 0, -1, 0, x'', -1, -1, '', '')")
        let hasConversations = try ConversationTables.exist(in: database)
        try database.execute(JournalTables.additions)
        if !hasConversations {
            try database.transaction { () throws(StorageError) in try ConversationTables.takeAlong(database) }
        }
        let known = try JournalLink.read(from: database)
        if known != nil, !hasManifest { manifest.shards = Int(try database.integer("SELECT shards FROM link")) }
        let link: JournalLink
        if let known {
            link = known
        } else {
            link = try JournalLink.create(shards: manifest.shards, in: database)
            // From the first entry on no other file fits.
            isTied = try database.copyLog(patience: 1000) == .incomplete
        }
        let next = try Self.end(of: database)
        if isNew {
            manifest.era = .random(in: 1 ... .max)
        } else if let reason = try reasonForNewEra(
            database, link, mark.value, next: next, isAdopted: known == nil && mark.value == nil)
        {
            beginEra(reason)
        }
        let lineage = try begin(link, isTied: isTied, in: database)
        mark.put(
            JournalMark.Value(
                lineage: lineage, next: next, intended: next, isClosed: false, boot: JournalMark.hash(ofBoot: boot)))
        mark.sync()
        try FileFacts.sync(folder.path)
        identity = JournalIdentity(mark, isTied: true)
        return try JournalTables(database)
    }

    /// Refuses what does not belong together, before a byte of it changes.
    private func lookBefore(_ path: String, isKnown: Bool) throws(StorageError) {
        guard let size = FileFacts(path + "-wal")?.size, size > 0 else {
            // Its tables were in the log, which somebody removed.
            guard manifest.term > 0, try Database.openAlone(path: path).integer("PRAGMA user_version") == 0 else {
                return
            }
            throw .missingJournal(path: path)
        }
        var tuning = Database.Tuning()
        tuning.vfs = settings.vfs
        do throws(StorageError) {
            let reader = try Database.open(path: path, .read, tuning)
            try JournalLink.check(reader, isKnown: isKnown, vfs: settings.vfs)
        } catch {
            throw JournalLink.explained(error, vfs: settings.vfs)
        }
    }

    /// Writes that a coordinator has it; answers the lineage of the journal from now on.
    private mutating func begin(
        _ link: JournalLink, isTied: Bool, in database: borrowing Database
    ) throws(StorageError) -> UInt64 {
        term = max(UInt64(bitPattern: try database.integer("SELECT term FROM meta")), manifest.term) + 1
        manifest.term = term
        // First the manifest: a coordinator that ends in between is followed by one that finds an older journal.
        try manifest.write(in: folder)
        let opened = term
        let isNewLife = news.contains { if case .newEra = $0 { true } else { false } }
        let leavesTrace = settings.durability == .process ? boot : ""
        let lineage = try database.transaction { () throws(StorageError) in
            if !isTied { try JournalLink.tie(in: database) }
            try database.prepare("UPDATE meta SET term = ?, boot = ?").run(
                .integer(Int64(bitPattern: opened)), .text(leavesTrace))
            return isNewLife ? try JournalLink.beginLineage(in: database) : link.lineage
        }
        try database.syncLog()
        return lineage
    }

    /// A folder without a journal has none that was lost; what is left of an older one goes.
    private mutating func clearForNew() throws(StorageError) {
        guard !hasManifest || manifest.term == 0 else {
            throw .missingJournal(path: folder.file(Self.file))
        }
        for name in [Self.file + "-wal", Self.file + "-shm", JournalMark.file, ServedEdition.name] {
            try FileFacts.remove(folder.file(name))
        }
        note(asides: try ShardPlace.putAsideAll(in: folder))
    }

    mutating func note(asides: Int) { if asides > 0 { news.append(.putAside(shards: asides)) } }

    /// Why shards may know what this journal does not; nil where they cannot.
    private func reasonForNewEra(
        _ database: borrowing Database, _ link: JournalLink, _ mark: JournalMark.Value?, next: Int64, isAdopted: Bool
    ) throws(StorageError) -> String? {
        let term = UInt64(bitPattern: try database.integer("SELECT term FROM meta"))
        if manifest.term > term {
            return "this journal is of term \(term), and there was one of term \(manifest.term)"
        }
        var wasOpenAt = ""
        try database.prepare("SELECT boot FROM meta").run { row throws(StorageError) in
            wasOpenAt = row.text(0)
        }
        if !wasOpenAt.isEmpty && wasOpenAt != boot {
            return "the machine went down, and this journal does not survive that"
        }
        // A build that knew of no marks had it last.
        if isAdopted { return nil }
        guard let mark else { return "this journal was put here by hand: \(JournalMark.file) is missing" }
        return mark.objection(to: link, next: next, boot: boot)
    }

    /// The place of the next entry.
    static func end(of database: borrowing Database) throws(StorageError) -> Int64 {
        var end = try database.integer("SELECT max(next, merged + 1) FROM meta")
        try database.prepare("SELECT first, substr(segment, 2, 4) FROM log ORDER BY first DESC LIMIT 1")
            .run { row in
                let count = row.blob(1).reversed().reduce(0) { $0 << 8 | Int64($1) }
                end = max(end, row.integer(0) + count)
            }
        return end
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
        do throws(ByteError) {
            for shard in latest.indices where !reader.isAtEnd { latest[shard] = JobNumber(try reader.number()) }
        } catch {
            throw .damaged(path: tables.database.path, error)
        }
        return State(
            merged: LogPosition(found.0), next: found.1, latest: latest, swept: LogPosition(found.3),
            expired: LogPosition(found.4))
    }

    /// What was entered behind a place: the segment in which it stands may have grown since it was read.
    ///
    /// - Parameter isWhole: nothing was dropped behind the place yet.
    func entries(
        of tables: borrowing JournalTables, after place: LogPosition, isWhole: Bool = false,
        _ take: (LogChange, LogPosition) -> Void
    ) throws(StorageError) {
        let shards = manifest.shards
        var rows: [LogSegment] = []
        try tables.newSegments.run(.integer(place.number)) { row throws(StorageError) in
            rows.append(try tables.segment(row.blob(1), first: row.integer(0)))
        }
        var expected = place.number + 1
        for segment in rows where segment.last > place {
            if isWhole && segment.first.number > expected {
                throw .corrupt(
                    path: tables.database.path, "entries \(expected) to \(segment.first.number - 1) are missing")
            }
            let new = max(expected, segment.first.number)...segment.last.number
            expected = segment.last.number + 1
            for place in new.lazy.map(LogPosition.init) {
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
            do throws(ByteError) {
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
/// | number | messages without content and without a row; not there where there are none, as before there was this count |
extension ShardProgress {
    func encoded() -> [UInt8] {
        var writer = [UInt8]()
        writer.number(through.number)
        writer.append(walkedTo == nil ? 0 : 1)
        if let walkedTo { writer.signed(walkedTo.number) }
        writer.append(origin == nil ? 0 : 1)
        if let origin { writer.number(origin.number) }
        writer.number(beyond.count)
        var last = through.number
        for range in beyond {
            writer.number(range.lowerBound.number - last)
            writer.number(range.upperBound.number - range.lowerBound.number)
            last = range.upperBound.number
        }
        if unavailable > 0 { writer.number(unavailable) }
        return writer
    }

    init(_ place: SQLiteJournal.ProgressPlace, decoding bytes: [UInt8]) throws(ByteError) {
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
        if !reader.isAtEnd { unavailable = Int(clamping: try reader.number()) }
    }
}
