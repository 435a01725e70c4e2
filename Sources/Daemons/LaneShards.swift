import Glibc
import MessageLayout
import Operations
import Pool
import Storage
import Transport
import Wire

/// The files of an edition that a lane has open. To the workers that write them, each is one shard, however many of
/// the journal's it has.
///
/// Chores go through `attempt`, which has the one rule for trouble: the operator hears of it when a batch meets it,
/// and the chore is tried again when it is due again.
final class LaneShards {
    private let edition: EditionID
    private let folder: DataFolder
    private let reports: Mailbox<LayoutLane.Report>
    /// Shards whose logs another thread is to empty, as content was deleted; nil where this thread does it.
    private let purges: Mailbox<Shard>?
    /// The factor by which a log may grow longer than usual before it is written into its file.
    private let patience: Int64
    /// The dress of the edition's rows, as gateways read it; it lies beside the first shard.
    private let decoration: [UInt8]?
    /// The targets that rows are laid out for beside those of the style.
    private var targets: [Target] = []
    /// Whether files that are made now can give back space, as rows are given up.
    var shrinks = false
    private var open: [Shard: OpenShard] = [:]
    /// The origins of the files as the coordinator has heard of them, or hears of them with the next batch.
    private var told: [Shard: ShardOrigin] = [:]
    /// The files of the journal's shards.
    private var map = FileMap(shards: 1)

    /// Bytes of pages that are kept in memory, of all files of the edition together. A block is sealed from rows all over
    /// its file: where the inner pages of their tree were not in memory, each row would be read as three pages.
    private static let cache = 64 << 20

    /// A file, to be found by its shard.
    final class OpenShard {
        var file: SQLiteShard
        init(_ file: consuming SQLiteShard) { self.file = file }
    }

    init(
        of edition: EditionID, in folder: DataFolder, reports: Mailbox<LayoutLane.Report>,
        purges: Mailbox<Shard>? = nil, decoration: [UInt8]? = nil, patience: Int64 = 1
    ) {
        (self.edition, self.folder, self.reports, self.purges) = (edition, folder, reports, purges)
        (self.decoration, self.patience) = (decoration, patience)
    }

    /// Lays out rows for these targets, too, from now on.
    func prepare(_ targets: [Target]) {
        self.targets = targets
        for known in open.values { known.file.prepare(targets) }
    }

    func open(_ shard: Shard) throws(StorageError) -> OpenShard {
        if let known = open[shard] { return known }
        guard let manifest = try FolderManifest.read(in: folder) else {
            throw .absent(path: folder.file(FolderManifest.name))
        }
        map = try EditionFolder(folder).files(of: edition) ?? FileMap(shards: manifest.shards)
        var settings = ShardSettings(era: manifest.era)
        settings.checkpoint *= patience
        settings.cache = max(settings.cache, Self.cache / map.files)
        settings.shrinks = shrinks
        settings.format = try FolderFormats.shards(in: folder)
        let new = OpenShard(try SQLiteShard(shard, of: edition, in: folder, settings: settings))
        new.file.prepare(targets)
        if let purges { new.file.purges = { purges.post(shard) } }
        if open.isEmpty, let decoration { try EditionDecoration.write(decoration, of: edition, in: folder) }
        open[shard] = new
        told[shard] = new.file.origin
        return new
    }

    /// The number of files that the edition has.
    var count: Int { map.files }

    /// The shard of the journal that a job comes from, in a lane that has a file open.
    func shard(of job: LayoutJob) -> Shard { Shard(of: job.conversation, among: map.shards) }

    /// The numbers of the open files, in order.
    var numbers: [Int] { open.keys.map { Int($0.number) }.sorted() }

    func contains(where isTrue: (borrowing SQLiteShard) -> Bool) -> Bool { open.values.contains { isTrue($0.file) } }

    /// The largest count that any of them has.
    func most(_ count: (borrowing SQLiteShard) -> Int) -> Int { open.values.map { count($0.file) }.max() ?? 0 }

