import Operations
import Pool
package import Storage
package import Transport
package import Wire

private let log = Log("coordinator")

/// The coordinator's one thread: it carries out the decisions of `Bookkeeper` and `Dispatcher`, and makes none of its
/// own.
///
/// ```text
/// requests ─▶ Bookkeeper ─▶ entries ┐
/// workers  ─▶ Dispatcher ─▶ record  ┴▶ one commit of the journal ─▶ answers, jobs ─▶ Dispatcher ─▶ batches, hints
/// ```
///
/// Everything that arrives in one turn is one frame of the log, so that a hundred producers cost one wait for the
/// disk; no producer is told "accepted" before it.
package struct CoordinatorLoop: ~Copyable {
    let sockets: CoordinatorSockets
    let folder: DataFolder
    var journal: SQLiteJournal
    private let lane: JournalLane
    /// The seat in a cluster; nil where this host is alone.
    var cluster: ClusterSeat?
    var keeper: Bookkeeper
    private var words = EditionWords()
    var dispatcher: Dispatcher
    let clock = LoopClock()
    var watch = Stopwatch()
    var (figures, traces) = (CoordinatorFigures(), CoordinatorTraces())
    var shares = EventShares()
    /// The answers to the requests of the present turn, in their order.
    var answers: [PendingAnswer] = []
    var operatorAnswers: [[[UInt8]]] = []
    /// Trouble with writing turns.
    private(set) var writing = LastingTrouble(
        begins: "the journal cannot be written", ends: "the journal can be written again")
    var care = CareTimes()
    private var asides = PutAsides()
    private var memory: MemoryGuard
    private let changes: Mailbox<Settings>
    let editions: EditionFolder
    var supply: EditionSupply
    let names: @Sendable ([UInt8]) -> String?
    private let wanted: WantedEdition?
    private(set) var mostFiles: Int
    private var isDrained = false
    /// Whether nothing came in this turn, so that there is time for work that is not urgent.
    private var isIdle = true
    /// Whether the journal was asked for messages, and has some left to look for.
    var isLooking = false
    private var turns = WritingTurns()

    /// The time between two turns when nothing comes: leases and retries fall due.
    private static let tickLength: Duration = .milliseconds(20)
    /// The most frames of one socket in one turn, so that no socket starves another.
    static let framesPerTurn = 256

    package typealias Settings = CoordinatorSettings

    /// Opens the journal, takes up the unfinished work, and binds the sockets.
    ///
    /// - Parameters:
    ///   - remote: the endpoint for workers of other hosts; nil where they come in as others do, or not at all.
    ///   - changes: new settings, as far as a running coordinator takes them up.
    ///   - names: the name of an edition, from its file in the folder; nil for one that cannot be read.
    ///   - hasJournal: called when the journal is open, before the sockets are bound.
    package init(
        in folder: DataFolder, at endpoints: Endpoints, remote: String? = nil, access: Access = Access(),
        settings: Settings, changes: Mailbox<Settings>,
        names: @escaping @Sendable ([UInt8]) -> String? = { _ in nil }, hasJournal: () -> Void = {}
    ) throws {
        var opened = try OpenedJournal(in: folder, settings)
        hasJournal()
        let standing = opened.standing
        let lane = try JournalLane(folder, opened.settings)
        let sockets = try CoordinatorSockets(at: endpoints, remote: remote, access: access)
        if let place = settings.cluster, let records = opened.records.take() {
            cluster = try ClusterSeat(
                place, records, in: folder, shards: standing.latest.count, access: access, at: clock.now)
        } else {
            cluster = nil
        }
        let keeper = Bookkeeper(shards: standing.latest.count, limits: settings.ingest)
        let dispatcher = Dispatcher(
            term: opened.journal.term, standing: standing, limits: settings.dispatch, seed: .random(in: 0 ... .max),
            folder: try FolderProof.make(in: folder), isBeyondPrevious: try FolderFormats.isBeyondPrevious(in: folder))
        log.info(
            "listening",
            [
                "events": "\(endpoints.events)", "term": .number(Int(opened.journal.term)),
                "unfinished": .number(dispatcher.unfinished),
            ])
        self.sockets = sockets
        (self.keeper, self.dispatcher) = (keeper, dispatcher)
        self.folder = folder
        opened.journal.givesAway = { [chores = lane.chores] in chores.post($0) }
        self.lane = lane
        journal = opened.journal
        self.changes = changes
        self.names = names
        editions = EditionFolder(folder)
        supply = EditionSupply(editions)
        (wanted, mostFiles) = (settings.wanted, settings.files)
        memory = MemoryGuard(ceiling: settings.memoryCeiling) { ProcessFacts.memory() ?? 0 }
    }

    /// Runs until told to stop; then nothing more is accepted, and layouts in progress get `patience` to end.
    package mutating func run(until stop: [Source], patience: Duration = .seconds(5)) throws {
        try beginWithEditions(wanted)
        // Learned before the first event, which may be here already.
        words.learn(&keeper.words, from: editions)
        ServiceManager.current.ready("listening")
        var (stop, deadline): ([Source], Moment?) = (stop, nil)
        watch.lap(.start)
        while true {
            ServiceManager.current.isAlive()
            let rest = turns.rest(at: clock.now)
            let hears = rest <= .zero && cluster?.isHearing ?? true
            let sources =
                [sockets.workers.source, sockets.operators.source, sockets.ready.source, lane.ends.source]
                + (hears ? [sockets.events.source] : []) + (sockets.remotes.map { [$0.socket.source] } ?? [])
                + (cluster?.sources ?? [])
            let awake = try wait(for: sources + stop, atMost: isLooking ? .zero : rest > .zero ? rest : Self.tickLength)
            isLooking = false
            watch.lap(.wake)
            if awake.dropFirst(sources.count).contains(true) {
                stop = []
                // A drain that an operator has ended says nothing of this one.
                (deadline, isDrained) = (clock.now + patience, false)
                ServiceManager.current.stopping("finishing what is being laid out")
                try handle(.command(.drain))
                try cluster?.leave()
            }
            isIdle = rest == .zero && !awake.contains(true)
            if awake[2] { for peer in try sockets.ready.tend() { peer.tell() } }
            if awake[3] { try takeChores() }
            try guardMemory()
            watch.lap(.upkeep)
            try turn()
            if cluster?.isReplaced ?? false { return try close() }
            if let deadline, isDrained && cluster?.isLeaving != true || clock.now >= deadline { return try close() }
        }
    }

    private mutating func turn() throws {
        let start = clock.now
        traces.beginTurn()
        try hearCluster()
        keeper.open(room: dispatcher.room, at: WallClock.now, turn: start)
        if turns.isDue(at: start), cluster?.isHearing ?? true { try hearProducers() }
        try hearWorkers()
        try hearOperators()
        watch.lap(.dispatch)
        let jobs = try commit(from: start)
        watch.lap(.journal)
        if !answers.isEmpty { turns.wrote(from: start) }
        try send(answers, since: start)
        answers.removeAll(keepingCapacity: true)
        watch.lap(.answer)
        if !jobs.isEmpty { try handle(.accepted(jobs)) }
        try handle(.turn(clock.now))
        try answerOperators()
        watch.lap(.dispatch)
        try takeCare()
        watch.lap(.upkeep)
        try journal.rest()
        watch.lap(.journal)
    }

    /// Writes the turn, and returns the jobs that are due because of it.
    private mutating func commit(from start: Moment) throws -> [DueJob] {
        let written = keeper.close(with: dispatcher.record)
        guard cluster != nil else { return try write(written) ? DueJob.jobs(of: written) : [] }
        // The progress of workers is each host's own.
        guard try write(JournalTurn(record: written.record)) || written.record.isEmpty else { return [] }
        try propose(written, from: start)
        return []
    }

    /// - Returns: false where nothing was written.
    private mutating func write(_ written: JournalTurn) throws -> Bool {
        guard !written.isEmpty else { return false }
        let start = Traces.start
        do throws(StorageError) {
            try journal.commit(written)
        } catch {
            // The next start finds out what is on the disk.
            if case .notSynced = error { throw error }
            // Nothing of it was written. Producers are told to try again; the record is written with a later turn.
            writing.tell(error, at: clock.now)
            unkeepAnswers(retryAfter: Self.afterTrouble, reason: .disk)
            return false
        }
        writing.tellEnd()
        traces.note(written, from: start)
        try handle(.recorded)
        return true
    }

    mutating func handle(_ event: Dispatcher.Event) throws {
        for effect in dispatcher.handle(event) { try perform(effect) }
    }

    private mutating func guardMemory() throws {
        // It is moved out for the moment, as the sockets are used meanwhile.
        var memory = memory
        defer { self.memory = memory }
        var cut: [CutPeer] = []
        try memory.look { cut = sockets.cutBusiest(atLeast: $0) }
        for peer in cut { peer.tell() }
    }

    mutating func noteDrained() { isDrained = true }

    /// Does what is due now and then: new settings, and the care of the journal, which merges, forgets and packs.
    private mutating func takeCare() throws {
        let now = clock.now
        if care.beginsSecond(at: now) {
            asides.remove(in: folder, at: now)
            if let latest = changes.takeAll().last { takeUp(latest) }
            try probe()
            words.learn(&keeper.words, from: editions)
            for one in journal.takeDamage() { log.error("a damaged segment stays as it is", ["reason": "\(one)"]) }
        }
        guard care.isDue(at: now) else { return }
        do throws(StorageError) {
            let isMore = try journal.maintain(idle: isIdle)
            care.noteEnd(isMore: isMore, isAway: journal.isChoreAway, at: clock.now)
        } catch {
            if case .notSynced = error { throw error }
            care.noteFailure(error, at: clock.now)
        }
    }

    /// Takes up the chores that the lane beside has done for the journal.
    private mutating func takeChores() throws {
        for end in lane.ends.takeAll() {
            let (end, times) = try end.get()
            watch.times += times
            if let reason = try journal.take(end) { care.noteFailure(reason, at: clock.now) }
        }
    }

    /// Probes the journal after a failed write: it writes what is there already, to find room again without a post.
    private mutating func probe() throws {
        guard writing.reason != nil else { return }
        var record = PoolRecord()
        record.added = dispatcher.demand.added
        do throws(StorageError) {
            try journal.commit(JournalTurn(record: record))
            writing.tellEnd()
        } catch {
            writing.tell(error, at: clock.now)
        }
    }

    /// Takes up limits, retention and files of future editions. Other settings hold since files and sockets opened.
    private mutating func takeUp(_ settings: Settings) {
        keeper.limits = settings.ingest
        mostFiles = settings.files
        dispatcher.limits.jobs = settings.dispatch.jobs
        dispatcher.limits.demand = settings.dispatch.demand
        journal.settings.retention = settings.journal.retention
    }

    private mutating func close() throws {
        cluster?.giveUp()
        if cluster != nil { try fulfil() }
        let record = dispatcher.record
        if !record.isEmpty { try journal.commit(JournalTurn(record: record)) }
        while journal.isChoreAway {
            _ = try wait(for: [lane.ends.source], atMost: .seconds(60))
            try takeChores()
        }
        try journal.close()
    }
}
