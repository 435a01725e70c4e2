import MessageLayout
import Pool
import Storage
import Transport
import Wire

/// The files of an edition that a lane has open. To whoever writes them, each is one shard, however many it has of the journal's.
///
/// Chores are done in them by `attempt`, which has the one rule for trouble: it is the operator's to hear of it when a batch meets it,
/// and the chore is tried again when it is due again.
final class LaneShards {
    private let edition: EditionID
    private let folder: DataFolder
    private let reports: Mailbox<LayoutLane.Report>
    /// How much longer than usual a log may grow before it is written into its file.
    private let patience: Int64
    /// Dress of the edition's rows, as gateways read it; it lies beside the first shard.
    private let decoration: [UInt8]?
    /// Rows are laid out for these beside the targets of the style.
    private var targets: [Target] = []
    /// Space can be given back by files that are made while rows are given up.
    var shrinks = false
    private var open: [Shard: OpenShard] = [:]
    /// Which file has which of the journal's shards.
    private var map = FileMap(shards: 1)

    /// A file, to be found under its shard.
    final class OpenShard {
        var file: SQLiteShard
        init(_ file: consuming SQLiteShard) { self.file = file }
    }

    init(
        of edition: EditionID, in folder: DataFolder, reports: Mailbox<LayoutLane.Report>, decoration: [UInt8]? = nil,
        patience: Int64 = 1
    ) {
        (self.edition, self.folder, self.reports) = (edition, folder, reports)
        (self.decoration, self.patience) = (decoration, patience)
    }

    /// From now on rows are laid out for these, too.
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
        settings.shrinks = shrinks
        let new = OpenShard(try SQLiteShard(shard, of: edition, in: folder, settings: settings))
        new.file.prepare(targets)
        if open.isEmpty, let decoration { try EditionDecoration.write(decoration, of: edition, in: folder) }
        open[shard] = new
        return new
    }

    /// The number of files that the edition has.
    var count: Int { map.files }

    /// Where a job comes from, in a lane that has a file open.
    func shard(of job: LayoutJob) -> Shard { Shard(of: job.conversation, among: map.shards) }

    /// Numbers of those that are open, in their order.
    var numbers: [Int] { open.keys.map { Int($0.number) }.sorted() }

    func contains(where isTrue: (borrowing SQLiteShard) -> Bool) -> Bool { open.values.contains { isTrue($0.file) } }

    /// The next shard in turn of which something is true.
    func next(after last: Int, where isDue: (borrowing SQLiteShard) -> Bool) -> Shard? {
        let due = open.filter { isDue($0.value.file) }.keys.map { Int($0.number) }.sorted()
        return (due.first { $0 > last } ?? due.first).map { Shard(UInt16($0)) }
    }

    /// One chore in one shard, and what the operator should hear of the shard then.
    /// - Returns: nil where it could not be done, and is to be tried again when it is due.
    @discardableResult
    func attempt<Result>(
        _ shard: Shard, _ chore: (inout SQLiteShard) throws(StorageError) -> Result
    ) -> Result? {
        guard let known = open[shard] else { return nil }
        defer { tellNews(of: shard) }
        do throws(StorageError) { return try chore(&known.file) } catch { return nil }
    }

    /// The same chore in each of them.
    func attemptAll(_ chore: (Shard, inout SQLiteShard) throws(StorageError) -> Void) {
        for shard in open.keys { attempt(shard) { (file) throws(StorageError) in try chore(shard, &file) } }
    }

    /// Tends to the files: what is deleted leaves them, and the coordinator is told of one that took the place of a lost one.
    func maintain(idle: Bool) {
        attemptAll { [reports] (shard, file) throws(StorageError) in
            if try file.isRenewed() { reports.post(.renewed(shard, try file.sync())) }
            try file.maintain(idle: idle)
        }
    }

    /// Looks after shards that a reader suspects, though nothing may ever come for them that would tell.
    func renewSuspects() {
        do throws(StorageError) {
            for shard in try ShardPlace.suspected(of: edition, in: folder) where open[shard] == nil {
                // It may have been begun anew.
                reports.post(.renewed(shard, try open(shard).file.sync()))
            }
        } catch {
            // As in `attempt`: they are suspected still, and looked after in a second.
        }
    }

    /// Passes on what an operator should hear of a shard.
    func tellNews(of shard: Shard) {
        guard let known = open[shard], !known.file.news.isEmpty else { return }
        for news in known.file.news { reports.post(.news(shard, news)) }
        known.file.news = []
    }

    /// A shard that cannot be closed in order counts as left in the middle, which costs its readers a fresh start.
    func close() {
        attemptAll { (_, file) throws(StorageError) in try file.close() }
        open = [:]
    }

    /// The words in which an operator reads of trouble with a shard.
    static func sentence(_ error: StorageError) -> String {
        switch error {
        case .blocked(let path, let process?): "\(path) is held by process \(process), which does not go on"
        case .blocked(let path, nil): "\(path) is held by a process that does not go on"
        case .full(let path): "there is no room left on the disk of \(path)"
        default: "\(error)"
        }
    }
}
