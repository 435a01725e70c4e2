import Names
import Pool
import Replication
import Storage
import Transport
import Wire

/// A coordinator's seat in its cluster: the replicas of its journal, one for each partition, the lines to other hosts,
/// the turns that are on their way into the logs, and the requests of producers that another host is asked for.
struct ClusterSeat: ~Copyable {
    /// The answers of a turn, and its start.
    struct Judged {
        var answers: [PendingAnswer]
        var start: Moment

        mutating func unkeep() {
            for place in answers.indices { answers[place].unkeep(retryAfter: retryAfter, reason: .cluster) }
        }
    }

    /// Milliseconds until a producer should try again.
    static let retryAfter = 100

    var crew: ReplicaCrew<LogLane>
    let links: HostLinks
    /// The turns that are on their way, at most one of each partition.
    private var turns: [Partition: ProposedTurn<Judged>] = [:]
    private var judged: [Judged] = []
    var forwarding = Forwarding()
    /// Requests whose parts are with several owners, and those that wait for the turn before them.
    var splits: SplitRequests
    var held = HeldRequests()
    private var answers: [(json: [UInt8]?, to: Forwarding.Asker)] = []
    let name: String
    private var copies: JournalCopies
    private var salvages: [Partition: Salvage] = [:]
    private var spread: Spread
    private var closing = ClosedPartitions()
    private var nextLook = Moment.start
    /// The questions for rows of the owner's host; those of each other host where the log has several partitions.
    private var asking: [HostID: RowAsking] = [:]
    private var makers: [Peer: Set<Shard>] = [:]
    private var named = NamedQuestions()
    private var giving: RowGiving
    var comparison: RowComparison
    /// Whether this process is to end, and the next one takes over the copy of another host's journal.
    private(set) var isReplaced = false

    /// - Parameters:
    ///   - records: the records that the journal has caught up with.
    ///   - access: the access of sockets that listen.
    init(
        _ place: ClusterPlace, _ records: OpenedRecords, in folder: DataFolder, shards: Int, access: Access,
        at now: Moment
    ) throws {
        let plan = try place.plan(shards: shards)
        let crew = try ReplicaCrew(
            plan, place.log(), records: { records.take($0) }, ends: { records.end(of: $0) }, place: records.place,
            at: now)
        let links = try HostLinks(place, access: access)
        let copies = try JournalCopies(in: folder)
        let comparison = try RowComparison(in: folder, hasSeveralLogs: plan.map.partitions > 1)
        giving = try RowGiving(from: folder)
        self.comparison = comparison
        if plan.map.partitions == 1 {
            asking[plan.host] = RowAsking(shards: shards)
        } else {
            for host in plan.hosts where host != plan.host { asking[host] = RowAsking(shards: shards) }
        }
        splits = SplitRequests(plan.map)
        spread = Spread(of: plan.host, among: plan.hosts, at: now)
        self.crew = crew
        self.links = links
        self.copies = copies
        name = place.name
    }

    var sources: [Source] { [crew.log.source, giving.source, comparison.source] + links.sources }

    var partitions: [Partition] { crew.plan.map.all }
    /// Whether the journal has the logs of several partitions.
    var hasSeveralLogs: Bool { crew.plan.map.partitions > 1 }

    /// The host that judges the events of a partition; nil where none is known.
    func owner(of partition: Partition) -> HostID? {
        switch door(of: partition) {
        case .open, .wait: crew.plan.host
        case .elsewhere(let host): host
        case .busy: nil
        }
    }

    func door(of partition: Partition) -> Replica.Door { crew.replica(of: partition)!.door }
    /// Whether a turn of the partition may be judged now.
    func isFree(_ partition: Partition) -> Bool { turns[partition] == nil }

