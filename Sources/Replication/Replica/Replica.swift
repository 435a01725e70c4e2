import Names
package import Pool
import Wire

/// One host's part in one partition: it reads the log, claims it when its owner is silent, and owns it until another
/// host has claimed it.
///
/// ```text
///             level with the log          silence               claim appended
///  joining ─────────────────────▶ following ───────▶ claiming ─────────────────▶ owning
///   ▲  ▲                           ▲      ▲             │ somebody else is there    │ somebody else is there
///   │  └ the log ends before       │      └─────────────┴───────────────────────────┘
///   │    the journal: hears, then  └─ copied
///   │    the longest claims               lost: another link, behind the first record, surplus: salvages, then copies
///   └─ adopted ── stopped: the log has nothing with which the journal could be compared
/// ```
///
/// **The log is the lease.** A claim is an append behind everything that was read. The host that wins has read all,
/// and the append of the owner before is refused. No clock decides who may write.
///
/// **A refusal is read back.** The record at the place that was asked for is the own one, which had landed and was
/// not answered, or another's. So an unknown outcome needs no state of its own: the same record is asked for again,
/// behind the same place, and nothing else before that.
///
/// The shell applies records in the order of the log, one after the other; `applied` says that a record is on the
/// disk of the own journal, together with its anchor. Nothing is answered before that.
package struct Replica: Equatable, Sendable {
    package let partition: Partition
    package let host: HostID
    /// The other hosts that have the partition.
    package let peers: [HostID]
    package var limits: ReplicationLimits
    package internal(set) var standing: Standing
    package internal(set) var keys: KeyRing
    /// The addresses that the others are told with a claim.
    let endpoints: [String]

    /// The time since which others could be heard.
    package let start: Moment
    package internal(set) var now = Moment.start
    /// The last record that was read and taken, and the last that is on the own disk.
    package internal(set) var read: LogAnchor
    package internal(set) var applied: LogAnchor
    package internal(set) var trail: AnchorTrail
    /// The end of the journal when all is applied. The part behind `read.next` is a surplus, which the log lacks.
    var written: LogPosition
    var pending: PendingRecord?
    /// The own turn that is in the log and not on the own disk yet.
    var unsettled: LogSequence?
    /// The turns of the surplus, once read: an owner appends them, and records of another owner are compared with them.
    var surplus: [ReplayedTurn] = []
    /// The finding that the log ends before the journal.
    var shortfall: LogShortfall?
    var handOver: HandOver?
    /// The time in which others do not count on this journal; it may be over.
    var way: MakingWay?
    var calling: Calling?
    var marks: HeardMarks
    /// The time at which the last record came, and the time at which the last append of its own was acknowledged.
    var heard: Moment
    package internal(set) var success: Moment
    /// The time since which a record cannot be opened for want of a key.
    var lacking: Moment?
    var (lastRead, nextRead): (Moment, Moment)
    var trimming: Trimming
    var effects: [Effect] = []

    package typealias Standing = ReplicaStanding

    package enum Event: Equatable, Sendable {
        case tick(Moment)
        // From the log.
        case entry(LogEntry)
        case unreadable(LogSequence, RecordFault)
        case end(LogExtent)
        case reset
        case appended(behind: LogSequence, ChainLink)
        case refused(behind: LogSequence)
        case full(behind: LogSequence)
        // From the own disk.
        case applied(LogSequence)
        case stored(KeyNumber, RecordKey)
        /// The answer to `restore`: the turns that the journal has from there.
        case surplus([ReplayedTurn])
        /// Every event that `salvage` named is in the log of the owner of the partition, or was known there.
        case salvaged
        /// The journal is another's now, and goes on here.
        case copied(AnchorTrail, keys: [KeyNumber: RecordKey], wiped: KeyNumber)
        case notCopied
        // From others.
        case mark(Mark)
        case given(KeyNumber, RecordKey)
        /// An owner's shell has judged a turn, or agreed on screens.
        case proposed(LogRecord.Body, next: LogPosition)
        /// An operator says that the journal of this host is the one to go on with.
        case adopt
        /// An operator, or an owner's shell that ends, names the next owner; nil for the host that claims first.
        case handOver(to: HostID?)
        /// An owner waits for the claim of this host, behind this record.
        case called(LogSequence)
        /// The journal, which has other logs, too, is to be replaced by that of another host. To be told again.
        case makeWay
    }

    package enum Effect: Equatable, Sendable {
        case read(after: LogSequence)
        /// Replaces the append that was asked for before, of this partition.
        case append(LogRecord, behind: LogSequence)
        case withdraw
        case trim(to: LogSequence)
        case begin(after: LogSequence, inPlaceOf: LogSequence?)
        /// Commits a record with its anchor, in place of later anchors; of one that `isThere`, the anchor alone.
        case apply(LogEntry, LogAnchor, isThere: Bool)
        /// The turn is on the disks of a quorum and of this host; or nothing of it may be answered `accepted`.
        case settle(isKept: Bool)
        case restore(from: LogPosition)
        case salvage(from: LogPosition)
        case copy(from: HostID)
        case tell(Mark)
        /// Makes a key, unless there is one of that number.
        case makeKey(KeyNumber)
        case storeKey(KeyNumber, RecordKey)
        case giveKey(HostID, KeyNumber, RecordKey)
        case wipeKeys(through: KeyNumber)
        /// Calls a host to claim behind this record.
        case call(HostID, end: LogSequence)
        case notice(ReplicaNotice)
    }

    /// - Parameters:
    ///   - trail: the anchors that the journal has; the last is of the last record that was applied.
    ///   - end: the end of the journal.
    package init(
        _ partition: Partition, of host: HostID, among hosts: [HostID], endpoints: [String] = [],
        trail: AnchorTrail = AnchorTrail(), end: LogPosition = LogPosition(0), keys: [KeyNumber: RecordKey] = [:],
        wiped: KeyNumber = .zero, limits: ReplicationLimits = ReplicationLimits(), at now: Moment = .start
    ) {
        (self.partition, self.host, self.endpoints, self.limits) = (partition, host, endpoints, limits)
        peers = hosts.filter { $0 != host }.sorted()
        (self.trail, read, applied, written) = (trail, trail.last, trail.last, max(end, trail.last.next))
        self.keys = KeyRing(keys, wiped: wiped, upTo: trail.last.sequence)
        (standing, marks, trimming) = (.joining, HeardMarks(from: now), Trimming(from: now))
        (start, self.now, heard, lastRead, nextRead, success) = (now, now, now, now, now, now - limits.patience * 2)
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .tick(let moment): pass(to: moment)
        case .entry(let entry): take(entry)
        case .unreadable(let sequence, let fault): misread(sequence, fault)
        case .end(let extent): reach(extent)
        case .reset: stop()
        case .appended(let behind, let link):
            if let pending, pending.base.sequence == behind { land(pending, link) }
        case .refused(let behind):
            if pending?.base.sequence == behind, pending?.refused == nil { refuse() }
        case .full(let behind):
            guard let pending, pending.base.sequence == behind else { break }
            trimming.noteFull(for: pending.kind, at: now)
            drop()
        case .applied(let sequence): settle(sequence)
        case .stored(let number, let key): keys.hold(number, key, at: now)
        case .surplus(let turns): regain(turns)
        case .salvaged: if standing == .lost(.salvaging) { standing = .lost(.waiting) }
        case .copied(let trail, let keys, let wiped): goOn(with: trail, keys, wiped)
        case .notCopied: if case .lost(.copying) = standing { standing = .lost(.waiting) }
        case .mark(let mark): hear(mark)
        case .given(let number, let key): if keys.admits(number) { effects.append(.storeKey(number, key)) }
        case .proposed(let body, let next): propose(body, next: next)
        case .adopt: adopt()
        case .handOver(let heir): handOver(to: heir)
        case .called(let end): hearCall(end)
        case .makeWay: makeWay()
        }
        defer { effects = [] }
        return effects
    }

    private mutating func pass(to moment: Moment) {
        now = moment
        if marks.isDue(at: now, every: limits.mark) { effects.append(.tell(mark)) }
        switch standing {
        case .joining, .following, .stopped:
            look()
            considerClaim()
            if trimming.isFull, shortfall == nil { trim() }
        case .claiming: look()
        case .owning:
            look()
            rule()
        case .lost: recover()
        }
    }

    /// Whether it cannot go on by reading.
    package var isLost: Bool { if case .lost = standing { true } else { false } }

    /// The mark that others are told of this replica.
    package var mark: Mark {
        Mark(
            host: host, partition: partition, anchor: applied, keys: keys.numbers, wiped: keys.wiped,
            isLost: isLost || makesWay, makesWay: makesWay)
    }

    private mutating func hear(_ mark: Mark) {
        guard peers.contains(mark.host), mark.partition == partition else { return }
        marks.take(mark, at: now)
        if mark.anchor.sequence > read.sequence { nextRead = min(nextRead, lastRead + limits.nudge) }
        keys.note(mark.host, has: mark.keys)
        for (number, key) in keys.lacking(mark.keys, wiped: mark.wiped) {
            effects.append(.giveKey(mark.host, number, key))
        }
    }

    /// Takes a record as on the own disk.
    private mutating func settle(_ sequence: LogSequence) {
        guard let anchor = trail.anchor(at: sequence) else { return }
        applied = anchor
        guard unsettled == sequence else { return }
        unsettled = nil
        // So that others read it now, and not with their next look.
        effects += [.settle(isKept: true), .tell(mark)]
    }
}

