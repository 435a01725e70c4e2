import HTTP
import Wire

/// Requests for previews: each says a word in a window that all requests for the same share, and waits for the answer
/// there.
struct PreviewCalls {
    private let desk: WindowDesk
    private var waiting: [RequestID: Call] = [:]
    /// The number of calls that wait in each window, which is closed after the last.
    private var counts: [CallerName: Int] = [:]
    private var lastNumber: UInt64 = 0

    private struct Call {
        let request: Request
        let name: CallerName
    }

    init(_ desk: WindowDesk) { self.desk = desk }

    /// Answers at once where there is no preview; else with `take`.
    mutating func ask(_ asked: WindowRequest) -> Answer {
        var opening = asked.query.opening
        // The rows of the window itself are not looked at.
        (opening.place, opening.count) = (.newest, 1)
        let name = CallerName(payer: asked.bearer.payer, opening: opening)
        let client = WindowClient.caller(name)
        if !desk.followers.knows(client), let refusal = open(opening, for: client, asked.request) {
            return .response(refusal)
        }
        lastNumber += 1
        let id = RequestID(lastNumber)
        let word = ClientWord.preview(opening.window, MessageDraft(asked.request.body))
        if let answer = desk.answer(word, from: client, request: id, at: .now).first {
            if counts[name] == nil { desk.forget(client) }
            return .response(Self.response(answer, to: asked.request))
        }
        waiting[id] = Call(request: asked.request, name: name)
        counts[name, default: 0] += 1
        return .later
    }

    /// Opens a window; returns the refusal where there is none.
    private func open(_ opening: WindowOpening, for client: WindowClient, _ request: Request) -> Response? {
        let words = desk.answer(.open(opening), from: client, at: .now)
        guard case .window? = words.first else {
            return words.first.map { WindowPages.response($0, to: request) } ?? .unavailable
        }
        return nil
    }

    /// The answer to a request; nil for a word about a window that comes unasked.
    mutating func take(_ word: ToldWord) -> (request: Request, response: Response)? {
        guard let call = waiting.removeValue(forKey: word.request) else { return nil }
        let left = counts[call.name, default: 1] - 1
        counts[call.name] = left > 0 ? left : nil
        if left == 0 { desk.forget(.caller(call.name)) }
        return (call.request, Self.response(word.word, to: call.request))
    }

    private static func response(_ word: GatewayWord, to request: Request) -> Response {
        switch word {
        case .rejected(_, .invalid(let fault)):
            // A fault of the whole draft has no field.
            QueryFault.body(fault.field.isEmpty ? fault.reason : "\(fault.field): \(fault.reason)").response
        case .rejected(_, .forbidden): .forbidden
        case .rejected(_, .superseded):
            .problem(409, "Superseded", "a newer draft for the same window came before this one had its turn")
        // The window was taken away meanwhile, as it could follow no longer: the next request opens another.
        case .refused(_, .unknownWindow): .unavailable
        default: WindowPages.response(word, to: request)
        }
    }
}
