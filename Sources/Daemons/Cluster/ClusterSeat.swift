import Names
import Pool
import Replication
import Storage
import Transport
import Wire

/// A coordinator's seat in its cluster: the replica of its journal, the lines to other hosts, the turn that is on its
/// way into the log, and the requests of producers that another host is asked for.
struct ClusterSeat: ~Copyable {
    /// The answers of a turn, and its start.
    struct Judged {
        var answers: [PendingAnswer]
        var start: Moment

        mutating func unkeep() {
            for place in answers.indices { answers[place].unkeep(retryAfter: retryAfter, reason: .cluster) }
        }
    }

    /// The only partition, with all shards.
    static let partition = Partition(0)
    /// Milliseconds until a producer should try again.
    static let retryAfter = 100

    private(set) var crew: ReplicaCrew<LogLane>
    private let links: HostLinks
    private var turn: ProposedTurn<Judged>?
    private var judged: [Judged] = []
    private var forwarding = Forwarding()
    private var answers: [(json: [UInt8]?, to: Forwarding.Asker)] = []
    private let name: String
    private var copies: JournalCopies
    private var salvage: Salvage?
    private var asking: RowAsking
    private var giving: RowGiving
    private var comparison: RowComparison
    /// Whether the copy of another host's journal is whole: this process is to end, and the next one takes the copy
    /// over.
    private(set) var isReplaced = false

    /// - Parameters:
    ///   - records: the records that the journal has caught up with.
    ///   - end: the end of the journal.
    ///   - access: the access of sockets that listen.
    init(
        _ place: ClusterPlace, _ records: consuming ReplicaRecords, in folder: DataFolder, end: LogPosition,
        shards: Int, access: Access, at now: Moment
    ) throws {
        var own: ReplicaRecords? = records
        let crew = try ReplicaCrew(
            place.plan(shards: shards), place.log(), records: { _ in own.take()! }, ends: { _ in end }, at: now)
        let links = try HostLinks(place, access: access)
        let copies = try JournalCopies(in: folder)
        let comparison = try RowComparison(in: folder)
        giving = try RowGiving(from: folder)
        self.comparison = comparison
        asking = RowAsking(shards: shards)
        self.crew = crew
        self.links = links
        self.copies = copies
        name = place.name
    }

    var sources: [Source] { [crew.log.source, giving.source, comparison.source] + links.sources }

    /// The host that judges; nil where none is known.
    private var owner: HostID? {
        switch door {
        case .open, .wait: crew.plan.host
        case .elsewhere(let host): host
        case .busy: nil
        }
    }

