import JSON
import Pool
import Replication

/// The state machine of everything that is asked of etcd: calls go out, outcomes come in, events come of them.
///
/// ```text
///  append ──▶ waiting ──▶ away ──▶ done ────────────▶ appended; or overtaken, in the partitions that refused
///                ▲          ├────▶ nothing was sent ─▶ the next node
///                │          ├────▶ no room ──────────▶ read back: it may be there ──▶ full, appended or overtaken
///                │          └────▶ all else ─────────▶ unknown
///  all else, which may be done twice: a node that fails ─▶ the next node, until time is up
/// ```
struct EtcdDesk {
    private let requests: EtcdRequests
    private var roster: EtcdRoster
    private var engine = EtcdEngine()
    private var waiting: [Errand] = []
    private var away: [CallNumber: Sent] = [:]
    private var reads = EtcdReads()
    private var upkeep = EtcdUpkeep()
    private var ledger = EtcdLedger()
    private var lastCall: UInt64 = 0
    private var lastTicket: UInt64 = 0
    private var now = Moment.start

    private struct Errand {
        var task: EtcdTask
        var deadline: Moment
    }

    private struct Sent {
        var errand: Errand
        var node: Int
        /// The revision that was known when it was sent. An answer of an earlier one says that etcd forgot.
        var floor: UInt64
    }

    init(_ requests: EtcdRequests, nodes: [String]) {
        self.requests = requests
        roster = EtcdRoster(nodes)
    }

    /// Whether everything that was asked for is answered.
    var isIdle: Bool { waiting.isEmpty && away.isEmpty && reads.isIdle }
    /// The next time at which something that waits is to be sent or given up.
    var wakes: Moment? {
        let errands = waiting.map { min(roster.wakes, $0.deadline) }
        return (errands + [upkeep.wakes].compactMap(\.self)).min()
    }

    mutating func append(_ records: [LogAppend], at moment: Moment) -> AppendTicket {
        lastTicket += 1
        let ticket = AppendTicket(lastTicket)
        ask(.append(ticket, records), at: moment)
        return ticket
    }

    mutating func read(_ wish: ReadWish) { reads.add(wish) }

    mutating func ask(_ task: EtcdTask, at moment: Moment) {
        now = max(now, moment)
        waiting.append(Errand(task: task, deadline: now + task.patience.whole))
    }

    mutating func takeEvents() -> [LogEvent] { ledger.takeEvents() }
    mutating func takeComplaints() -> [EtcdComplaint] { ledger.takeComplaints() }

    /// Returns the calls to send now.
    mutating func calls(at moment: Moment) -> [EtcdCall] {
        now = max(now, moment)
        if let wishes = reads.next() { ask(.read(wishes), at: now) }
        if let revision = upkeep.due(at: now) { ask(.compact(through: revision), at: now) }
        var calls: [EtcdCall] = []
        let errands = waiting
        waiting = []
        for errand in errands {
            if errand.deadline <= now {
                expire(errand.task)
            } else if let node = node(for: errand.task) {
                calls.append(call(errand, at: node))
            } else {
                waiting.append(errand)
            }
        }
        return calls
    }

    private func node(for task: EtcdTask) -> Int? {
        if case .defragment(let node) = task { node } else { roster.choice(at: now) }
    }

    private mutating func call(_ errand: Errand, at node: Int) -> EtcdCall {
        var errand = errand
        if case .read(let wishes) = errand.task { errand.task = .read(reads.paged(wishes)) }
        lastCall += 1
        let number = CallNumber(number: lastCall)
        away[number] = Sent(errand: errand, node: node, floor: engine.revision)
        let rest = errand.deadline.sinceStart - now.sinceStart
        return EtcdCall(
            number: number, node: node, path: errand.task.path, body: errand.task.body(requests),
            patience: min(rest, errand.task.patience.call))
    }

    private mutating func expire(_ task: EtcdTask) {
        switch task {
        case .append(let ticket, _), .readBack(let ticket, _): ledger.tell(.unknown(ticket))
        case .read: reads.end(isAnswered: false)
        case .defragment(let node): afterDefragment(of: node)
        case .compact: upkeep.compacted(at: now)
        case .trim, .begin, .alarms, .disarm: break
        }
    }
}

// Outcomes of calls.
extension EtcdDesk {
    mutating func take(_ outcome: CallOutcome, of number: CallNumber, at moment: Moment) {
        now = max(now, moment)
        guard let sent = away.removeValue(forKey: number) else { return }
        let url = roster.urls[sent.node]
        switch outcome {
        case .unsent(let why):
            ledger.complain(.unreached(url, why: why))
            fail(sent)
            again(sent.errand)
        case .cut(let why):
            if case .read = sent.errand.task { reads.shorten() }
            turnDown(sent, .cut(url, why: why))
        case .answered(200, let body): take(body, sent, url)
        case .answered(let status, let body):
            if (300..<400).contains(status) {
                turnDown(sent, .redirected(url, status: status))
            } else if let failure = try? EtcdFailure(JSONReader(JSONValue.parse(body))) {
                take(failure, status, sent, url)
            } else {
                turnDown(sent, .refused(url, status: status, words: "nothing that etcd says"))
            }
        }
    }

    /// Turns down a node that did not do what it was asked, as far as anybody knows.
    private mutating func turnDown(_ sent: Sent, _ complaint: EtcdComplaint, for time: Duration = EtcdRoster.rest) {
        ledger.complain(complaint)
        fail(sent, for: time)
        if sent.errand.task.isRepeatable { again(sent.errand) } else { expire(sent.errand.task) }
    }

