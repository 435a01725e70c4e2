import HTTP
import Wire

/// Answers requests for windows, heights and places: each asks the desk what a client at the socket would ask, and leaves
/// nothing behind.
struct WindowPages {
    private let desk: WindowDesk
    private let origins: CrossOrigin
    /// Of windows, as they went out last.
    private var memory: AnswerMemory<PreparedResponse>

    static let binary = "application/vnd.forme"

    init(_ desk: WindowDesk, _ origins: CrossOrigin) {
        (self.desk, self.origins) = (desk, origins)
        memory = AnswerMemory(limit: desk.limits.answers)
    }

    var tally: AnswerTally { memory.tally }
    var rememberedBytes: Int { memory.bytes }

    /// What was answered to the same request, if it would be answered the same now.
    mutating func windowAgain(_ request: Request, for subject: String) -> Answer? {
        let now = ContinuousClock.now
        desk.keepUp(at: now)
        guard let answer = memory.answer(to: question(request, subject)), let shared = answer.shared,
            desk.isShown(shared)
        else { return nil }
        shared.lastUse = now
        desk.screens.count(shared.key.target)
        return answer.given.answer(to: request)
    }

    /// Compressed, where the client takes it.
    mutating func window(_ asked: WindowRequest, _ compressor: borrowing Compressor) -> Response {
        let (request, opening) = (asked.request, asked.query.opening)
        defer { _ = desk.answer(.close(opening.window), from: .visitor, at: .now) }
        let response = made(asked.query, request).compressed(for: request, compressor)
        if response.status == 200, !opening.wantsMessages, let seat = desk.seats[.visitor]?[opening.window],
            let prepared = PreparedResponse(origins.opened(response, to: request))
        {
            memory.keep(
                prepared, bytes: Int(response.body.count), of: seat.shared.moment,
                to: question(request, asked.subject))
        }
        return response
    }

    /// All that a window depends on, and its form, besides the moment.
    private func question(_ request: Request, _ subject: String) -> AnswerQuestion {
        var writer = ByteWriter()
        writer.block(request.target.bytes)
        for name in ["Accept", "Accept-Encoding"] { writer.text(request.headers.list(name) ?? "") }
        writer.text(origins.allowed(request) ?? "")
        writer.text(subject)
        return AnswerQuestion(writer.bytes)
    }

    private func made(_ query: WindowQuery, _ request: Request) -> Response {
        let window = query.opening.window
        switch query.detail {
        case nil: return opened(query.opening, nil, request)
        case .beside(let side, let row):
            return opened(around: row, query, .page(window, side, count: query.opening.count), request)
        case .lines(let wanted): return opened(around: wanted.row, query, .lines(window, wanted), request)
        }
    }

    /// From a window of one row to what is beside it, or in it.
    private func opened(
        around row: MessageNumber, _ query: WindowQuery, _ word: ClientWord, _ request: Request
    ) -> Response {
        var opening = query.opening
        guard let y = desk.y(of: row, for: opening, at: .now) else { return .notFound }
        (opening.place, opening.count) = (.y(y), 1)
        return opened(opening, word, request)
    }

    func heights(_ query: WindowQuery, _ range: Range<Int64>, _ request: Request) -> Response {
        answer(query.opening, .heights(query.opening.window, range), request)
    }

    /// What is at a y, or where a message is.
    func place(_ query: WindowQuery, _ request: Request) -> Response {
        let window = query.opening.window
        switch query.opening.place {
        case .y(let y): return answer(query.opening, .locate(window, y: y), request)
        case .message(let message):
            var opening = query.opening
            opening.place = .newest
            return answer(opening, .position(window, message), request)
        case .newest, .unread, .date: return .problem(400, "A place is a message or a y")
        }
    }

    /// The answer to a word in a window.
    private func answer(_ opening: WindowOpening, _ word: ClientWord, _ request: Request) -> Response {
        defer { _ = desk.answer(.close(opening.window), from: .visitor, at: .now) }
        return opened(opening, word, request)
    }

    /// The same; without any word, the answer to the opening. The window stays open.
    private func opened(_ opening: WindowOpening, _ word: ClientWord?, _ request: Request) -> Response {
        let now = ContinuousClock.now
        var said = desk.answer(.open(opening), from: .visitor, at: now)
        if let word, case .window? = said.first { said = desk.answer(word, from: .visitor, at: now) }
        return said.first.map { WindowPages.response($0, to: request) } ?? .notFound
    }

    /// As bytes or as JSON, as the request asks. What was made for a moment is named by it.
    static func response(_ word: GatewayWord, to request: Request) -> Response {
        if case .refused(_, let refusal) = word { return response(refusal) }
        var response: Response
        if request.headers.list("Accept")?.contains(binary) ?? false {
            response = Response(200, binary, Framed(word).encoded())
        } else {
            do throws(WireError) {
                response = Response(200, "application/json", try word.json())
            } catch {
                return .problem(500, "A stored layout cannot be read")
            }
        }
        response.headers["Vary"] = "Accept"
        response.headers["Cache-Control"] = "private, no-cache"
        if let frame = word.frame {
            let cursor = frame.cursor
            response.tag = EntityTag(
                "\(frame.edition)-\(cursor.epoch.number)-\(cursor.stamp.number)-\(cursor.turn)\(frame.isOld ? "-old" : "")"
            )
        }
        return response
    }

    static func response(_ refusal: WindowRefusal) -> Response {
        switch refusal {
        case .busy:
            var response = Response.problem(503, "Busy")
            response.headers["Retry-After"] = "1"
            return response
        case .unknownWindow, .unknownConversation, .unknownMessage, .unprepared, .resync: return .notFound
        }
    }
}

extension GatewayWord {
    /// Of what it tells, where that is a whole page.
    fileprivate var frame: WindowFrame? { if case .window(let reply) = self { reply.frame } else { nil } }
}
