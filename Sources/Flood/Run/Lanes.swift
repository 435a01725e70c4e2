import FormeClientZMQ
import Transport
import Wire

/// A producer with its own socket; a class, as arrays hold no values that cannot be copied.
final class ProducerLane {
    private let producer: Producer
    /// A request that could not be sent yet.
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

    /// Sends a request; false while the socket takes no more.
    func send(_ request: Traffic.Request) throws -> Bool {
        try producer.send(request.json, as: Producer.Ticket(request.number))
    }
}

/// A reader with its own socket, and the questions that are not answered yet.
final class ReaderLane {
    private let socket: WindowQuestions
    private var lastRequest: UInt64 = 0
    private var asked: [UInt64: Question] = [:]
    /// Windows that are done with, but whose closing the socket has not taken yet.
    private var left: [WindowID] = []

    /// A word whose answer is waited for, and its purpose.
    struct Question {
        enum Purpose {
            /// Somebody opened a conversation.
            case open
            /// Nothing was heard of the layout of an event.
            case look(PlannedEvent)
            /// A conversation is read for the audit.
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

    /// Closes a window.
    func leave(_ window: WindowID) throws {
        left.append(window)
        while let next = left.last, try socket.send(.close(next), as: .none) { left.removeLast() }
    }

    func receive() throws -> (question: Question, word: GatewayWord)? {
        while let reply = try socket.receive() {
            // Late answers to questions that were given up are skipped, and so are words that nobody asked for.
            if let question = asked.removeValue(forKey: reply.request.number) { return (question, reply.word) }
        }
        return nil
    }

    /// Forgets questions that were asked so long ago, as the gateway may have been restarted, and returns their
    /// number.
    func forgetQuestions(before now: RunTime, by time: Duration) throws -> Int {
        let late = asked.filter { $0.value.due + time < now }
        for (number, question) in late {
            asked[number] = nil
            if case .open(let opening) = question.word { try leave(opening.window) }
        }
        return late.count
    }
}
