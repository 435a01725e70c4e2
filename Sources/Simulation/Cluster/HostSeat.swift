import Names
import Pool
import Replication

/// A host: the state that survives its process, and the faults that it suffers.
struct HostSeat {
    let id: HostID
    /// One disk with the journal of all partitions, or one for each.
    var disks: [HostDisk]
    var process: HostProcess?
    var pausedUntil = Instant.start
    var slowUntil = Instant.start
    /// By other host, the time until which nothing passes between them.
    var cutUntil: [Int: Instant] = [:]
    /// The times until which its requests do not reach the engine, and answers do not reach it.
    var unheardUntil = Instant.start
    var deafUntil = Instant.start
    /// Whether its disk was lost, and it has not got everything back yet.
    var isEmpty = false
    /// By partition, the time at which another's journal took the place of its own.
    var copied: [Int: Instant] = [:]
    /// The time at which its process last ended.
    var ended = Instant.start

    /// The place of the disk with the journal of a partition.
    func place(of partition: Int) -> Int { disks.count > 1 ? partition : 0 }
    func disk(of partition: Int) -> HostDisk { disks[place(of: partition)] }

    /// The records of a partition's log.
    subscript(_ partition: Int) -> HostRecords {
        get { disks[place(of: partition)].logs[partition]! }
        set { disks[place(of: partition)].logs[partition] = newValue }
    }

    /// Whether it has been there for a while, and lacks nothing that it had.
    func isWhole(at now: Instant) -> Bool {
        guard let process, !isEmpty, ended + 3 * Length.second < now else { return false }
        return process.replicas.allSatisfy { !$0.isLost }
    }

    /// Returns a copy of the disk with a partition, for a host that asks; nil where it is none to go on with.
    func given(_ partition: Int, to host: HostID, _ bug: PlantedClusterBug?) -> GivenDisk? {
        guard let process, isGiven(process, partition, to: host, bug) else { return nil }
        let lost = process.replicas.indices.filter { process.replicas[$0].isLost }
        return GivenDisk(disk: disk(of: partition), lost: Set(lost))
    }

    private func isGiven(_ process: HostProcess, _ partition: Int, to host: HostID, _ bug: PlantedClusterBug?) -> Bool {
        let replica = process.replicas[partition]
        guard disks.count == 1 else { return replica.isWhole }
        // The host that asks has chosen it for one log.
        guard bug != .worseJournalCopied else { return !replica.isLost && replica.applied.sequence > .zero }
        return process.shared.isGiven(to: host)
    }

    /// Notes whether a host that lost its disk has got everything back.
    mutating func noteReturn() {
        guard isEmpty, let process else { return }
        isEmpty = !process.replicas.allSatisfy { replica in
            replica.applied.sequence > .zero && [.following, .owning].contains(replica.standing)
        }
    }

    /// Brings journals up to their records, as a process that ended between the two may have left them.
    /// - Returns: the reason why that cannot be.
    mutating func catchUp(_ bug: PlantedClusterBug?) -> String? {
        for place in disks.indices {
            if bug == .caughtUpForOneLog { disks[place].dropTurns(exceptOf: 0) }
            while disks[place].isBehind {
                if let fault = disks[place].takeTurn() { return fault }
            }
        }
        return nil
    }

    /// Records the turn of a record with its anchor, or the anchor alone where the turn is there.
    /// - Returns: the reason why it cannot.
    mutating func record(
        _ entry: LogEntry, _ anchor: LogAnchor, _ partition: Int, isThere: Bool, _ bug: PlantedClusterBug?
    ) -> String? {
        let place = place(of: partition)
        guard self[partition].admits(anchor) else { return "record \(anchor.sequence.number) does not follow" }
        var turn: TurnContent?
        if case .turn(let content) = entry.record.body, !isThere {
            let isAnew = bug == .jobsNumberedLocally && entry.record.head.host != id
            turn = isAnew ? disks[place].numberedAnew(content) : content
        }
        if let turn, let fault = disks[place].fault(in: turn, of: partition) { return fault }
        disks[place].record(turn, process!.corrected(anchor, partition), of: partition)
        if bug == .turnMovesOtherLogs, let turn {
            for other in disks[place].logs.keys where other != partition {
                disks[place].logs[other]!.moveOn(by: Int64(turn.entries.count))
            }
        }
        return nil
    }

    /// Puts a copy of another host's disk in the place of the only one.
    /// - Returns: the partitions whose logs went on here, and cannot go on in the copy.
    mutating func replace(
        by copy: GivenDisk, for partition: Int, _ bug: PlantedClusterBug?, at now: Instant
    ) -> [Int] {
        let own = disks[0].logs
        disks = [copy.disk]
        for other in own.keys {
            copied[other] = now
            if bug == .copiedForOneLog, other != partition { disks[0].logs[other] = own[other] }
        }
        return copy.lost.filter { !process!.replicas[$0].isLost }.sorted()
    }
}

// Records as the engine has them.
extension HostSeat {
    mutating func opened(
        _ bytes: [UInt8], _ partition: Partition, _ place: LogSequence, in scenario: ClusterScenario
    ) -> Replica.Event {
        let keys = self[Int(partition.number)].keys
        let codec = RecordCodec(scenario.cluster, partition, SimulatedCipher())
        do throws(RecordFault) {
            let entry = try codec.open(bytes, at: place) { keys[$0] }
            guard scenario.bug == .overtakenAndOwning else { return .entry(entry) }
            return .entry(process!.mistaken(entry, Int(partition.number)))
        } catch {
            return .unreadable(place, error)
        }
    }

    /// Has a record appended.
    mutating func append(
        _ asked: LogRecord, behind: LogSequence, _ partition: Partition, in scenario: ClusterScenario
    ) {
        var record = asked
        let keys = self[Int(partition.number)].keys
        if scenario.bug == .keyUsedBeforeShared, let newest = keys.keys.max() { record.head.key = newest }
        guard let key = keys[record.head.key] else {
            preconditionFailure("a key is used that is not on the disk")
        }
        let codec = RecordCodec(scenario.cluster, partition, SimulatedCipher())
        let bytes = codec.seal(record, at: behind.next, under: key)
        if scenario.bug == .claimedUnread, case .claim = record.body { process!.isBlind = true }
        process!.queue.add(LogAppend(partition, behind: behind, bytes))
    }
}
