import Flood
import Foundation
import MessageLayout
import Names
import Pool
import Transport
import Typography
import Wire

/// Readers and producers of a service, each on a connection of its own, in one loop: each asks at its own times,
/// whatever the answers.
final class FairnessRun {
    struct Told {
        var asked = 0
        var answered = 0
        /// The lowest percentage of answers that an actor which is not greedy got.
        var least = 100.0
        var latencies = Histogram()
    }

    private final class Actor {
        let socket: Socket
        /// Nanoseconds between two questions.
        let pause: Int64
        let isGreedy: Bool
        var nextAt: Int64
        var asked = 0
        var answered = 0
        var sentAt: [UInt64: Int64] = [:]

        init(
            _ endpoint: String, in context: Context, perSecond: Double, isGreedy: Bool, first: Int64
        ) throws {
            socket = try Socket(.steadyDealer, in: context, frameLimit: Limits.frame)
            try socket.connect(endpoint)
            (pause, self.isGreedy, nextAt) = (max(1, Int64(1e9 / perSecond)), isGreedy, first)
        }
    }

    private let name: String
    private let conversations: [ConversationID]
    private let target: Target
    private var readers: [Actor] = []
    private var producers: [Actor] = []
    private let context: Context
    private let hints: Socket
    private let start = ContinuousClock.now
    private var number: UInt64 = 0
    /// The sending times of messages that are not known to be ready.
    private var unready: [MessageID: Int64] = [:]
    private var order: Int64
    private(set) var windows = Told()
    private(set) var accepted = Told()
    private(set) var ready = Histogram()
    private(set) var greedyWindows = 0
    private(set) var greedyEvents = 0
    /// The number of events in a request of the greedy producer.
    private static let batch = 64

    /// - Parameter name: the prefix of the messages of this run.
    init(_ name: String, _ endpoints: Endpoints, _ conversations: [ConversationID], rows: Int, on target: Target) throws
    {
        (self.name, self.conversations, self.target, order) = (name, conversations, target, Int64(rows) * 1000)
        context = try Context()
        hints = try Socket(.subscriber, in: context, frameLimit: Limits.frame)
        try hints.connect(endpoints.ready)
    }

    private var now: Int64 { Int64((ContinuousClock.now - start) / .nanoseconds(1)) }

    func addReaders(_ count: Int, at endpoint: String, perSecond: Double, isGreedy: Bool = false) throws {
        for i in 0..<count {
            let first = now + Int64(Double(i) / Double(count) * 1e9 / perSecond)
            readers.append(try Actor(endpoint, in: context, perSecond: perSecond, isGreedy: isGreedy, first: first))
        }
    }

    func addProducers(_ count: Int, at endpoint: String, perSecond: Double, isGreedy: Bool = false) throws {
        for i in 0..<count {
            let first = now + Int64(Double(i) / Double(count) * 1e9 / perSecond)
            producers.append(try Actor(endpoint, in: context, perSecond: perSecond, isGreedy: isGreedy, first: first))
        }
    }

    /// - Parameter warmUp: seconds whose figures are not counted: connections are made, and conversations come into
    ///   memory.
    func run(warmUp: Int = 2, seconds: Int, patience: Int64 = 2_000_000_000) throws {
        var warmth = now + Int64(warmUp) * 1_000_000_000
        let end = warmth + Int64(seconds) * 1_000_000_000
        while now < end + patience, now < end || isWaiting {
            let sources = (readers + producers).map { $0.socket.source } + [hints.source]
            _ = try wait(for: sources, atMost: .milliseconds(1))
            for i in readers.indices { try hearReader(readers[i]) }
            for i in producers.indices { try hearProducer(producers[i]) }
            try hearHints()
            if now >= warmth {
                startCounting()
                warmth = .max
            }
            guard now < end else { continue }
            for i in readers.indices { try ask(readers[i]) }
            for i in producers.indices { try post(producers[i]) }
        }
        windows.least = Self.least(readers)
        accepted.least = Self.least(producers)
    }