    var door: Replica.Door { crew.replica(of: Self.partition)!.door }
    /// Whether requests are heard. While a turn is on its way they wait for the next one; where there is none to
    /// come, they are refused.
    var isHearing: Bool { door == .busy || turn == nil && door != .wait }
    /// Whether events are taken, by this host or another.
    var isOpen: Bool { door != .busy }

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
        for asker in forwarding.takeOverdue(at: now, owner: owner) { answer(asker, nil, at: now) }
        try crew.tick(now)
        if let (question, host) = copies.takeQuestion(at: now) { try links.say(question, to: host) }
        copies.tidy(at: now)
        try salvageMore(at: now)
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
            let replica = crew.replica(of: Self.partition)!
            let isSound = !replica.isLost && replica.applied.sequence > .zero
            if let piece = try copies.piece(number, from: offset, for: heard.word.host, isSound: isSound, at: now) {
                try links.answer(piece, on: route)
            }
        case (.piece(let number, let offset, let size, let bytes), nil):
            if try copies.take(number, offset, of: size, bytes, at: now) { isReplaced = true }
        case (.question(let question), let route?):
            if let served, served.edition == question.edition, served.engine.digest == question.engine {
                giving.ask(question, on: route)
            } else {
                try links.answer(.rows(question.batch, []), on: route)
            }
        case (.rows(let batch, let rows), nil): asking.take(rows, of: batch, from: heard.word.host)
        case (.count(let number), let route?): comparison.hear(number, on: route)
        case (.counted(let number, let count), nil): comparison.take(count, number, of: heard.word.host)
        case (.post, nil), (.answer, _), (.copy, nil), (.piece, _), (.question, nil), (.rows, _), (.count, _),
            (.counted, _):
            break
        }
    }

    // Rows of the owner's host, for the pool of this one.

    /// Words for the pool, in the name of the host that owns the log.
    mutating func takeWords(_ served: RowAsking.Served?, at now: Moment) -> [RowAsking.Told] {
        asking.words(owner: owner == crew.plan.host ? nil : owner, served, at: now)
    }

    /// Asks the owner's host for the rows that the pool wants of it.
    mutating func hear(_ word: CoordinatorWord, _ peer: Peer, at now: Moment) throws {
        guard let (question, host) = asking.hear(word, peer, at: now) else { return }
        if try !links.say(.question(question), to: host) { asking.take([], of: question.batch, from: host) }
    }

    /// - Parameter json: nil where the owner did not answer.
    private mutating func answer(_ asker: Forwarding.Asker, _ json: [UInt8]?, at now: Moment) {
        switch asker {
        case .salvage: salvage?.take(json, at: now)
        case .producer: answers.append((json, asker))
        }
    }

    /// Answers of owners, on their way to producers; nil where an owner gave none.
    mutating func takeAnswers() -> [(json: [UInt8]?, to: Forwarding.Asker)] {
        defer { answers = [] }
        return answers
    }

    /// Sorts the requests of a turn, those that other hosts forwarded among them: own ones are judged here, and the
    /// owner is asked for the rest, whose events are counted.
    mutating func sort(
        _ heard: [HeardRequest], at now: Moment
    ) throws -> (own: [HeardRequest], refused: [HeardRequest], forwarded: Int) {
        let all = heard + forwarding.takeWaiting()
        switch door {
        case .open: return (all, [], 0)
        case .wait, .busy: return ([], all, 0)
        case .elsewhere(let owner):
            var (refused, forwarded): ([HeardRequest], Int) = ([], 0)
            for one in all {
                if try forward(one, to: owner, at: now) {
                    forwarded += one.request.events.count
                } else {
                    refused.append(one)
                }
            }
            return ([], refused, forwarded)
        }
    }

    /// Asks the owner to judge a producer's request.
    /// - Returns: false where it cannot be asked.
    private mutating func forward(_ heard: HeardRequest, to owner: HostID, at now: Moment) throws -> Bool {
        // Requests of another host are not passed on: the two may each take the other for the owner.
        guard AnswerLine(heard.envelope) == nil,
            forwarding.hasRoom(for: heard.request.events.count, heard.bytes.count)
        else { return false }
        var payer = ""
        if case .key(let name) = heard.payer { payer = name }
        let asker = Forwarding.Asker.producer(envelope: heard.envelope, events: heard.request.events.count)
        return try ask(owner, for: heard.bytes, of: payer, asker, at: now)
    }

    private mutating func ask(
        _ owner: HostID, for request: [UInt8], of payer: String, _ asker: Forwarding.Asker, at now: Moment
    ) throws -> Bool {
        let serial = forwarding.begin(asker, request.count, of: owner, at: now)
        if try links.say(.post(serial: serial, payer: payer, request: request), to: owner) { return true }
        _ = forwarding.end(serial)
        return false
    }

    /// Answers a host that forwarded a request.
    func answer(_ json: [UInt8], on line: AnswerLine) throws {
        try links.answer(.answer(serial: line.serial, json: json), on: line.route)
    }

    // Salvage: a host that cannot go on by reading.

    mutating func begin(_ salvage: Salvage) { self.salvage = salvage }

    /// Posts the next events that the log may lack to the owner, as the other hosts name it.
    private mutating func salvageMore(at now: Moment) throws {
        guard let salvage else { return }
        if salvage.isDone {
            self.salvage = nil
            return try crew.salvaged(Self.partition)
        }
        guard let owner = crew.replica(of: Self.partition)?.ownerByHearsay, let bytes = self.salvage?.next(at: now),
            try !ask(owner, for: bytes, of: "", .salvage, at: now)
        else { return }
        self.salvage?.take(nil, at: now)
    }

    mutating func fetch(from host: HostID, at now: Moment) { copies.fetch(from: host, at: now) }

    // The replica.

    mutating func takeComplaints() -> [String] { crew.log.takeWords() }
    mutating func takeWish() -> ReplicaCrew<LogLane>.Wish? { crew.takeWish() }
    mutating func committed(_ sequence: LogSequence) throws { try crew.committed(sequence, in: Self.partition) }
    mutating func send() throws { try crew.send() }

    /// Gives the log to another host, as this one is about to end.
    mutating func leave() throws { try crew.move(Self.partition, to: nil) }
    /// Whether it is still to give the log away: until another host has it, or none takes it.
    var isLeaving: Bool { crew.replica(of: Self.partition)!.isHandingOver }

    func tell(_ word: HostWord, _ host: HostID) throws { try links.say(.word(word), to: host) }

    /// Proposes a turn to the log.
    mutating func propose(_ content: TurnContent, _ judged: Judged) throws {
        let proposed = ProposedTurn(content, judged)
        guard let first = proposed.first else { return }
        turn = proposed
        try crew.propose(first, in: Self.partition)
    }

    mutating func settle(isKept: Bool) throws {
        if let next = turn?.settle(isKept: isKept) { return try crew.propose(next, in: Self.partition) }
        guard var over = turn.take()?.waiting else { return }
        if !isKept { over.unkeep() }
        judged.append(over)
    }

    /// The answers of turns that are over; and of one whose outcome nobody can tell, as the engine has not answered
    /// for as long as an owner waits. That one stays on its way: what is kept of it is a repetition when it is posted
    /// again.
    mutating func takeJudged() -> [Judged] {
        if door == .busy, var overdue = turn?.waiting, !overdue.answers.isEmpty {
            turn?.waiting.answers = []
            overdue.unkeep()
            judged.append(overdue)
        }
        defer { judged = [] }
        return judged
    }
}

