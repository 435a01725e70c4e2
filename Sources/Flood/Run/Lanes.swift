import FormeClientZMQ
import Transport
import Wire

/// A producer of its own socket; a class, as values that cannot be copied do not stand in arrays.
final class ProducerLane {
    private let producer: Producer
    /// What could not be sent yet.
    var stalled: Traffic.Request?

    init(_ endpoint: String, in context: Context, _ access: Access) throws {
        producer = try Producer(endpoint, in: context, access: access)
    }

    var source: Source { producer.source }

    func waitUntilConnected(atMost time: Duration) throws -> Bool { try producer.waitUntilWritable(atMost: time) }

    func receive() throws -> (number: UInt64, answers: (Int) -> [EventAnswer])? {
        guard let reply = try producer.receive() else { return nil }
        return (reply.ticket.number, { reply.answers(toEvents: $0) })
    }

    /// False while the socket takes no more.
    func send(_ request: Traffic.Request) throws -> Bool {
        try producer.send(request.json, as: Producer.Ticket(request.number))
    }
}

/// A reader of its own socket, with the questions that it has not been answered yet.
final class ReaderLane {
    private let reader: PageReader
    private var lastRequest: UInt64 = 0
    private var asked: [UInt64: Question] = [:]

    /// Why a page was asked for.
    struct Question {
        enum Purpose {
            /// Somebody opened a conversation.
            case open
            /// Nothing was heard of a layout.
            case look(PlannedEvent)
            /// One conversation of the audit.
            case audit(UInt32)
        }
        var query: Query
        var due: RunTime
        var purpose: Purpose
    }

    init(_ endpoint: String, in context: Context, _ access: Access) throws {
        reader = try PageReader(endpoint, in: context, access: access)
    }

    var source: Source { reader.source }
    var questionCount: Int { asked.count }

    func ask(_ question: Question) throws -> Bool {
        guard try reader.send(question.query, as: RequestID(lastRequest + 1)) else { return false }
        lastRequest += 1
        asked[lastRequest] = question
        return true
    }

    func receive() throws -> (question: Question, page: Result<Page, Refusal>)? {
        while let reply = try reader.receive() {
            // A question that was given up is answered late.
            if let question = asked.removeValue(forKey: reply.request.number) { return (question, reply.page) }
        }
        return nil
    }

    /// Forgets those that were asked so long ago, as who was to answer may have been restarted, and says how many.
    func forgetQuestions(before now: RunTime, by time: Duration) -> Int {
        let late = asked.filter { $0.value.due + time < now }.map(\.key)
        for number in late { asked[number] = nil }
        return late.count
    }
}
