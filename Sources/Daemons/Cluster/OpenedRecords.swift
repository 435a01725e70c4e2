import Pool
import Replication
import Storage

/// The records of the logs that a journal has, from its opening until their replicas take them over.
struct OpenedRecords {
    /// A place for records, which are taken out one by one.
    private final class Held {
        var records: ReplicaRecords?
        let end: LogPosition

        init(_ records: consuming ReplicaRecords) throws {
            end = try records.end()
            self.records = consume records
        }
    }

    private let held: [Held]
    /// The place of the next entry in a journal that has several logs; nil where it has a single one.
    let place: LogPosition?

    /// Opens the records of a folder, and brings the journal up to them.
    init(in folder: DataFolder, partitions: Int, _ journal: inout SQLiteJournal) throws {
        let path = folder.file(ReplicaRecords.name)
        let base = try journal.base()
        guard partitions > 1 else {
            let file = try RecordsFile(path: path, behind: base)
            let own = try ReplicaRecords(of: Partition(0), in: file, behind: base)
            try journal.catchUp(with: own)
            held = [try Held(own)]
            place = nil
            return
        }
        let file = try RecordsFile(path: path, partitions: partitions, behind: base)
        try FolderFormats.noteSeveralLogs(in: folder)
        // Entries from before are of all partitions: each counts its own from its beginning on.
        var start = base
        start.next = LogAnchor.start.next
        held = try (0..<partitions).map {
            try Held(ReplicaRecords(of: Partition(UInt16($0)), in: file, behind: start))
        }
        try journal.catchUp(withAllOf: file)
        place = journal.nextPosition
    }

    /// The records of a journal that has a single log.
    init(of records: consuming ReplicaRecords) throws {
        held = [try Held(records)]
        place = nil
    }

    func take(_ partition: Partition) -> ReplicaRecords { held[Int(partition.number)].records.take()! }

    /// The end of a partition's turns, by places of its log.
    func end(of partition: Partition) -> LogPosition { held[Int(partition.number)].end }
}