// Orders of operators.
extension ClusterSeat {
    /// Carries out an operator's order for the cluster.
    /// - Returns: nil where the request is not for a cluster.
    mutating func obey(_ request: OperatorRequest) throws -> OperatorAnswer? {
        switch request {
        case .cluster: return .cluster(standing)
        case .adopt: if let objection = try adopt() { return .error(objection) }
        case .move(let heir): if let objection = try move(to: heir) { return .error(objection) }
        case .compare: return .done(count: Int(clamping: try compareRows()))
        default: return nil
        }
        return .done(count: nil)
    }

    /// Begins the log behind the journal of this host.
    /// - Returns: the reason why that cannot be; nil where it is done.
    private mutating func adopt() throws -> String? {
        switch crew.replica(of: Self.partition)!.standing {
        case .stopped: try crew.adopt(Self.partition)
        case .joining:
            return "this host has not read the log yet; where the engine does not answer, its program log says so"
        case .following, .claiming, .owning, .lost: return "the log of this cluster was begun before"
        }
        return nil
    }

    /// Lets another host own the log, whichever owns it now.
    /// - Returns: the reason why that cannot be; nil where it is on its way.
    private mutating func move(to name: String) throws -> String? {
        guard let heir = crew.plan.hosts.first(where: { $0.text == name }) else {
            let names = crew.plan.hosts.map(\.text).sorted().joined(separator: ", ")
            return "no host of this cluster is called '\(name)'; they are \(names)"
        }
        guard let owner else { return "nobody owns the log of this cluster at the moment" }
        if owner == crew.plan.host {
            try crew.move(Self.partition, to: heir)
        } else if owner != heir, try !links.say(.word(.move(Self.partition, to: heir)), to: owner) {
            return "\(owner.text), which owns the log, is not heard"
        }
        return nil
    }

    /// - Returns: the number of the comparison of all hosts' rows that begins.
    private mutating func compareRows() throws -> UInt64 {
        let number = comparison.begin()
        for host in crew.plan.hosts where host != crew.plan.host { try links.say(.count(number), to: host) }
        return number
    }

    /// Passes on counts to the hosts that asked for them.
    private mutating func tellCounts(_ edition: EditionID?) throws {
        for counted in comparison.takeCounted(edition) {
            if let route = counted.asker.route {
                try links.answer(.counted(counted.asker.number, counted.count), on: route)
            } else {
                comparison.take(counted.count, counted.asker.number, of: crew.plan.host)
            }
        }
    }

    var standing: ClusterStanding {
        var standing = ClusterStanding(crew.replica(of: Self.partition)!, of: name)
        let rows = comparison.counts.sorted { $0.key < $1.key }.map { host, count in
            ClusterStanding.Rows(
                host: host.text, edition: count.edition.text, count: count.rows, digest: count.digest)
        }
        standing.comparison = ClusterStanding.Comparison(number: comparison.number, rows: rows)
        return standing
    }
}
