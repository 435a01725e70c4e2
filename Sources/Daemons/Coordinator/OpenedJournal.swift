import Operations
import Pool
import Replication
import Storage

private let log = Log("coordinator")

/// Journal of a coordinator that starts: brought up to the log of its cluster, where it has one, and what it says of editions.
struct OpenedJournal: ~Copyable {
    var journal: SQLiteJournal
    let settings: JournalSettings
    /// Records of the log of a cluster; nil where this host is alone.
    var records: ReplicaRecords?
    private(set) var standing: Standing

    init(in folder: DataFolder, _ settings: CoordinatorSettings) throws {
        var own = settings.journal
        if settings.cluster != nil {
            // Others count on what is here.
            own.durability = .full
            // Whoever has files of before open starts anew, too.
            if try JournalCopies.takeOver(in: folder) { ServiceManager.current.renew() }
        }
        var journal = try SQLiteJournal(in: folder, settings: own)
        var records: ReplicaRecords?
        if settings.cluster != nil {
            let found = try ReplicaRecords(path: folder.file(ReplicaRecords.name), behind: journal.base())
            try journal.catchUp(with: found)
            records = consume found
        }
        for news in journal.news { news.tell() }
        var standing = try journal.standing()
        for edition in standing.editions {
            standing.maps[edition] = try EditionFolder(folder).files(
                of: edition, shards: standing.latest.count, as: standing.progress)
        }
        (self.settings, self.standing) = (own, standing)
        self.journal = journal
        self.records = records
    }
}

extension JournalNews {
    /// In the log of the coordinator.
    fileprivate func tell() {
        switch self {
        case .newEra(let reason): log.warning("everything is laid out anew", ["reason": "\(reason)"])
        case .putAside(let shards):
            log.warning(
                "put shards aside for a day, as they are of a journal that is not there any more",
                ["shards": .number(shards)])
        }
    }
}