    /// Whether requests are heard. While a turn is on its way they wait for the next one; where there is none to
    /// come, they are refused. Where there are several partitions, those for other ones must not wait: all are heard,
    /// and what waits is held here.
    var isHearing: Bool {
        if hasSeveralLogs { return true }
        let door = door(of: Partition(0))
        return door == .busy || isFree(Partition(0)) && door != .wait
    }
    /// The partitions whose events no host takes, as far as this one knows.
    var closed: [Partition] { partitions.filter { door(of: $0) == .busy } }
    /// Whether events of any partition are taken, by this host or another. An event is busy where its own is closed.
    var isOpen: Bool { closed.count < partitions.count }
    /// The closed partitions for the health of the service; nil where there is one, as that tells of all events then.
    var closedNumbers: [Int]? { hasSeveralLogs ? closed.map { Int($0.number) } : nil }

    /// Whether another host waits for rows of this one.
    var isAskedForRows: Bool { giving.isAsked }

    /// Takes the words of the engine and of other hosts.
    /// - Parameters:
    ///   - served: the edition that this host lays out for readers; nil while it lays out none.
    ///   - progress: the jobs of that edition that are done, if a host waits for their rows.
    mutating func hear(_ served: RowAsking.Served?, _ progress: ServedProgress?, at now: Moment) throws {
        for event in try crew.log.takeEvents() { try crew.take(event) }
        for heard in try links.takeWords() { try take(heard, served, at: now) }
        if let progress { giving.tell(progress) }
        for answer in giving.takeAnswers() { try links.answer(.rows(answer.batch, answer.rows), on: answer.route) }
        try tellCounts(served?.edition)
        let owners = partitions.map { owner(of: $0) }
        for asker in forwarding.takeOverdue(at: now, owner: { owners[Int($0.number)] }) { answer(asker, nil, at: now) }
        try crew.tick(now)
        try settleCopy()
        if let (question, host) = copies.takeQuestion(at: now) { try links.say(question, to: host) }
        copies.tidy(at: now)
        try salvageMore(at: now)
        try lookAround(at: now)
    }

    /// Tells the operator of partitions that no host owns, and gives one to a host that owns fewer; now and then.
    private mutating func lookAround(at now: Moment) throws {
        guard hasSeveralLogs, now >= nextLook else { return }
        nextLook = now + .milliseconds(500)
        closing.tell(closed, at: now)
        guard let gift = spread.gift(of: partitions.map { Spread.Part(crew.replica(of: $0)!) }, at: now) else { return }
        try crew.move(gift.partition, to: gift.heir)
    }

    private mutating func take(_ heard: HostLinks.Heard, _ served: RowAsking.Served?, at now: Moment) throws {
        switch (heard.word.body, heard.route) {
        case (.word(let word), _): try crew.take(word)
        case (.post(let serial, let payer, let bytes), let route?):
            if let events = forwarding.take(bytes, of: payer, on: AnswerLine(route: route, serial: serial)) {
                let busy = EventAnswer.busy(retryAfter: Self.retryAfter, reason: .full)
                let json = EventAnswer.json(Array(repeating: busy, count: events), limits: RequestLimits())
                try links.answer(.answer(serial: serial, json: json), on: route)
            }
        case (.answer(let serial, let json), nil):
            if let asker = forwarding.end(serial) { answer(asker, json, at: now) }
        case (.copy(let number, let offset), let route?):
            // This host may have been lost, or have lost its disk, since it was chosen: the copy would be no better.
            let (host, isGiven) = (heard.word.host, crew.shared.isGiven(to: heard.word.host))
            if let piece = try copies.piece(number, from: offset, for: host, isSound: isGiven, at: now) {
                try links.answer(piece, on: route)
            }
        case (.piece(let number, let offset, let size, let bytes), nil):
            _ = try copies.take(number, offset, of: size, bytes, at: now)
        case (.question(let question), let route?):
            if let served, served.edition == question.edition, served.engine.digest == question.engine {
                giving.ask(question, on: route)
            } else {
                try links.answer(.rows(question.batch, []), on: route)
            }
        case (.named(let named), let route?):
            guard let served, served.edition == named.question.edition,
                served.engine.digest == named.question.engine, self.named.take(named, on: route, at: now)
            else { return try links.answer(.rows(named.question.batch, []), on: route) }
        case (.rows(let batch, let rows), nil): take(rows, of: batch, from: heard.word.host)
        case (.count(let number), let route?): comparison.hear(number, on: route)
        case (.counted(let number, let count), nil): comparison.take(count, number, of: heard.word.host)
        case (.post, nil), (.answer, _), (.copy, nil), (.piece, _), (.question, nil), (.named, nil), (.rows, _),
            (.count, _), (.counted, _):
            break
        }
    }