// For producers.
extension Replica {
    package typealias Door = ReplicaDoor

    package var door: Door {
        switch standing {
        case .owning:
            if now - limits.patience > success { return .busy }
            let isIdle = pending == nil && unsettled == nil && surplus.isEmpty && handOver == nil
            return isIdle && written == read.next && applied == read ? .open : .wait
        case .joining, .following, .claiming:
            guard let owner = read.owner, owner != host else { return .busy }
            return .elsewhere(owner)
        case .lost, .stopped: return .busy
        }
    }

    /// Whether a copy of its journal may take the place of another's: it is the log up to its anchor, and no more.
    package var isWhole: Bool { hasNoSurplus && applied == read }

    /// Whether the journal has nothing that the log lacks, but for a turn that is on its way.
    var hasNoSurplus: Bool { (standing == .following || standing == .owning) && written == read.next }

    /// The other hosts, the last mark of each, and its age.
    package var hearsay: [(host: HostID, mark: Mark?, before: Duration?)] { peers.map { marks.said(of: $0, at: now) } }

    /// The owner by the word of the others, for a host that reads no more; nil where they name this one, or none.
    package var ownerByHearsay: HostID? {
        marks.owner(within: limits.freshness, at: now).flatMap { $0 == host ? nil : $0 }
    }

    /// The time since the last record of the log came.
    package var silence: Duration { now.sinceStart - (standing == .owning ? max(heard, success) : heard).sinceStart }
}
