import Pool
import Replication
import Storage
import Transport
import Wire

/// A coordinator's seat in its cluster: the replica of its journal, the lines to other hosts, the turn that is on its way into the log, and
/// requests of producers that another host is asked for.
struct ClusterSeat: ~Copyable {
    struct Judged {
        var answers: [PendingAnswer]
        var start: Moment
    }

    /// A request that the owner was asked for.
    private struct Forwarded {
        var envelope: [[UInt8]]
        var events: Int
        var since: Moment
    }

    /// All shards.
    static let partition = Partition(0)
    /// How long an owner may take; then the producer is told to try again. What it had written all the same is a duplicate then.
    private static let patience = Duration.seconds(3)
    /// Requests that others forwarded and that wait, and own ones that wait for others: events of each.
    private static let most = 8192
    /// Milliseconds until somebody should try again.
    static let retryAfter = 100

    private(set) var crew: ReplicaCrew<LogLane>
    private let links: HostLinks
    private var turn: ProposedTurn<Judged>?
    private var forwarded: [UInt64: Forwarded] = [:]
    private var serial = UInt64.random(in: 0 ... .max)
    private var waiting: [HeardRequest] = []
    private let name: String
    private var copies: JournalCopies
    private var salvage: Salvage?
    /// A copy of another host's journal is whole: this process is to end, and the next takes it over.
    private(set) var isReplaced = false

    /// - Parameters:
    ///   - journal: has caught up with the records.
    ///   - access: of sockets that listen.
    init(
        _ place: ClusterPlace, _ records: consuming ReplicaRecords, in folder: DataFolder, end: LogPosition,
        shards: Int, access: Access,
        at now: Moment
    ) throws {
        var own: ReplicaRecords? = records
        let crew = try ReplicaCrew(
            place.plan(shards: shards), place.log(), records: { _ in own.take()! }, ends: { _ in end }, at: now)
        let links = try HostLinks(place, access: access)
        let copies = try JournalCopies(in: folder)
        self.crew = crew
        self.links = links
        self.copies = copies
        name = place.name
    }

    var sources: [Source] { [crew.log.source] + links.sources }

    var door: Replica.Door { crew.replica(of: Self.partition)!.door }
    /// False while a turn is on its way: what is posted waits for the next one.
    var isHearing: Bool { turn == nil && door != .wait }
    /// Whether events can be taken: here, or by another host.
    var isOpen: Bool { door != .busy }

    /// Takes what the engine and other hosts have said.
    mutating func hear(at now: Moment) throws {
        for event in try crew.log.takeEvents() { try crew.take(event) }
        for heard in try links.takeWords() { try take(heard, at: now) }
        try crew.tick(now)
        if let (question, host) = copies.takeQuestion(at: now) { try links.say(question, to: host) }
        copies.tidy(at: now)
        try salvageMore(at: now)
    }

    mutating func fetch(from host: HostID, at now: Moment) { copies.fetch(from: host, at: now) }

    mutating func begin(_ salvage: Salvage) { self.salvage = salvage }

    /// Posts the next of what the log may lack to the owner, as the others name it.
    private mutating func salvageMore(at now: Moment) throws {
        guard let salvage else { return }
        if salvage.isDone {
            self.salvage = nil
            return try crew.salvaged(Self.partition)
        }
        guard let owner = crew.replica(of: Self.partition)?.ownerByHearsay, let bytes = self.salvage?.next(at: now)
        else { return }
        serial &+= 1
        guard try links.say(.post(serial: serial, payer: "", request: bytes), to: owner) else {
            self.salvage?.take(nil, at: now)
            return
        }
        forwarded[serial] = Forwarded(envelope: [], events: 0, since: now)
    }

    mutating func takeComplaints() -> [String] { crew.log.takeWords() }
    mutating func takeWish() -> ReplicaCrew<LogLane>.Wish? { crew.takeWish() }
    mutating func committed(_ sequence: LogSequence) throws { try crew.committed(sequence, in: Self.partition) }
    mutating func adopt() throws { try crew.adopt(Self.partition) }
    mutating func send() throws { try crew.send() }

    func tell(_ word: HostWord, _ host: HostID) throws {
        switch word {
        case .mark(let mark): try links.say(.mark(mark), to: host)
        case .key(let partition, let number, let key): try links.say(.key(partition, number, key), to: host)
        }
    }

    /// Has a turn written into the log.
    mutating func propose(_ content: TurnContent, _ judged: Judged) throws {
        let proposed = ProposedTurn(content, judged)
        guard let first = proposed.first else { return }
        turn = proposed
        try crew.propose(first, in: Self.partition)
    }