    // Rows of the owner's host, for the pool of this one.

    private mutating func take(_ rows: [UInt8], of batch: BatchID, from host: HostID) {
        for place in asking.keys { asking[place]!.take(rows, of: batch, from: host) }
    }

    /// Words for the pool, in the names of hosts that own logs.
    mutating func takeWords(_ served: RowAsking.Served?, at now: Moment) -> [RowAsking.Told] {
        let own = crew.plan.host
        guard hasSeveralLogs else {
            let owner = owner(of: Partition(0))
            return asking[own]!.words(owner: owner == own ? nil : owner, served, at: now)
        }
        let owners = Set(partitions.compactMap { owner(of: $0) })
        var words: [RowAsking.Told] = []
        for host in crew.plan.hosts where host != own {
            words += asking[host]!.words(owner: owners.contains(host) ? host : nil, served, at: now)
        }
        return words
    }

    /// The shards whose rows the pool may have of each other host: those that it owns; nil where that is as it was.
    mutating func takeMakers() -> [Peer: Set<Shard>]? {
        guard hasSeveralLogs else { return nil }
        var now: [Peer: Set<Shard>] = [:]
        for host in crew.plan.hosts where host != crew.plan.host {
            let shards = partitions.filter { owner(of: $0) == host }.flatMap { crew.plan.map.shards(of: $0) }
            now[RowAsking.peer(host)] = Set(shards)
        }
        guard now != makers else { return nil }
        makers = now
        return now
    }

    /// Asks the owner's host for the rows that the pool wants of it.
    mutating func hear(_ word: CoordinatorWord, _ peer: Peer, at now: Moment) throws {
        for place in asking.keys {
            guard let (question, host) = asking[place]!.hear(word, peer, at: now) else { continue }
            var body = LinkWord.Body.question(question)
            if hasSeveralLogs, case .assign(let batch) = word { body = .named(NamedRowQuestion(question, of: batch)) }
            if try !links.say(body, to: host) { take([], of: question.batch, from: host) }
        }
    }

    /// Passes on questions of other hosts that name messages, with the numbers that these have in the journal.
    /// - Returns: whether more of them wait for the next turn.
    mutating func giveNamed(numberedBy journal: inout SQLiteJournal, at now: Moment) throws -> Bool {
        for (batch, route) in named.takeLate(at: now) { try links.answer(.rows(batch, []), on: route) }
        for (named, route) in named.takeNext() {
            let question = try named.numbered { name throws(StorageError) in try journal.message(name)?.card.number }
            giving.ask(question, on: route)
        }
        return !named.isEmpty
    }

    /// - Parameter json: nil where the owner did not answer.
    private mutating func answer(_ asker: Forwarding.Asker, _ json: [UInt8]?, at now: Moment) {
        switch asker {
        case .salvage(let partition): salvages[partition]?.take(json, at: now)
        case .producer: answers.append((json, asker))
        }
    }

    /// Answers of owners, on their way to producers; nil where an owner gave none.
    mutating func takeAnswers() -> [(json: [UInt8]?, to: Forwarding.Asker)] {
        defer { answers = [] }
        return answers
    }

    /// Answers a host that forwarded a request.
    func answer(_ json: [UInt8], on line: AnswerLine) throws {
        try links.answer(.answer(serial: line.serial, json: json), on: line.route)
    }

    // Salvage: a host that cannot go on by reading.

    mutating func begin(_ salvage: Salvage, of partition: Partition) { salvages[partition] = salvage }