    private mutating func fail(_ sent: Sent, for time: Duration = EtcdRoster.rest) {
        if case .defragment = sent.errand.task { return }
        roster.fail(sent.node, for: time, at: now)
    }

    /// Sends an errand to the next node; one for a single node is given up.
    private mutating func again(_ errand: Errand) {
        if case .defragment = errand.task { return expire(errand.task) }
        waiting.append(errand)
    }

    private mutating func take(_ failure: EtcdFailure, _ status: Int, _ sent: Sent, _ url: String) {
        switch (sent.errand.task, failure.code) {
        case (.append(let ticket, let records), EtcdFailure.exhausted) where failure.isOutOfRoom:
            if upkeep.fill(engine.revision) { ledger.complain(.full(url)) }
            ask(.readBack(ticket, records), at: now)
        // Too many requests wait in etcd, and this one was turned away.
        case (.append(let ticket, _), EtcdFailure.exhausted): ledger.tell(.full(ticket))
        case (.append(let ticket, let records), EtcdFailure.invalid):
            ledger.complain(.tooLarge(url, bytes: records.reduce(0) { $0 + $1.bytes.count }))
            ledger.tell(.full(ticket))
        // Another host has compacted.
        case (.compact, EtcdFailure.outOfRange): afterCompaction()
        default: turnDown(sent, .refused(url, status: status, words: failure.words))
        }
    }

    private mutating func take(_ body: [UInt8], _ sent: Sent, _ url: String) {
        do throws(JSONError) {
            let answer = JSONReader(try JSONValue.parse(body))
            switch sent.errand.task {
            case .append, .readBack, .read, .trim, .begin:
                let answer = try EtcdTransaction(answer)
                if admits(answer.head, sent, url) { settle(sent, answer, url) }
            case .alarms: afterAlarms(try EtcdAlarms(answer).members)
            case .compact:
                if admits(try EtcdHead(answer.object()), sent, url) { afterCompaction() }
            case .disarm:
                _ = try answer.object()
                ask(.alarms, at: now)
            case .defragment(let node):
                _ = try answer.object()
                afterDefragment(of: node)
            }
        } catch {
            turnDown(sent, .unreadable(url, why: "\(error)"))
        }
    }

    private mutating func admits(_ head: EtcdHead, _ sent: Sent, _ url: String) -> Bool {
        switch engine.take(head, floor: sent.floor) {
        case .known: ledger.forgetCalls(to: url)
        case .forgetful(let known): ledger.complain(.forgot(url, known: known, found: head.revision))
        case .stranger(let known):
            turnDown(sent, .otherCluster(url, known: known, found: head.cluster), for: EtcdRoster.longRest)
            return false
        }
        return true
    }

    private mutating func settle(_ sent: Sent, _ answer: EtcdTransaction, _ url: String) {
        switch sent.errand.task {
        case .append(let ticket, let records):
            guard let event = EtcdOutcome.event(ticket, records, answer) else { return puzzle(sent, url) }
            if case .appended = event { upkeep.clear() }
            ledger.tell(event)
        case .readBack(let ticket, let records):
            guard let event = EtcdOutcome.readBack(ticket, records, answer) else { return puzzle(sent, url) }
            ledger.tell(event)
        case .read(let wishes):
            guard answer.ranges.count == wishes.count * 2 else { return puzzle(sent, url) }
            for (place, wish) in wishes.enumerated() {
                let (whole, behind) = (answer.ranges[place * 2], answer.ranges[place * 2 + 1])
                if let events = EtcdReads.events(wish, whole: whole, behind: behind, requests.keys) {
                    for event in events { ledger.tell(event) }
                } else {
                    ledger.complain(.gap(url, wish.partition))
                    // Another node may have all of it.
                    fail(sent)
                }
            }
            reads.end(isAnswered: true)
        case .trim(let partition, let place):
            if answer.hasSucceeded {
                if answer.deleted > 0 { upkeep.note(answer.head.revision) }
            } else if let whole = answer.ranges.first, whole.count > 0 {
                // The place is not in the log: where it is past the end, the log is trimmed to its end.
                guard let extent = EtcdReads.extent(whole, of: partition, requests.keys) else {
                    return puzzle(sent, url)
                }
                if extent.last < place { ask(.trim(partition, to: extent.last), at: now) }
            }
        case .begin: if answer.deleted > 0 { upkeep.note(answer.head.revision) }
        case .compact, .defragment, .alarms, .disarm: break
        }
    }

    /// Turns down an answer that does not have what was asked for.
    private mutating func puzzle(_ sent: Sent, _ url: String) {
        turnDown(sent, .unreadable(url, why: "it does not fit what was asked"))
    }
}

// Room that comes back: trimmed records are compacted. Where the quota was reached, every node is defragmented, and
// the alarm is switched off.
extension EtcdDesk {
    private mutating func afterCompaction() {
        upkeep.compacted(at: now)
        if upkeep.isFull { ask(.defragment(node: 0), at: now) }
    }

    private mutating func afterDefragment(of node: Int) {
        let next = node + 1 < roster.urls.count ? EtcdTask.defragment(node: node + 1) : .alarms
        ask(next, at: now)
    }

    private mutating func afterAlarms(_ members: [UInt64]) {
        if let member = members.first { ask(.disarm(member), at: now) }
    }
}
