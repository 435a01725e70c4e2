import Bytes
import Names
import Pool
import Wire

/// The opening of a journal's file, whatever lies there, which finds out whether it has all that
/// was ever acknowledged.
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
    /// The versions of formats that are written here; nil where no release that knows
    /// `formats.json` has had the folder.
    private let formats: FolderFormats?

    init(_ folder: DataFolder, _ settings: JournalSettings) throws(StorageError) {
        (self.folder, self.settings) = (folder, settings)
        if let given = settings.boot { boot = given } else { boot = try FileFacts.bootID() }
        formats = try FolderFormats.read(in: folder, known: settings.formats)
        let found = try FolderManifest.read(in: folder)
        (manifest, hasManifest) = (found ?? FolderManifest(shards: settings.shards), found != nil)
    }

    /// A journal that was opened, with its identity from now on.
    struct Opened: ~Copyable {
        let tables: JournalTables
        let identity: JournalIdentity
        let log: SegmentedLog
        /// The frame behind which the log is not in the tables.
        let mergedTo: LogCursor
        let state: State
    }

    /// - Parameter replay: called with each frame that is in the log and not in the tables.
    mutating func open(_ replay: (LogFrame) throws(StorageError) -> Void) throws(StorageError) -> Opened {
        let path = folder.file(Self.file)
        // SQLite would throw away a log that lies beside an empty file.
        let isNew = (FileFacts(path)?.size ?? 0) == 0
        if isNew { try clearForNew() }
        if !isNew { try refuseForeign(path) }
        var mark = try JournalMark.open(path: folder.file(JournalMark.file))
        if !isNew { try lookBefore(path, isKnown: mark.value != nil) }
        // A folder without `formats.json` is written as the previous release reads it, unless it is new.
        let written = formats ?? (isNew ? .newest(known: settings.formats) : .previous(known: settings.formats))
        if isNew, formats == nil { try written.write(in: folder) }
        manifest.format = written.version(of: .manifest)
        let database = try Self.database(in: folder, settings)
        // If the last coordinator met an error of the disk, the file may lack what it copied.
        try database.copyAnew()
        let earlier = try EarlierJournal.keep(database, in: folder)
        // Content that was deleted before the last coordinator ended leaves the log.
        var isTied = try database.copyLog(patience: 1000) == .incomplete
        try database.adopt(
            format: JournalTables.format,
            schema: JournalTables.schema
                + "INSERT INTO meta VALUES (1, 0, -1, 0, x'', -1, -1, '', '')", or: OldLog.format)
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
        let opened = try openLog(
            database, mark.value.flatMap { $0.lineage == link.lineage ? $0.next : nil }, written, replay)
        let (mergedTo, next) = (opened.mergedTo, opened.log.end.next.number)
        let log = opened.log
        try earlier?.prove(database, log.index)
        if isNew {
            manifest.era = .random(in: 1 ... .max)
        } else if let reason = try reasonForNewEra(
            database, link, mark.value, next: next, isAdopted: known == nil && mark.value == nil)
        {
            beginEra(reason)
        }
        if try OldLog.empty(database) { isTied = false }
        let lineage = try begin(link, isTied: isTied, in: database)
        mark.put(
            JournalMark.Value(
                lineage: lineage, next: next, intended: next, isClosed: false, boot: JournalMark.hash(ofBoot: boot)))
        mark.sync()
        if !isNew, formats == nil { try written.write(in: folder) }
        try FileFacts.sync(folder.path)
        try earlier?.remove()
        let tables = try JournalTables(database)
        let state = try state(of: tables)
        return Opened(
            tables: tables, identity: JournalIdentity(mark, isTied: true), log: log, mergedTo: mergedTo, state: state)
    }

    /// A connection that writes. The log is the truth, so commits are not synced one by one; where
    /// something has to be on the disk before something else, the code syncs it there.
    static func database(in folder: DataFolder, _ settings: JournalSettings) throws(StorageError) -> Database {
        try Database.open(
            path: folder.file(file), .write,
            Database.Tuning(synchronous: .normal, cache: settings.cache, forgets: true, vfs: settings.vfs))
    }

    private struct OpenedLog: ~Copyable {
        let log: SegmentedLog
        let mergedTo: LogCursor
    }

    /// Opens the log beside the tables; one that is still in a table is copied into segments, which
    /// then take its place.
    private func openLog(
        _ database: borrowing Database, _ acknowledged: Int64?, _ formats: FolderFormats,
        _ replay: (LogFrame) throws(StorageError) -> Void
    ) throws(StorageError) -> OpenedLog {
        let settings = SegmentedLog.Settings(
            size: settings.segment, isDurable: settings.durability == .full, disk: settings.disk,
            version: UInt32(formats.version(of: .segments)))
        if let place = try LogPlace.read(from: database) {
            let log = try SegmentedLog.open(
                in: folder, id: place.log, from: place.cursor, acknowledged: acknowledged.map(LogPosition.init),
                mayHaveLost: try hasLostPower(database), settings, replay)
            return OpenedLog(log: log, mergedTo: place.cursor)
        }
        let next = try Self.end(of: database)
        let first =
            try OldLog.isThere(in: database)
            ? try database.integer("SELECT ifnull(min(first), \(next)) FROM log") : next
        var log = try SegmentedLog.begin(in: folder, id: .random(in: 1 ... .max), at: LogPosition(first), settings)
        var start = log.end
        if try OldLog.isThere(in: database) {
            let merged = LogPosition(try database.integer("SELECT merged FROM meta"))
            // All of it is synced once, at the end.
            log.settings.isDurable = false
            start = try OldLog.copy(of: database, to: &log, merged: merged, replay)
            log.settings.isDurable = settings.isDurable
        }
        let place = LogPlace(log: log.id, cursor: start)
        try database.transaction { () throws(StorageError) in
            try place.write(to: database)
            try database.execute("PRAGMA user_version = \(JournalTables.format)")
        }
        return OpenedLog(log: log, mergedTo: start)
    }

    /// Refuses a journal of a format that is not known, before a byte of it changes.
    private func refuseForeign(_ path: String) throws(StorageError) {
        // With a write-ahead log SQLite finds the format in that, and the file alone may have an older one.
        let hasLog = FileFacts(path + "-wal")?.size ?? 0 > 0
        var tuning = Database.Tuning()
        tuning.vfs = settings.vfs
        let format: Int64
        do throws(StorageError) {
            let reader = hasLog ? try Database.open(path: path, .read, tuning) : try Database.openAlone(path: path)
            format = try reader.integer("PRAGMA user_version")
        } catch {
            // The fault is found below, and reported from there.
            return
        }
        guard format == 0 || StoredFormat.journal.reads ~= format else {
            throw .foreignFormat(path: path, found: format, expected: JournalTables.format)
        }
    }

    /// Refuses a file and a log that do not belong together, before a byte of them changes.
    private func lookBefore(_ path: String, isKnown: Bool) throws(StorageError) {
        guard let size = FileFacts(path + "-wal")?.size, size > 0 else {
            // The tables were in the log, which somebody removed.
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

    /// Notes that a coordinator has the journal. Returns the lineage of the journal from now on.
    private mutating func begin(
        _ link: JournalLink, isTied: Bool, in database: borrowing Database
    ) throws(StorageError) -> UInt64 {
        term = max(UInt64(bitPattern: try database.integer("SELECT term FROM meta")), manifest.term) + 1
        manifest.term = term
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
        // Last: of a start that ends in between, as the disk is full, the next one must not find that an older journal
        // is here. Such a start has given out nothing under its term, and a new lineage, which the mark does not know,
        // leads to another era all the same.
        try manifest.write(in: folder)
        return lineage
    }

    /// Refuses a folder whose journal was lost; in any other, it removes what is left of an older one.
    private mutating func clearForNew() throws(StorageError) {
        try Self.refuseLost(in: folder, hasManifest ? manifest : nil)
        try FileFacts.removeTree(folder.file(SegmentName.folder))
        for name in [Self.file + "-wal", Self.file + "-shm", JournalMark.file, ServedEdition.name] {
            try FileFacts.remove(folder.file(name))
        }
        note(asides: try ShardPlace.putAsideAll(in: folder))
    }

    mutating func note(asides: Int) { if asides > 0 { news.append(.putAside(shards: asides)) } }

    /// The reason why shards may know what this journal does not; nil where they cannot.
    private func reasonForNewEra(
        _ database: borrowing Database, _ link: JournalLink, _ mark: JournalMark.Value?, next: Int64, isAdopted: Bool
    ) throws(StorageError) -> String? {
        let term = UInt64(bitPattern: try database.integer("SELECT term FROM meta"))
        if manifest.term > term {
            return "this journal is of term \(term), and there was one of term \(manifest.term)"
        }
        if try hasLostPower(database) { return "the machine went down, and this journal does not survive that" }
        // A build that knew of no marks had it last.
        if isAdopted { return nil }
        guard let mark else { return "this journal was put here by hand: \(JournalMark.file) is missing" }
        return mark.objection(to: link, next: next, boot: boot)
    }

    /// Whether the machine went down while the journal was open and synced nothing.
    private func hasLostPower(_ database: borrowing Database) throws(StorageError) -> Bool {
        let wasOpenAt = try database.prepare("SELECT boot FROM meta").first { row in row.text(0) } ?? ""
        return !wasOpenAt.isEmpty && wasOpenAt != boot
    }

    /// The place of the next entry of a journal whose log is a table; of a later one, the place
    /// behind the merged entries.
    static func end(of database: borrowing Database) throws(StorageError) -> Int64 {
        var end = try database.integer("SELECT max(next, merged + 1) FROM meta")
        guard try OldLog.isThere(in: database) else { return end }
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

    /// The state of the journal at the last merge.
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
            for shard in latest.indices where !reader.isAtEnd {
                let job = try reader.number()
                guard job < 1 << 62 else { throw .outOfRange(.max, of: "job") }
                latest[shard] = JobNumber(job)
            }
            // No checksum covers a table, and they are counted with.
            for place in [found.0, found.3, found.4] where place.magnitude >= 1 << 60 {
                throw .outOfRange(place, of: "place")
            }
        } catch {
            throw .damaged(path: tables.database.path, error)
        }
        return State(
            merged: LogPosition(found.0), next: found.1, latest: latest, swept: LogPosition(found.3),
            expired: LogPosition(found.4))
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
/// | number | messages without content and row; left out where there are none, as in builds without this count |
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
            guard max(last, first, length) < 1 << 62 else { throw .outOfRange(.max, of: "range of jobs") }
            beyond.append(JobNumber(last + first)...JobNumber(last + first + length))
            last += first + length
        }
        if !reader.isAtEnd { unavailable = Int(clamping: try reader.number()) }
    }
}

extension DataFolder {
    /// Throws where a coordinator is at work in it. Nothing is made or held.
    package func refuseUse() throws(StorageError) { try FileLock.refuseUse(of: file(JournalOpening.lock)) }
}
