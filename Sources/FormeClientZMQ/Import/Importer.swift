package import Foundation
import JSON
package import Transport
import Wire

/// Brings the history in a file to a service, through the lane that lets what people write now go first.
package struct Importer: ~Copyable {
    package private(set) var ledger: ImportLedger
    /// Whether the file was read to its end.
    package private(set) var isAtEnd = false
    private let producer: Producer
    private var lines: LineReader
    private let fault: (_ line: Int, _ words: String) throws -> Void
    private var stalled: [UInt64] = []
    private var sentAt: [UInt64: ContinuousClock.Instant] = [:]
    private var retries: [(number: UInt64, at: ContinuousClock.Instant)] = []
    private var lastAnswer = ContinuousClock.now

    private static let requestsInFlight = 16
    private static let linesPerRequest = 256
    private static let bytesPerRequest = 1 << 18
    private static let answerTime: Duration = .seconds(10)
    /// After so long without any answer it is given up.
    private static let patience: Duration = .seconds(60)

    /// - Parameters:
    ///   - place: where an import before this one got to.
    ///   - fault: told of each line that is not kept; what it throws ends the import.
    package init(
        _ file: FileHandle, from place: ImportLedger.Place, to producer: consuming Producer,
        fault: @escaping (_ line: Int, _ words: String) throws -> Void
    ) throws {
        lines = try LineReader(file, from: place.offset, after: place.lines)
        ledger = ImportLedger(from: place)
        self.producer = producer
        self.fault = fault
    }

    package var isDone: Bool { isAtEnd && ledger.isEmpty }

    /// Reads, sends and listens for a moment; what is in flight is waited for only.
    ///
    /// - Parameters:
    ///   - readsOn: false to take no more lines.
    ///   - stop: wakes it up, too.
    package mutating func turn(readsOn: Bool = true, stop: [Source] = []) throws {
        try sendStalled()
        while readsOn, !isAtEnd, stalled.isEmpty, ledger.flightCount < Self.requestsInFlight { try sendNext() }
        _ = try wait(for: [producer.source] + stop, atMost: .milliseconds(stalled.isEmpty ? 50 : 5))
        try listen()
        try repeatWhatIsLate()
    }

    private mutating func sendNext() throws {
        var events: [(line: Int, event: MessageEvent)] = []
        var bytes = 0
        var end = ledger.answered
        while events.count < Self.linesPerRequest, bytes < Self.bytesPerRequest {
            guard let line = try lines.next() else {
                isAtEnd = true
                break
            }
            end = ImportLedger.Place(offset: line.end, lines: line.number)
            bytes += line.bytes?.count ?? 0
            if let event = try event(line) { events.append((line.number, event)) }
        }
        guard end.lines > 0, let request = ledger.send(events, upTo: end) else { return }
        try send(request)
    }

    /// Nil for an empty line, and for one that holds no event.
    private mutating func event(_ line: LineReader.Line) throws -> MessageEvent? {
        guard let bytes = line.bytes else {
            try refuse(line.number, "is longer than \(LineReader.longestLine) bytes")
            return nil
        }
        guard bytes.contains(where: { $0 > 0x20 }) else { return nil }
        do throws(JSONError) {
            return try MessageEvent(JSONReader(JSONValue.parse(bytes)))
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
        let json = IngestRequest.json(request.events, lane: .backfill)
        if try producer.send(json, as: Producer.Ticket(request.number)) {
            sentAt[request.number] = .now
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
            let number = reply.ticket.number
            sentAt[number] = nil
            let (faults, wait) = ledger.answer(number, reply.answers(toEvents:))
            for (line, fault) in faults {
                try self.fault(line, (fault.field.isEmpty ? "" : "\(fault.field): ") + fault.reason)
            }
            if let wait { retries.append((number, .now + .milliseconds(wait))) }
        }
    }

    private mutating func repeatWhatIsLate() throws {
        let now = ContinuousClock.now
        let due = retries.filter { $0.at <= now }.map(\.number)
        retries.removeAll { $0.at <= now }
        let late = sentAt.filter { $0.value + Self.answerTime <= now }.map(\.key).sorted()
        for number in due + late {
            sentAt[number] = nil
            if let request = ledger.request(number) { try send(request) }
        }
        if ledger.isEmpty { lastAnswer = now }
        guard now < lastAnswer + Self.patience else { throw ClientError.noAnswer(endpoint: producer.endpoint) }
    }
}
