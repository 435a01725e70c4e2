package import Pool
package import Replication

/// Disk of one host for one partition: its journal, and what its log says.
///
/// A record is in `replica.db` first and in the journal second, and both are on the disk before it is said to be. A process that ends between
/// the two finds the turn there when it starts again.
package struct PartitionDisk: ~Copyable {
    package var journal: SQLiteJournal
    private var records: ReplicaRecords

    /// - Parameter settings: of the journal. Its turns are synced, whatever they say, as others count on what is here.
    package init(in folder: DataFolder, settings: JournalSettings) throws(StorageError) {
        var settings = settings
        settings.durability = .full
        var journal = try SQLiteJournal(in: folder, settings: settings)
        let records = try ReplicaRecords(path: folder.file("replica.db"))
        for turn in try records.turns(from: journal.nextPosition) { try Self.write(turn.content, in: &journal, folder) }
        self.journal = journal
        self.records = records
        self.folder = folder
    }

    private let folder: DataFolder

    package var trail: AnchorTrail { records.trail }
    package var keys: [KeyNumber: RecordKey] { records.keys }
    package var wiped: KeyNumber { records.wiped }
    package var end: LogPosition { journal.nextPosition }

    /// - Parameter turn: nil where the record is no turn, or the journal has it already.
    package mutating func commit(_ turn: ReplayedTurn?, _ anchor: LogAnchor) throws(StorageError) {
        try records.commit(turn, anchor)
        if let turn { try Self.write(turn.content, in: &journal, folder) }
    }

    private static func write(
        _ turn: TurnContent, in journal: inout SQLiteJournal, _ folder: DataFolder
    ) throws(StorageError) {
        guard turn.first == journal.nextPosition else {
            let places = "a turn begins at \(turn.first.number), and the journal ends at \(journal.nextPosition.number)"
            throw .corrupt(path: folder.path, places)
        }
        try journal.commit(turn.turn(in: &journal))
    }

    package func turns(from position: LogPosition) throws(StorageError) -> [ReplayedTurn] {
        try records.turns(from: position)
    }

    package mutating func drop(before sequence: LogSequence) throws(StorageError) { try records.drop(before: sequence) }

    package mutating func hold(_ number: KeyNumber, _ key: RecordKey) throws(StorageError) {
        try records.hold(number, key)
    }

    package mutating func wipe(through number: KeyNumber) throws(StorageError) { try records.wipe(through: number) }
}
