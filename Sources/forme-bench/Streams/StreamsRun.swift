import Console
import Flood
import FormeClientZMQ
import Foundation
import MessageLayout
import Names
import Wire

/// A producer that posts to a service at a rate, while a crowd hears of it.
struct StreamsRun: ~Copyable {
    private var producer: Producer
    private let start: ContinuousClock.Instant
    private let conversations: [ConversationID]
    /// The number of messages in each conversation.
    private var lengths: [Int]
    /// Messages on their way, by their tickets.
    private var sent: [UInt64: (place: Int, due: UInt64)] = [:]
    private var lastTicket: UInt64 = 0
    private(set) var accepted = 0
    /// Latencies of the service's answers, which it gives when its disk has a message.
    var acknowledged = Histogram()
    /// The time at which the last message of each conversation was due.
    private(set) var lastDue: [UInt64]

    init(_ endpoint: String, _ conversations: [ConversationID], rows: Int, since start: ContinuousClock.Instant) throws
    {
        producer = try Producer(endpoint)
        (self.conversations, self.start) = (conversations, start)
        lengths = Array(repeating: rows, count: conversations.count)
        lastDue = Array(repeating: 0, count: conversations.count)
    }

    /// Posts due messages to one conversation after the other.
    /// - Returns: the number of messages that the service took, and of those that it had no room for.
    mutating func post(
        to range: Range<Int>, perSecond rate: Int, for time: Duration, _ crowd: inout StreamCrowd
    ) throws -> (accepted: Int, refused: Int) {
        let count = Int(time / .seconds(1) * Double(rate))
        let (before, begin) = (accepted, ContinuousClock.now)
        for number in 0..<count {
            let due = begin + .seconds(1) * number / rate
            while .now < due { try listen(atMost: due - .now, &crowd) }
            try post(to: range.lowerBound + number % range.count, due: due)
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while !sent.isEmpty, .now < deadline { try listen(atMost: .milliseconds(1), &crowd) }
        return (accepted - before, count - (accepted - before))
    }

    private mutating func post(to place: Int, due: ContinuousClock.Instant) throws {
        let time = UInt64((due - start) / .microseconds(1))
        var event = try Sample.event(lengths[place], in: conversations[place])
        event.message = try DueName.message(time)
        lengths[place] += 1
        lastTicket += 1
        guard try producer.send(IngestRequest.json([event]), as: Producer.Ticket(lastTicket)) else { return }
        sent[lastTicket] = (place, time)
    }

    private mutating func listen(atMost time: Duration, _ crowd: inout StreamCrowd) throws {
        crowd.listen(atMost: time)
        while let reply = try producer.receive() {
            guard let message = sent.removeValue(forKey: reply.ticket.number) else { continue }
            switch reply.answers(toEvents: 1)[0] {
            case .accepted:
                accepted += 1
                let late = ContinuousClock.now - start - .microseconds(Int64(message.due))
                acknowledged.record(UInt64(max(0, late / .nanoseconds(1))))
                lastDue[message.place] = max(lastDue[message.place], message.due)
            case .busy: break
            case let answer: throw Failure(.failed, "the service did not take a message: \(answer)")
            }
        }
    }
}
