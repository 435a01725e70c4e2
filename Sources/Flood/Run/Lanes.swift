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
    private let socket: WindowQuestions
    private var lastRequest: UInt64 = 0
    private var asked: [UInt64: Question] = [:]
    /// Windows that are done with; the socket took no word of them yet.
    private var left: [WindowID] = []

    /// A word of which the answer is waited for, and why it was said.
    struct Question {
        enum Purpose {
            /// Somebody opened a conversation.
            case open
            /// Nothing was heard of a layout.
            case look(PlannedEvent)
            /// One conversation of the audit.
            case audit(UInt32)
        }
        var word: ClientWord
        var due: RunTime
        var purpose: Purpose
    }

    init(_ endpoint: String, in context: Context, _ access: Access) throws {
        socket = try WindowQuestions(endpoint, in: context, access: access)
    }

    var source: Source { socket.source }

    func ask(_ question: Question) throws -> Bool {
        guard try socket.send(question.word, as: RequestID(lastRequest + 1)) else { return false }
        lastRequest += 1
        asked[lastRequest] = question
        return true
    }

    /// The window is not looked at any more.
    func leave(_ window: WindowID) throws {
        left.append(window)
        while let next = left.last, try socket.send(.close(next), as: .none) { left.removeLast() }
    }

    func receive() throws -> (question: Question, word: GatewayWord)? {
        while let reply = try socket.receive() {
            // A question that was given up is answered late, and what is told unasked is not looked at.
            if let question = asked.removeValue(forKey: reply.request.number) { return (question, reply.word) }
        }
        return nil
    }

    /// Forgets those that were asked so long ago, as who was to answer may have been restarted, and says how many.
    func forgetQuestions(before now: RunTime, by time: Duration) throws -> Int {
        let late = asked.filter { $0.value.due + time < now }
        for (number, question) in late {
            asked[number] = nil
            if case .open(let opening) = question.word { try leave(opening.window) }
        }
        return late.count
    }
}
