import Pool
package import Wire

/// The producers' side of a flood without its sockets: it decides which request goes out next, and takes answers and
/// hints.
///
/// Time comes from outside, so a test can let an hour pass. Memory is bounded: the rules limit requests in flight,
/// `retryLimit` limits events that wait to be tried again, and no event is made before it is due.
package struct Traffic: Sendable {
    package struct Rules: Sendable {
        package var batch: Int
        package var requestsInFlight: Int
        package var busyRule: FloodPlan.BusyRule
        /// The time after which a request is sent again: the same event twice is one event.
        package var answerTime: Duration = .seconds(5)
        package var retryLimit = 1 << 16

        package init(batch: Int, requestsInFlight: Int, busyRule: FloodPlan.BusyRule) {
            (self.batch, self.requestsInFlight, self.busyRule) = (batch, requestsInFlight, busyRule)
        }
    }

    /// Some events on their way, named until they are answered.
    package struct Request: Sendable {
        package var number: UInt64
        package var json: [UInt8]
        var events: [Outgoing]
        var sentAt: RunTime
    }

    struct Outgoing: Sendable {
        var event: PlannedEvent
        var due: RunTime
        /// The place of its JSON in that of the request.
        var place: Range<Int>
        /// Whether it was sent before without an answer: it may have been kept then, whatever the answer is now.
        var isDoubtful = false
    }

    private struct Retry {
        var event: PlannedEvent
        var due: RunTime
        var json: [UInt8]
        var isDoubtful: Bool
    }

    package private(set) var workload: Workload
    package private(set) var ledger = Ledger()
    package private(set) var awaited = AwaitedLayouts()
    package var measures = Measures()
    private let rules: Rules
    private var arrivals: Arrivals?
    private var eventsLeft = Int.max
    private var lastDue = RunTime.start
    private var flights: [UInt64: Request] = [:]
    private var retries = Agenda<RunTime, Retry>()
    private var nextNumber: UInt64 = 1

    /// Below the 1 MiB of a frame, with room for the largest event.
    private static let bytesPerRequest = 1 << 19

    package init(_ workload: Workload, rules: Rules) {
        (self.workload, self.rules) = (workload, rules)
    }

    /// Lets events arrive until a moment, `count` of them at most.
    package mutating func begin(_ arrivals: Arrivals, until end: RunTime, atMost count: Int = .max) {
        (self.arrivals, lastDue, eventsLeft) = (arrivals, end, count)
    }

    /// Ends the arrivals. Events that were due already and have not been sent are counted.
    package mutating func stop(at now: RunTime) {
        while isArriving, arrivals!.take(at: min(now, lastDue)) != nil {
            eventsLeft -= 1
            measures.unsent += 1
        }
        arrivals = nil
    }

    /// Whether every event that was due has been sent and answered.
    package var isQuiet: Bool { !isArriving && flights.isEmpty && retries.isEmpty }
    package var isArriving: Bool { arrivals.map { $0.next <= lastDue && eventsLeft > 0 } ?? false }
    package var requestsInFlight: Int { flights.count }

    /// The next moment at which there may be something to send; nil when nothing will be due by itself, and while only
    /// an answer makes room for another request.
    package var nextDue: RunTime? {
        guard flights.count < rules.requestsInFlight else { return nil }
        let fresh = isArriving ? arrivals?.next : nil
        guard let retry = retries.nextTime else { return fresh }
        return min(retry, fresh ?? retry)
    }

    /// The events that are due, as one request; nil when none is, or too many requests are in flight.
    package mutating func request(at now: RunTime) -> Request? {
        guard flights.count < rules.requestsInFlight else { return nil }
        var request = Request(number: nextNumber, json: [], events: [], sentAt: now)
        request.json.reserveCapacity(rules.batch * 360)
        request.json += #"{"events":["#
        while request.events.count < rules.batch, request.json.count < Self.bytesPerRequest {
            if let retry = takeRetry(at: now) {
                add(retry, to: &request)
            } else if isArriving, let due = arrivals!.take(at: now) {
                eventsLeft -= 1
                addNext(due: due, to: &request)
            } else {
                break
            }
        }
        guard !request.events.isEmpty else { return nil }
        request.json += "]}"
        nextNumber += 1
        flights[request.number] = request
        measures.sent(request.events.count, at: now)
        return request
    }

    private mutating func addNext(due: RunTime, to request: inout Request) {
        if !request.events.isEmpty { request.json.append(UInt8(ascii: ",")) }
        let start = request.json.count
        let event = workload.next(to: &request.json)
        request.events.append(Outgoing(event: event, due: due, place: start..<request.json.count))
        ledger.plan(event)
        if event.isLaidOut { awaited.add(event, due: due) }
    }

    private func add(_ retry: Retry, to request: inout Request) {
        if !request.events.isEmpty { request.json.append(UInt8(ascii: ",")) }
        let start = request.json.count
        request.json += retry.json
        request.events.append(
            Outgoing(
                event: retry.event, due: retry.due, place: start..<request.json.count, isDoubtful: retry.isDoubtful))
    }

    private mutating func takeRetry(at now: RunTime) -> Retry? {
        guard let next = retries.nextTime, next <= now else { return nil }
        return retries.next()?.item
    }

    /// - Parameter answers: one for each event of the request.
    package mutating func answered(_ number: UInt64, _ answers: (Int) -> [EventAnswer], at now: RunTime) {
        // A second answer to a request that was sent twice changes nothing.
        guard let request = flights.removeValue(forKey: number) else { return }
        for (outgoing, answer) in zip(request.events, answers(request.events.count)) {
            settle(outgoing, answer, of: request, at: now)
        }
    }

    private mutating func settle(
        _ outgoing: Outgoing, _ answer: EventAnswer, of request: Request, at now: RunTime
    ) {
        let event = outgoing.event
        switch answer {
        case .accepted, .duplicate:
            measures.acknowledged(now.nanoseconds(since: outgoing.due), due: outgoing.due, at: now)
            awaited.noteKept(event, at: now)
            if event.registers.contains(.deleted) { awaited.forget(event.message) }
        case .superseded, .invalid: awaited.forget(event)
        case .busy(let milliseconds, _):
            measures.busy(at: now)
            if rules.busyRule == .retry, retries.count < rules.retryLimit {
                let retry = Retry(
                    event: event, due: outgoing.due, json: Array(request.json[outgoing.place]),
                    isDoubtful: outgoing.isDoubtful)
                retries.add(retry, at: now + .milliseconds(milliseconds))
                return
            }
            awaited.forget(event)
            if outgoing.isDoubtful { return ledger.giveUp(event) }
        }
        ledger.answer(event, answer)
    }

    /// Requests that were not answered in time, to be sent again.
    package mutating func overdue(at now: RunTime) -> [Request] {
        let late = flights.values.filter { $0.sentAt + rules.answerTime <= now }.sorted { $0.number < $1.number }
        for request in late {
            flights[request.number]!.sentAt = now
            for place in request.events.indices { flights[request.number]!.events[place].isDoubtful = true }
        }
        measures.repeatedRequests += late.count
        return late
    }

    /// Gives up everything that is not answered.
    package mutating func giveUp() {
        for request in flights.values {
            for outgoing in request.events { ledger.giveUp(outgoing.event) }
        }
        for retry in retries.items {
            if retry.isDoubtful {
                ledger.giveUp(retry.event)
            } else {
                ledger.answer(retry.event, .busy(retryAfter: 0))
            }
        }
        (flights, retries, arrivals) = ([:], Agenda(), nil)
    }

    /// Takes a hint: the layout of this revision has reached the cache, and with it everything older.
    package mutating func ready(_ message: UInt32, revision: UInt64, at now: RunTime) {
        for due in awaited.take(message, upTo: revision) {
            measures.ready(now.nanoseconds(since: due), due: due, at: now)
        }
    }

    /// Layouts whose hint is overdue, with the place in their conversation where they ought to be read.
    package mutating func unheard(at now: RunTime, atMost limit: Int) -> [(PlannedEvent, order: Int64)] {
        // A message that readers need not find gets no layout: its post was refused. One that is not answered yet may
        // be kept.
        if flights.isEmpty, retries.isEmpty { awaited.keep { ledger.order(of: $0) != nil } }
        return awaited.unheard(at: now, atMost: limit) { ledger.order(of: $0) }
    }

    /// Takes the same news from a reader that found the row.
    package mutating func found(_ message: UInt32, revision: UInt64, at now: RunTime) {
        let before = measures.readyByHint
        ready(message, revision: revision, at: now)
        measures.readByProbe += measures.readyByHint - before
    }
}
