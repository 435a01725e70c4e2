import Foundation
import Operations
import Pool
import Replication
import Storage

private let log = Log("coordinator")

/// The journal of a coordinator that starts: brought up to the log of its cluster, where it has one, with its
/// standing of editions.
struct OpenedJournal: ~Copyable {
    var journal: SQLiteJournal
    let settings: JournalSettings
    /// The records of a cluster's log; nil where this host is alone.
    var records: OpenedRecords?
    private(set) var standing: Standing

    init(in folder: DataFolder, _ settings: CoordinatorSettings) throws {
        var own = settings.journal
        if settings.cluster != nil {
            // Other hosts rely on this disk.
            own.durability = .full
            // Processes that have the replaced files open start anew, too.
            if try JournalCopies.takeOver(in: folder) { ServiceManager.current.renew() }
        }
        var journal = try SQLiteJournal(in: folder, settings: own)
        var records: OpenedRecords?
        if let cluster = settings.cluster {
            // Records keep the number of partitions that they are made for, so it has to be one that fits.
            let isNew = !FileManager.default.fileExists(atPath: folder.file(ReplicaRecords.name))
            if isNew { _ = try cluster.plan(shards: journal.shardCount) }
            records = try OpenedRecords(in: folder, partitions: cluster.partitions, &journal)
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
    /// Writes it to the log of the coordinator.
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
