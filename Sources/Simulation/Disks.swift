import Names
import Pool
import Wire

/// The files of the shards, edition by edition, and the losses among them.
struct Disks {
    private let scenario: Scenario
    var files: [EditionID: [ShardFile]] = [:]
    /// Shards whose file was lost, in any edition.
    private(set) var lost: Set<Shard> = []
    /// The newest job of each shard at the time when the last walk through an edition began.
    private var walked: [EditionID: [JobNumber]] = [:]

    init(_ scenario: Scenario) { self.scenario = scenario }

    /// The file of an edition that a shard is in.
    func file(of shard: Shard, in edition: EditionID) -> Int { Int(scenario.map(of: edition).file(of: shard).number) }

    /// Makes the files of an edition that has none yet.
    mutating func open(_ edition: EditionID, _ dice: inout Dice) {
        guard files[edition] == nil else { return }
        files[edition] = (0..<scenario.shards).map { _ in
            ShardFile(
                origin: ShardOrigin(dice.next()),
                ordersAfter: walked[edition] ?? Array(repeating: .zero, count: scenario.shards), bug: scenario.bug)
        }
    }

    /// Begins a walk through a shard whose newest job is `latest`.
    mutating func beginWalk(_ edition: EditionID, _ shard: Shard, latest: JobNumber) {
        walked[edition, default: Array(repeating: .zero, count: scenario.shards)][Int(shard.number)] = latest
        let file = file(of: shard, in: edition)
        files[edition]?[file].ordersAfter[Int(shard.number)] = latest
    }

    /// Drops the transactions of a process that has ended.
    mutating func release(_ process: Int) {
        for edition in files.keys {
            for shard in files[edition]!.indices where files[edition]![shard].open?.process == process {
                files[edition]![shard].open = nil
            }
        }
    }

    /// Loses all of what was not synced, or some of it.
    mutating func losePower(_ dice: inout Dice) {
        for edition in files.keys.sorted() {
            for shard in files[edition]!.indices {
                files[edition]![shard].losePower(upTo: UInt64(dice.number(0...3)))
            }
        }
    }

    /// One of the files, if there is any.
    func anyFile(_ dice: inout Dice) -> (edition: EditionID, file: Int)? {
        guard !files.isEmpty else { return nil }
        let edition = dice.one(of: files.keys.sorted())
        return (edition, dice.number(0...scenario.map(of: edition).files - 1))
    }

    /// Puts a new file in the place of one that is gone.
    ///
    /// - Returns: the findings about the one that is gone.
    mutating func replace(
        _ edition: EditionID, _ file: Int, by origin: ShardOrigin, ordersAfter latest: [JobNumber]
    ) -> [String] {
        lost.formUnion(shards(of: edition, file))
        let findings = files[edition]![file].audit.findings
        files[edition]![file] = ShardFile(origin: origin, ordersAfter: latest, bug: scenario.bug)
        return findings
    }

    func shards(of edition: EditionID, _ file: Int) -> [Shard] {
        Array(scenario.map(of: edition).shards(of: FileNumber(UInt16(file))))
    }

    /// Whether one of these editions has a row of a message.
    func hasRow(_ message: MessageNumber, _ shard: Shard, in editions: [EditionID]) -> Bool {
        editions.contains { edition in files[edition]?[file(of: shard, in: edition)].rows[message] != nil }
    }

    /// Whether any edition has a row, which readers are shown once it is served.
    func isAnywhere(_ message: MessageNumber, _ shard: Shard) -> Bool {
        files.contains { $1[file(of: shard, in: $0)].rows[message] != nil }
    }
}