    private func startCounting() {
        (windows, accepted, ready, greedyWindows, greedyEvents, unready) = (Told(), Told(), Histogram(), 0, 0, [:])
        for actor in readers + producers { (actor.asked, actor.answered, actor.sentAt) = (0, 0, [:]) }
    }

    private var isWaiting: Bool {
        !unready.isEmpty || (readers + producers).contains { !$0.isGreedy && $0.answered < $0.asked }
    }

    private static func least(_ actors: [Actor]) -> Double {
        actors.filter { !$0.isGreedy && $0.asked > 0 }.map { 100 * Double($0.answered) / Double($0.asked) }.min() ?? 100
    }

    /// The number of questions that are due; limited, as this loop has other actors to serve.
    private func due(_ actor: Actor, most: Int) -> Int {
        let time = now
        guard actor.nextAt <= time else { return 0 }
        let count = min(most, Int((time - actor.nextAt) / actor.pause) + 1)
        actor.nextAt = max(actor.nextAt + Int64(count) * actor.pause, time - 100_000_000)
        return count
    }

    private func ask(_ actor: Actor) throws {
        for _ in 0..<due(actor, most: 64) {
            number += 1
            // Greedy readers ask for windows that nobody has asked for before.
            let reader = WindowReader(own: try SenderID(actor.isGreedy ? "greedy-\(number)" : "ada"))
            let conversation = conversations[Int(number) % conversations.count]
            let opening = WindowOpening(
                window: WindowID(1), conversation: conversation, target: target, reader: reader,
                place: .y(-Int64(number % 5000)), count: 50, screen: 2532)
            let frame = Framed(ClientWord.open(opening), request: RequestID(number)).encoded()
            actor.asked += 1
            if try actor.socket.send(frame) == .done, !actor.isGreedy { actor.sentAt[number] = now }
            if !actor.isGreedy { windows.asked += 1 }
        }
    }

    private func hearReader(_ actor: Actor) throws {
        while let parts = try actor.socket.receive(), let frame = parts.last {
            guard let request = Framed<GatewayWord>.request(of: frame), frame.count > 60 else { continue }
            if actor.isGreedy {
                greedyWindows += 1
            } else if let sent = actor.sentAt.removeValue(forKey: request.number) {
                actor.answered += 1
                windows.answered += 1
                windows.latencies.record(UInt64(now - sent))
            }
        }
    }

    private func post(_ actor: Actor) throws {
        for _ in 0..<due(actor, most: 16) {
            number += 1
            let events = try (0..<(actor.isGreedy ? Self.batch : 1)).map { i in
                order += 1
                return MessageEvent(
                    conversation: conversations[Int(order) % conversations.count],
                    message: try MessageID("\(name)-\(number)-\(i)"),
                    body: MessageBody(
                        sender: try SenderID("bob"), time: Timestamp(milliseconds: 1_700_000_000_000 + order),
                        content: MessageEvent.plainText("Message number \(order), which is not long")),
                    order: order)
            }
            actor.asked += 1
            let sent = now
            let mark = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
            guard try actor.socket.send(mark, IngestRequest.json(events)) == .done else { continue }
            guard !actor.isGreedy else { continue }
            accepted.asked += 1
            actor.sentAt[number] = sent
            unready[events[0].message] = sent
        }
    }

    private func hearProducer(_ actor: Actor) throws {
        while let parts = try actor.socket.receive(), parts.count == 2 {
            let request = parts[0].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            guard case .answered(let answers, _) = try IngestReply(parsing: parts[1]) else { continue }
            if actor.isGreedy {
                greedyEvents += answers.count { $0 == .accepted }
            } else if let sent = actor.sentAt.removeValue(forKey: request) {
                if answers == [.accepted] {
                    actor.answered += 1
                    accepted.answered += 1
                    accepted.latencies.record(UInt64(now - sent))
                } else {
                    unready[try MessageID("\(name)-\(request)-0")] = nil
                }
            }
        }
    }

    private func hearHints() throws {
        while let parts = try hints.receive() {
            for row in try Framed<ReadyWord>(decoding: parts.last ?? []).word.rows {
                guard let sent = unready.removeValue(forKey: row.message) else { continue }
                ready.record(UInt64(now - sent))
            }
        }
    }
}