    /// The next shard in turn for which a condition is true.
    func next(after last: Int, where isDue: (borrowing SQLiteShard) -> Bool) -> Shard? {
        let due = open.filter { isDue($0.value.file) }.keys.map { Int($0.number) }.sorted()
        return (due.first { $0 > last } ?? due.first).map { Shard(UInt16($0)) }
    }

    /// Does one chore in one shard, and passes on the news of the shard for the operator.
    /// - Returns: nil where it could not be done, and is to be tried again when it is due.
    @discardableResult
    func attempt<Result>(
        _ shard: Shard, _ chore: (inout SQLiteShard) throws(StorageError) -> Result
    ) -> Result? {
        guard let known = open[shard] else { return nil }
        defer { tellNews(of: shard) }
        return tried { () throws(StorageError) in try chore(&known.file) }
    }

    /// The rule for trouble, where there is no file yet.
    @discardableResult
    private func tried<Result>(_ chore: () throws(StorageError) -> Result) -> Result? {
        do throws(StorageError) { return try chore() } catch { return nil }
    }

    /// Does the same chore in each of them.
    func attemptAll(_ chore: (Shard, inout SQLiteShard) throws(StorageError) -> Void) {
        for shard in open.keys { attempt(shard) { (file) throws(StorageError) in try chore(shard, &file) } }
    }

    /// Tends to the files: deleted rows leave them, and the coordinator is told of a file that took the place of a
    /// lost one, whichever chore has met the damage.
    func maintain(idle: Bool) {
        attemptAll { (shard, file) throws(StorageError) in
            _ = try file.isRenewed()
            try tell(of: shard, &file)
            try file.maintain(idle: idle)
        }
    }

    /// Tells the coordinator of a file that it has not heard of, once that is on the disk.
    private func tell(of shard: Shard, _ file: inout SQLiteShard) throws(StorageError) {
        guard told[shard] != file.origin else { return }
        let point = try file.sync()
        reports.post(.renewed(shard, point))
        told[shard] = point.origin
    }

    /// Checks shards that a reader suspects, as a batch for them may never come: they are opened, which checks them, and
    /// may have been begun anew. One that cannot be opened keeps no other waiting.
    func renewSuspects() {
        let suspected = tried { () throws(StorageError) in try ShardPlace.suspected(of: edition, in: folder) }
        for shard in suspected ?? [] where open[shard] == nil {
            tried { () throws(StorageError) in
                let known = try open(shard)
                told[shard] = nil
                try tell(of: shard, &known.file)
            }
            tellNews(of: shard)
        }
    }

    /// Passes on the news of a shard for the operator.
    func tellNews(of shard: Shard) {
        guard let known = open[shard], !known.file.news.isEmpty else { return }
        for news in known.file.news { reports.post(.news(shard, news)) }
        known.file.news = []
    }

    /// Closes the files. A shard that cannot be closed in order counts as left in the middle, which costs its readers
    /// a fresh start.
    func close() {
        attemptAll { (_, file) throws(StorageError) in try file.close() }
        open = [:]
    }

    /// The sentence in which an operator reads of trouble with a shard, or with the journal.
    static func sentence(_ error: StorageError) -> String {
        switch error {
        case .blocked(let path, let process?): "\(path) is held by process \(process), which does not go on"
        case .blocked(let path, nil): "\(path) is held by a process that does not go on"
        case .full(let path): "there is no room left on the disk of \(path)"
        case .notAccessible(let path, let code):
            OpenFiles.shortage(code) ?? "\(path) cannot be written: \(reason(code))"
        case .notReadable(let path, let code):
            OpenFiles.shortage(code) ?? "\(path) cannot be read: \(reason(code))"
        case .notSynced(let path, let code): "\(path) could not be brought to the disk: \(reason(code))"
        case .sqlite(let path, let code, let message): "\(path): \(message) (SQLite \(code))"
        case .corrupt(let path, let finding): "\(path) is damaged (\(finding))"
        case .logTooLong(let path, let bytes):
            "\(path)-wal has grown to \(bytes) bytes, as some reader does not come to an end"
        default: "\(error)"
        }
    }

    private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