    /// Posts the next events that a log may lack to its owner, as the other hosts name it.
    private mutating func salvageMore(at now: Moment) throws {
        for (partition, salvage) in salvages {
            if salvage.isDone {
                salvages[partition] = nil
                try crew.salvaged(partition)
                continue
            }
            guard let owner = crew.replica(of: partition)?.ownerByHearsay,
                let bytes = salvages[partition]?.next(at: now),
                try !ask(owner, for: bytes, of: "", .salvage(partition), in: partition, at: now)
            else { continue }
            salvages[partition]?.take(nil, at: now)
        }
    }

    /// Begins a copy of a host's journal. One with several logs is that of a better journal, and logs that go on here
    /// are given away before: where there is none, or it is not time, the replica asks again.
    mutating func fetch(from host: HostID, for partition: Partition, at now: Moment) throws {
        guard hasSeveralLogs else { return copies.fetch(from: host, at: now) }
        switch crew.shared.step {
        case .wait: try crew.notCopied(partition)
        case .makeWay:
            try crew.makeWay()
            try crew.notCopied(partition)
        case .copy(let better):
            try crew.makeWay()
            copies.fetch(from: better, at: now)
        }
    }

    /// Decides about a copy that is whole: one with several logs may be behind what others count on.
    private mutating func settleCopy() throws {
        guard let start = copies.ready else { return }
        switch hasSeveralLogs ? crew.shared.fate(ofCopyFrom: start) : .taken {
        case .taken:
            try copies.accept()
            isReplaced = true
        case .kept: break
        case .dropped:
            try copies.drop()
            for partition in partitions { try crew.notCopied(partition) }
        }
    }

    // The replica.

    mutating func takeComplaints() -> [String] { crew.log.takeWords() }
    mutating func takeWish() -> ReplicaCrew<LogLane>.Wish? { crew.takeWish() }
    mutating func committed(_ sequence: LogSequence, in partition: Partition) throws {
        try crew.committed(sequence, in: partition)
    }
    mutating func send() throws { try crew.send() }

    /// Gives the logs to other hosts, as this one is about to end.
    mutating func leave() throws { for partition in partitions { try crew.move(partition, to: nil) } }
    /// Whether it is still to give a log away: until another host has it, or none takes it.
    var isLeaving: Bool { partitions.contains { crew.replica(of: $0)!.isHandingOver } }

    func tell(_ word: HostWord, _ host: HostID) throws { try links.say(.word(word), to: host) }

    /// Proposes a turn to the log of a partition.
    mutating func propose(_ proposed: ProposedTurn<Judged>, to partition: Partition) throws {
        guard let first = proposed.first else { return }
        turns[partition] = proposed
        try crew.propose(first, in: partition)
    }

    mutating func settle(_ partition: Partition, isKept: Bool) throws {
        if let next = turns[partition]?.settle(isKept: isKept) { return try crew.propose(next, in: partition) }
        guard var over = turns.removeValue(forKey: partition)?.waiting else { return }
        if !isKept { over.unkeep() }
        judged.append(over)
    }

    /// The answers of turns that are over; and of one whose outcome nobody can tell, as the engine has not answered
    /// for as long as an owner waits. That one stays on its way: what is kept of it is a repetition when it is posted
    /// again.
    mutating func takeJudged() -> [Judged] {
        for partition in turns.keys where door(of: partition) == .busy { takeBack(partition) }
        defer { judged = [] }
        return judged
    }

    /// Takes back the answers of a turn that stays on its way.
    private mutating func takeBack(_ partition: Partition) {
        guard var overdue = turns[partition]?.waiting, !overdue.answers.isEmpty else { return }
        turns[partition]?.waiting.answers = []
        overdue.unkeep()
        judged.append(overdue)
    }

    /// Gives up all requests that wait for a log or for another host, as this process ends: the next one knows nothing
    /// of them. They are to be posted again.
    mutating func giveUp() {
        for partition in turns.keys { takeBack(partition) }
        for asker in forwarding.takeAll() { answers.append((nil, asker)) }
        for one in held.takeAll() + forwarding.takeWaiting() {
            answers.append((nil, .producer(envelope: one.envelope, events: one.request.events.count)))
        }
    }
}