    /// - Returns: those who wait for the turn, where it is over.
    mutating func settle(isKept: Bool) throws -> Judged? {
        if let next = turn?.settle(isKept: isKept) {
            try crew.propose(next, in: Self.partition)
            return nil
        }
        return turn.take()?.waiting
    }

    private mutating func take(_ heard: HostLinks.Heard, at now: Moment) throws {
        switch (heard.word.body, heard.route) {
        case (.mark(let mark), _): try crew.take(.mark(mark))
        case (.key(let partition, let number, let key), _): try crew.take(.key(partition, number, key))
        case (.post(let serial, let payer, let bytes), let route?):
            // It was read by the host that forwards it.
            guard waiting.reduce(0, { $0 + $1.request.events.count }) < Self.most,
                let request = try? IngestRequest(parsing: bytes, eventLimit: Limits.eventsPerRequest)
            else { return }
            let line = Line(route: route, serial: serial)
            waiting.append(
                HeardRequest(
                    request: request, envelope: [line.frame], payer: payer.isEmpty ? nil : .key(payer), bytes: bytes))
        case (.answer(let serial, let json), nil):
            guard let asked = forwarded.removeValue(forKey: serial) else { return }
            guard !asked.envelope.isEmpty else {
                salvage?.take(json, at: now)
                return
            }
            answered.append((json, asked.envelope))
        case (.copy(let number, let offset), let route?):
            if let piece = try copies.piece(number, from: offset, for: heard.word.host, at: now) {
                try links.answer(piece, on: route)
            }
        case (.piece(let number, let offset, let size, let bytes), nil):
            if try copies.take(number, offset, of: size, bytes, at: now) { isReplaced = true }
        case (.post, nil), (.answer, _), (.copy, nil), (.piece, _): break
        }
    }

    /// Answers of owners, on their way to producers.
    private(set) var answered: [(json: [UInt8], envelope: [[UInt8]])] = []
    mutating func takeAnswered() -> [(json: [UInt8], envelope: [[UInt8]])] {
        defer { answered = [] }
        return answered
    }

    /// Requests that other hosts forwarded.
    mutating func takeWaiting() -> [HeardRequest] {
        defer { waiting = [] }
        return waiting
    }

    /// Asks the owner for what a producer wants.
    /// - Returns: false where it cannot be asked.
    mutating func forward(_ heard: HeardRequest, to owner: HostID, at now: Moment) throws -> Bool {
        guard Line(heard.envelope) == nil,
            forwarded.values.reduce(heard.request.events.count, { $0 + $1.events }) <= Self.most
        else { return false }
        var payer = ""
        if case .key(let name) = heard.payer { payer = name }
        serial &+= 1
        guard try links.say(.post(serial: serial, payer: payer, request: heard.bytes), to: owner) else { return false }
        forwarded[serial] = Forwarded(
            envelope: heard.envelope, events: heard.request.events.count, since: now)
        return true
    }

    /// Producers whose owner did not answer, and how many events each had.
    mutating func takeOverdue(at now: Moment) -> [(envelope: [[UInt8]], events: Int)] {
        let overdue = forwarded.filter { now - Self.patience > $0.value.since }
        for (serial, asked) in overdue {
            forwarded[serial] = nil
            if asked.envelope.isEmpty { salvage?.take(nil, at: now) }
        }
        return overdue.values.filter { !$0.envelope.isEmpty }.map { ($0.envelope, $0.events) }
    }

    /// Answers a host that forwarded a request.
    func answer(_ json: [UInt8], on line: Line) throws {
        try links.answer(.answer(serial: line.serial, json: json), on: line.route)
    }

    var standing: ClusterStanding { ClusterStanding(crew.replica(of: Self.partition)!, of: name) }
}

/// The line of a host that forwarded a request, as it stands in the envelope of its answer.
struct Line: Equatable {
    var route: [UInt8]
    var serial: UInt64

    /// Routes of libzmq begin with a zero, those of workers elsewhere with 0xFF.
    private static let mark: UInt8 = 0xFE

    init(route: [UInt8], serial: UInt64) { (self.route, self.serial) = (route, serial) }

    var frame: [UInt8] { [Self.mark] + serialBytes + route }
    private var serialBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: serial >> (56 - 8 * $0)) } }

    /// Nil for a producer of this host.
    init?(_ envelope: [[UInt8]]) {
        guard let frame = envelope.first, frame.first == Self.mark, frame.count > 9 else { return nil }
        serial = frame[1..<9].reduce(0) { $0 << 8 | UInt64($1) }
        route = Array(frame[9...])
    }
}
