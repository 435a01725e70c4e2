import JSON
import Names
import Record
package import Transport
package import Wire

/// Producers and readers of a flood together, in one thread that owns everything: it sends events that are due, and
/// measures answers that come.
package struct FloodLoop: ~Copyable {
    package let plan: FloodPlan
    package private(set) var traffic: Traffic
    package private(set) var samples: [ProcessSample] = []
    private let producers: [ProducerLane]
    private let readers: [ReaderLane]
    private let hints: HintLane
    private let clock = ContinuousClock.now
    private var reads: Arrivals?
    private var readRandom: SplitMix
    private var nextProducer = 0
    private var nextReader = 0
    private var nextSecond = 1.0
    private var processes: ProcessTable?
    private let stop: Signals?
    private var isStopped = false
    private var lastWindow: UInt32 = 0
    /// Answers to questions of the audit.
    var auditAnswers: [UInt32: GatewayWord] = [:]

    /// The number of lost hints that readers make up for at a time.
    private static let looksAtOnce = 32
    static let longestWait: Duration = .milliseconds(20)
    /// The time after which no answer is waited for any more.
    static let answerTime: Duration = .seconds(5)
    static let conversationsAhead = 32
    private static let subscriptionTime: Duration = .milliseconds(200)

    /// - Parameters:
    ///   - access: the credentials for a service that lets only known keys in.
    ///   - processes: the processes of the service, which are measured meanwhile.
    ///   - stop: ends a stretch early; events that were sent are waited for and read all the same.
    package init(
        _ plan: FloodPlan, at endpoints: Endpoints, access: FloodAccess = FloodAccess(), processes: ProcessTable? = nil,
        stop: Signals? = nil
    ) throws {
        let context = try Context()
        let producers = try (0..<max(1, plan.producers)).map { _ in
            try ProducerLane(endpoints.events, in: context, access.events)
        }
        // Without readers there is one all the same, for the audit.
        let readers = try (0..<max(1, plan.readers)).map { _ in
            try ReaderLane(endpoints.fetch, in: context, access.fetch)
        }
        let hints = try HintLane(endpoints.ready, access.ready)
        (self.plan, self.producers, self.readers, self.hints) = (plan, producers, readers, hints)
        let workload = Workload(
            run: plan.run, conversations: plan.conversations, mix: plan.mix, shares: plan.shares,
            vocabulary: plan.vocabulary, seed: plan.seed)
        let rules = Traffic.Rules(
            batch: plan.batch, requestsInFlight: plan.requestsInFlight * producers.count, busyRule: plan.busyRule)
        traffic = Traffic(workload, rules: rules)
        readRandom = SplitMix(state: ~plan.seed)
        self.processes = processes
        self.stop = stop
    }

    package var now: RunTime {
        RunTime(nanoseconds: UInt64(clock.duration(to: .now).nanoseconds))
    }

    package var wasStopped: Bool { isStopped }

    /// Waits until the service is there; false where it does not come in time.
    package func connect(within time: Duration) throws -> Bool {
        guard try producers[0].waitUntilConnected(atMost: time) else { return false }
        // A subscription has no answer. Hints that are given before it is there are made up for by reading.
        _ = try wait(for: [hints.source], atMost: Self.subscriptionTime)
        return true
    }

    /// Lets events arrive at one rate, then waits until all of them are answered and readable.
    ///
    /// - Parameter progress: called once a second.
    /// - Returns: the moments at which the last event was due and everything was settled.
    package mutating func run(
        _ stretch: FloodStretch, progress: (borrowing FloodLoop) -> Void
    ) throws -> Stretch {
        // A stretch that may be over within a second has a first sample, too.
        samples = []
        let beginning = now
        if let sample = processes?.sample(at: beginning) { samples.append(sample) }
        let start = now
        let from = start + stretch.warmUp
        traffic.measures = Measures(from: from)
        traffic.measures.turn(to: start)
        let arrivals = Arrivals(plan.shape, rate: stretch.rate, from: start, seed: plan.seed &+ start.nanoseconds)
        let deadline: RunTime
        switch stretch.end {
        case .after(let time):
            traffic.begin(arrivals, until: from + time)
            deadline = from + time + plan.settleTime
        case .events(let count):
            traffic.begin(arrivals, until: RunTime(nanoseconds: .max), atMost: count)
            deadline = from + .seconds(Double(count) / stretch.rate) + plan.settleTime
        }
        reads = plan.readers > 0 && plan.readRate > 0 ? Arrivals(.poisson, rate: plan.readRate, from: start) : nil
        while traffic.isArriving, !isStopped, now < deadline { try turn(progress) }
        let arrivalsEnd = now
        traffic.stop(at: arrivalsEnd)
        reads = nil
        try settle(progress)
        return Stretch(start: start, from: from, arrivalsEnd: arrivalsEnd, settled: now)
    }

    /// The moments of one stretch.
    package struct Stretch: Sendable {
        package var start: RunTime
        /// The end of the warm-up.
        package var from: RunTime
        package var arrivalsEnd: RunTime
        package var settled: RunTime
    }

    private mutating func settle(_ progress: (borrowing FloodLoop) -> Void) throws {
        let deadline = now + plan.settleTime
        while !(traffic.isQuiet && traffic.awaited.count == 0), now < deadline { try turn(progress) }
        traffic.giveUp()
        traffic.measures.finish()
    }

    private mutating func turn(_ progress: (borrowing FloodLoop) -> Void) throws {
        try sendEvents()
        try sendReads()
        try listen(atMost: timeToNext())
        if now.seconds >= nextSecond {
            nextSecond = max(nextSecond + 1, now.seconds.rounded(.up))
            try onceASecond()
            progress(self)
        }
    }

    /// The time for which nothing is due.
    private func timeToNext() -> Duration {
        if producers.contains(where: { $0.stalled != nil }) { return .milliseconds(1) }
        let dues = [traffic.nextDue, reads?.next].compactMap { $0 }
        guard let first = dues.min() else { return Self.longestWait }
        return min(Self.longestWait, .nanoseconds(Int64(first.nanoseconds(since: now))))
    }

    private mutating func sendEvents() throws {
        for lane in producers where lane.stalled != nil {
            if try lane.send(lane.stalled!) { lane.stalled = nil }
        }
        for _ in producers {
            nextProducer = (nextProducer + 1) % producers.count
            let lane = producers[nextProducer]
            guard lane.stalled == nil else { continue }
            guard let request = traffic.request(at: now) else { return }
            if try !lane.send(request) { lane.stalled = request }
        }
    }

    private mutating func sendReads() throws {
        let now = now
        while let due = reads?.take(at: now) {
            let conversation = traffic.workload.drawConversation(&readRandom)
            let said = traffic.ledger.entries.count
            // Most people look at the newest messages.
            let place: WindowPlace =
                readRandom.below(4) == 0 && said > 0
                ? .date(Workload.time(ofMessage: UInt32(readRandom.below(said)))) : .newest
            try ask(.open(opening(of: conversation, around: place)), due: due, purpose: .open)
        }
    }

    /// The opening of a window under a number of its own.
    mutating func opening(
        of conversation: UInt32, around place: WindowPlace, count: Int = 50, wantsMessages: Bool = false
    ) throws -> WindowOpening {
        lastWindow &+= 1
        return WindowOpening(
            window: WindowID(lastWindow),
            conversation: try ConversationID(traffic.workload.names.conversation(conversation)),
            target: plan.target, place: place, count: count, screen: WindowOpening.standardScreen,
            wantsMessages: wantsMessages, rowVersion: .newest)
    }

    private mutating func ask(_ word: ClientWord, due: RunTime, purpose: ReaderLane.Question.Purpose) throws {
        nextReader = (nextReader + 1) % readers.count
        // A reader that cannot ask loses its turn, which shows as a missing page.
        _ = try readers[nextReader].ask(ReaderLane.Question(word: word, due: due, purpose: purpose))
    }

    /// Sends a word of the audit. All of them go over one lane, as its windows are open for as long as a conversation
    /// is read.
    func askForAudit(_ conversation: UInt32, _ word: ClientWord) throws {
        _ = try readers[0].ask(ReaderLane.Question(word: word, due: now, purpose: .audit(conversation)))
    }

    func leaveAudit(_ window: WindowID) throws { try readers[0].leave(window) }

    private mutating func onceASecond() throws {
        let now = now
        traffic.measures.turn(to: now)
        if let sample = processes?.sample(at: now) { samples.append(sample) }
        for reader in readers {
            traffic.measures.lostPages += try reader.forgetQuestions(before: now, by: Self.answerTime)
        }
        for request in traffic.overdue(at: now) {
            nextProducer = (nextProducer + 1) % producers.count
            if try !producers[nextProducer].send(request), producers[nextProducer].stalled == nil {
                producers[nextProducer].stalled = request
            }
        }
        for (event, _) in traffic.unheard(at: now, atMost: Self.looksAtOnce) {
            let message = try MessageID(traffic.workload.names.message(event.message))
            let place = WindowPlace.message(message)
            let opening = try opening(of: event.conversation, around: place, count: 1, wantsMessages: true)
            try ask(.open(opening), due: now, purpose: .look(event))
        }
    }

    mutating func listen(atMost time: Duration) throws {
        let sources =
            producers.map(\.source) + readers.map(\.source) + [hints.source] + (stop.map { [$0.source] } ?? [])
        _ = try wait(for: sources, atMost: time)
        if stop?.takeAll().isEmpty == false { isStopped = true }
        for lane in producers {
            while let (number, answers) = try lane.receive() { traffic.answered(number, answers, at: now) }
        }
        let heard = try hints.receive()
        if !heard.isEmpty {
            let now = now
            for hint in heard where traffic.workload.names.conversation(named: hint.conversation.text) != nil {
                guard let message = traffic.workload.names.message(named: hint.message.text) else { continue }
                if let revision = hint.revision { traffic.ready(message, revision: revision.number, at: now) }
            }
        }
        for lane in readers {
            while let (question, word) = try lane.receive() {
                read(word, question)
                switch (question.purpose, question.word) {
                case (.open, .open(let opening)), (.look, .open(let opening)): try lane.leave(opening.window)
                default: break
                }
            }
        }
    }

    private mutating func read(_ word: GatewayWord, _ question: ReaderLane.Question) {
        let now = now
        switch (question.purpose, word) {
        case (.audit(let conversation), _): auditAnswers[conversation] = word
        case (.open, .window), (.open, .refused(_, .unknownConversation)):
            // The conversation may have no messages yet.
            let time = now.nanoseconds(since: question.due)
            traffic.measures.fetched(time, rows: word.rows.count, due: question.due, at: now)
        case (.open, _): traffic.measures.refusedPages += 1
        case (.look(let event), _):
            let name = traffic.workload.names.message(event.message)
            guard let row = word.rows.first(where: { $0.message.isSpelled(name) }), let revision = row.revision else {
                return
            }
            traffic.found(event.message, revision: revision, at: now)
        }
    }
}

extension WindowRow {
    /// The revision of the row's message; nil where the message did not come with the row.
    var revision: UInt64? {
        guard let message = body?.message, let said = try? JSONReader(JSONValue.parse(message)).object() else {
            return nil
        }
        return try? UInt64(said.required("revision").integer())
    }
}

/// The keys of a flood, for each of the sockets that it calls.
package struct FloodAccess: Sendable {
    package var events = Access()
    package var fetch = Access()
    package var ready = Access()
    package var operators = Access()

    package init() {}
}

extension Duration {
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
