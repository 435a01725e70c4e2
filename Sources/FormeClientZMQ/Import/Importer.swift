package import Foundation
import JSON
package import Transport
import Wire

/// Brings the history in a file to a service, through the lane that gives way to what people write now.
package struct Importer: ~Copyable {
    package private(set) var ledger: ImportLedger
    /// Whether the file was read to its end.
    package private(set) var isAtEnd = false
    private let producer: Producer
    private var lines: LineReader
    private let fault: (_ line: Int, _ words: String) throws -> Void
    private let warning: (_ line: Int, _ words: String) -> Void
    private var stalled: [UInt64] = []
    /// Requests that wait for an answer. Each has a new ticket whenever it is sent, as it may hold less than before.
    private var sent: [Producer.Ticket: Sent] = [:]
    private var lastTicket: UInt64 = 0
    private var size = RequestSize()
    private var retries: [(number: UInt64, at: ContinuousClock.Instant)] = []
    private var lastAnswer = ContinuousClock.now

    private struct Sent {
        /// The number of the request in the ledger.
        var number: UInt64
        var request: PackedRequest
        var at: ContinuousClock.Instant
    }

    /// The mark with which some programs begin a UTF-8 file; it means nothing.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let requestsInFlight = 16
    private static let linesPerRequest = 256
    private static let bytesPerRequest = 1 << 18
    private static let answerTime: Duration = .seconds(10)
    /// The time without any answer after which it gives up.
    private static let patience: Duration = .seconds(60)

    /// - Parameters:
    ///   - place: the place that an earlier import came to.
    ///   - warning: called for each line that is kept, but not drawn as it was meant.
    ///   - fault: called for each line that is not kept; an error that it throws ends the import.
    package init(
        _ file: FileHandle, from place: ImportLedger.Place, to producer: consuming Producer,
        warning: @escaping (_ line: Int, _ words: String) -> Void = { _, _ in },
        fault: @escaping (_ line: Int, _ words: String) throws -> Void
    ) throws {
        lines = try LineReader(file, from: place.offset, after: place.lines)
        ledger = ImportLedger(from: place)
        self.producer = producer
        (self.fault, self.warning) = (fault, warning)
    }

    package var isDone: Bool { isAtEnd && ledger.isEmpty }

    /// Reads, sends and listens for a moment.
    ///
    /// - Parameters:
    ///   - readsOn: false to read no more lines, and only wait for what is in flight.
    ///   - stop: sources that also wake it up.
    package mutating func turn(readsOn: Bool = true, stop: [Source] = []) throws {
        try sendStalled()
        while readsOn, !isAtEnd, stalled.isEmpty, ledger.flightCount < Self.requestsInFlight { try sendNext() }
        _ = try wait(for: [producer.source] + stop, atMost: .milliseconds(stalled.isEmpty ? 50 : 5))
        try listen()
        try repeatWhatIsLate()
    }

    private mutating func sendNext() throws {
        var events: [(line: Int, event: ChatEvent)] = []
        var bytes = 0
        let before = ledger.answered
        var end = before
        while events.count < Self.linesPerRequest, bytes < Self.bytesPerRequest {
            guard let line = try lines.next() else {
                isAtEnd = true
                break
            }
            end = ImportLedger.Place(offset: line.end, lines: line.number)
            bytes += line.bytes?.count ?? 0
            if let event = try event(line) { events.append((line.number, event)) }
        }
        // At the end of the file there may be nothing left. Less may be answered up to now than is sent.
        guard end != before, let request = ledger.send(events, upTo: end) else { return }
        try send(request)
    }

    /// Nil for an empty line, and for one that holds no event.
    private mutating func event(_ line: LineReader.Line) throws -> ChatEvent? {
        guard let bytes = line.bytes else {
            try refuse(line.number, "is longer than \(LineReader.longestLine) bytes")
            return nil
        }
        let text = line.number == 1 && bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
        guard text.contains(where: { $0 > 0x20 }) else { return nil }
        do throws(JSONError) {
            return try ChatEvent(JSONReader(JSONValue.parse(text)))
        } catch {
            try refuse(line.number, "\(error)")
            return nil
        }
    }

    private mutating func refuse(_ line: Int, _ words: String) throws {
        ledger.refuse()
        try fault(line, words)
    }

    private mutating func send(_ request: ImportLedger.Request) throws {
        let packed = size.pack(request.events, lane: .backfill)
        lastTicket += 1
        let ticket = Producer.Ticket(lastTicket)
        if try producer.send(packed.bytes, as: ticket) {
            sent[ticket] = Sent(number: request.number, request: packed, at: .now)
        } else {
            stalled.append(request.number)
        }
    }

    private mutating func sendStalled() throws {
        let waiting = stalled
        stalled = []
        for number in waiting {
            if let request = ledger.request(number) { try send(request) }
        }
    }

    private mutating func listen() throws {
        while let reply = try producer.receive() {
            lastAnswer = .now
            // This answer came too late, and all of the request was sent again.
            guard let asked = sent.removeValue(forKey: reply.ticket) else { continue }
            let (number, request) = (asked.number, asked.request)
            switch reply.said {
            case .answered(let answers, let warnings) where answers.count == request.count:
                for (place, words) in warnings.sorted(by: { $0.key < $1.key }) {
                    if let line = ledger.line(place, of: number) { warning(line, words) }
                }
                let (faults, wait) = ledger.answer(number, answers)
                for (line, fault) in faults {
                    try self.fault(line, (fault.field.isEmpty ? "" : "\(fault.field): ") + fault.reason)
                }
                if let wait { retries.append((number, .now + .milliseconds(wait))) }
            case .answered: throw ClientError.unreadable(endpoint: producer.endpoint)
            case .refused(let fault):
                // The state of its lines is not known, so none of them is done.
                guard size.shrink(after: fault, to: request) else {
                    throw ClientError.requestRefused(endpoint: producer.endpoint, reason: fault.reason)
                }
                retries.append((number, .now))
            }
        }
    }

    private mutating func repeatWhatIsLate() throws {
        let now = ContinuousClock.now
        let due = retries.filter { $0.at <= now }.map(\.number)
        retries.removeAll { $0.at <= now }
        let late = sent.filter { $0.value.at + Self.answerTime <= now }
        for ticket in late.keys { sent[ticket] = nil }
        for number in due + late.values.map(\.number).sorted() {
            if let request = ledger.request(number) { try send(request) }
        }
        if ledger.isEmpty { lastAnswer = now }
        guard now < lastAnswer + Self.patience else { throw ClientError.noAnswer(endpoint: producer.endpoint) }
    }
}
