import Bytes
import HTTP
import JSON
import Names
import Operations
import Secrets
import Transport
import Wire

private let log = Log("gateway")

/// Answers requests for windows, heights and places: it asks the desk as a client at the socket would, and leaves
/// nothing behind.
struct WindowPages {
    private let desk: WindowDesk
    private let origins: CrossOrigin
    /// Answers with windows, as they went out last.
    private var memory: AnswerMemory<PreparedResponse>
    /// The lane on which long answers are written; nil until there is one.
    private var lane: WritingLane<Page, Written>?
    private var drafts: [Request.ID: Draft] = [:]

    private struct Page: Sendable {
        let request: Request
        let word: GatewayWord
    }

    private struct Written: Sendable {
        let request: Request
        let response: Response
    }

    /// An answer that is being written, and the moment that it is of.
    private struct Draft {
        let asked: WindowRequest
        let moment: ConversationMoment?
    }

    static let binary = "application/vnd.forme"

    /// Whether that form stands in a list. Compared by bytes, as looking for it by characters cost as much as cutting
    /// three rows.
    fileprivate static func namesFrames(_ accepted: String) -> Bool {
        var rest = accepted.utf8[...]
        while rest.count >= binary.utf8.count {
            if rest.starts(with: binary.utf8) { return true }
            rest.removeFirst()
        }
        return false
    }

    init(_ desk: WindowDesk, _ origins: CrossOrigin) {
        (self.desk, self.origins) = (desk, origins)
        memory = AnswerMemory(least: desk.limits.pages)
    }

    var tally: AnswerTally { memory.tally }
    var rememberedBytes: Int { memory.bytes }

    /// The answer to the same request before, if it would be the same now.
    mutating func windowAgain(_ request: Request, for bearer: Grant) -> Answer? {
        let now = ContinuousClock.now
        desk.followers.keepUp(at: now)
        guard let answer = memory.answer(to: question(request, bearer.subject)), let shared = answer.shared,
            desk.followers.isShown(shared)
        else { return nil }
        shared.lastUse = now
        desk.asking = Asker(bearer.payer)
        desk.openings.countScreen(shared.key.target, for: shared.key.reader)
        return answer.given.answer(to: request)
    }

    /// Answers with a window, compressed where the client accepts that. A long answer is written meanwhile, and comes
    /// with `written`.
    mutating func window(_ asked: WindowRequest, _ compressor: borrowing Compressor) -> Answer {
        let (request, opening) = (asked.request, asked.query.opening)
        defer { _ = desk.answer(.close(opening.window), from: .visitor, at: .now) }
        guard let word = made(asked.query) else { return .response(.notFound) }
        let moment = desk.followers.seats[.visitor]?[opening.window]?.shared.moment
        if let later = later(word, asked, of: moment) { return later }
        let response = named(WindowPages.response(word, to: request), asked).compressed(for: request, compressor)
        remember(response, to: asked, of: moment)
        return .response(response)
    }

    /// Has a long answer written meanwhile; nil for an answer that is written at once.
    private mutating func later(_ word: GatewayWord, _ asked: WindowRequest, of moment: ConversationMoment?) -> Answer?
    {
        guard word.isLong, !asked.request.wantsFrames, let lane = openLane() else { return nil }
        guard lane.write(Page(request: asked.request, word: word), of: asked.bearer.payer) else {
            return .response(.unavailable)
        }
        drafts[asked.request.id] = Draft(asked: asked, moment: moment)
        return .later
    }

    private mutating func openLane() -> WritingLane<Page, Written>? {
        if let lane { return lane }
        do throws(TransportError) {
            lane = try WritingLane { page, compressor in
                let response = WindowPages.response(page.word, to: page.request)
                return Written(request: page.request, response: response.compressed(for: page.request, compressor))
            }
        } catch {
            log.warning("long answers hold others up, as there are no handles left", ["reason": "\(error)"])
        }
        return lane
    }

    /// Whether something is being written.
    var isWriting: Bool { !drafts.isEmpty }
    /// The source that becomes readable when an answer is written; nil until a long one was asked for.
    var source: Source? { lane?.source }

    /// Takes the answers that were written since.
    mutating func written() -> [(request: Request, response: Response)] {
        (lane?.take() ?? []).map { done in
            guard let draft = drafts.removeValue(forKey: done.request.id) else { return (done.request, done.response) }
            let response = named(done.response, draft.asked)
            remember(response, to: draft.asked, of: draft.moment)
            return (done.request, response)
        }
    }

    /// The answer with a tag that tells it from others of its moment, which looks different for each reader and each
    /// screen; not for each page that asks, nor compressed.
    private func named(_ response: Response, _ asked: WindowRequest) -> Response {
        var writer = ByteWriter()
        writer.block(asked.request.target.bytes)
        writer.text(asked.request.headers.list("Accept") ?? "")
        writer.text(asked.bearer.subject?.text ?? "")
        var response = response
        response.tag = response.tag.map { EntityTag("\($0.text)-\(Fingerprint.of(writer.bytes).short)") }
        return response
    }

    private mutating func remember(_ response: Response, to asked: WindowRequest, of moment: ConversationMoment?) {
        guard response.status == 200, !asked.query.opening.wantsMessages, let moment, !moment.isOver,
            let prepared = PreparedResponse(origins.opened(response, to: asked.request))
        else { return }
        memory.keep(
            prepared, bytes: Int(response.body.count), of: moment, to: question(asked.request, asked.bearer.subject),
            room: desk.answers.room - desk.rememberedBytes)
        desk.answers.pageBytes = memory.bytes
    }

    /// Forgets answers, as others need the room that they left before.
    mutating func makeRoom() {
        memory.shrink(to: desk.answers.room - desk.rememberedBytes)
        desk.answers.pageBytes = memory.bytes
    }

    /// The question as memory knows it: all that a window and its form depend on, besides the moment.
    private func question(_ request: Request, _ subject: SenderID?) -> AnswerQuestion {
        var writer = ByteWriter()
        writer.block(request.target.bytes)
        for name in ["Accept", "Accept-Encoding"] { writer.text(request.headers.list(name) ?? "") }
        writer.text(origins.allowed(request) ?? "")
        writer.text(subject?.text ?? "")
        return AnswerQuestion(writer.bytes)
    }

    private func made(_ query: WindowQuery) -> GatewayWord? {
        let window = query.opening.window
        switch query.detail {
        case nil: return opened(query.opening, nil)
        case .beside(let side, let row):
            return opened(around: row, query, .page(window, side, count: query.opening.count))
        case .lines(let wanted): return opened(around: wanted.row, query, .lines(window, wanted))
        }
    }

    /// Opens a window of one row, and says a word about the rows beside it, or the lines in it.
    private func opened(around row: MessageNumber, _ query: WindowQuery, _ word: ClientWord) -> GatewayWord? {
        var opening = query.opening
        let y = desk.openings.y(of: row, for: opening, at: .now)
        (opening.place, opening.count) = (y.map { .y($0) } ?? .newest, 1)
        guard y == nil else { return opened(opening, word) }
        // The row is not there, or nothing of the conversation can be had.
        let other = opened(opening, nil)
        guard case .window? = other else { return other }
        return .refused(opening.window, .unknownMessage)
    }

    mutating func heights(_ asked: WindowRequest, _ range: Range<Int64>) -> Answer {
        let opening = asked.query.opening
        defer { _ = desk.answer(.close(opening.window), from: .visitor, at: .now) }
        guard let word = opened(opening, .heights(opening.window, range)) else { return .response(.notFound) }
        return later(word, asked, of: nil) ?? .response(WindowPages.response(word, to: asked.request))
    }

    /// The row at a y, or the place of a message.
    func place(_ query: WindowQuery, _ request: Request) throws(QueryFault) -> Response {
        let window = query.opening.window
        switch query.opening.place {
        case .y(let y): return answer(query.opening, .locate(window, y: y), request)
        case .message(let message):
            var opening = query.opening
            opening.place = .newest
            return answer(opening, .position(window, message), request)
        case .newest, .unread, .date:
            let expected = "message:ID or y:PIXELS"
            guard let text = request.target.value("around") else { throw .missing("around", expected: expected) }
            throw .field("around", found: text, expected: expected)
        }
    }

    /// The places of texts of a row.
    func ranges(_ query: WindowQuery, _ request: Request) throws(QueryFault) -> Response {
        let question: RangesQuestion
        do throws(JSONError) { question = try RangesQuestion(parsing: request.body) } catch { throw .body("\(error)") }
        var opening = query.opening
        // The rows of the window itself are not looked at.
        (opening.place, opening.count) = (.newest, 1)
        defer { _ = desk.answer(.close(opening.window), from: .visitor, at: .now) }
        let word = opened(opening, .ranges(opening.window, question))
        if case .unreadable(let reason)? = word { throw .body(reason) }
        return word.map { WindowPages.response($0, to: request) } ?? .notFound
    }

    /// The answer to a word in a window.
    private func answer(_ opening: WindowOpening, _ word: ClientWord, _ request: Request) -> Response {
        defer { _ = desk.answer(.close(opening.window), from: .visitor, at: .now) }
        return opened(opening, word).map { WindowPages.response($0, to: request) } ?? .notFound
    }

    /// The same, as a word; without a word to answer, the answer to the opening. The window stays open.
    private func opened(_ opening: WindowOpening, _ word: ClientWord?) -> GatewayWord? {
        let now = ContinuousClock.now
        var said = desk.answer(.open(opening), from: .visitor, at: now)
        if let absence = desk.openings.absence(of: opening.conversation, for: .visitor, in: opening.window) {
            return .refused(opening.window, absence)
        }
        if let word, case .window? = said.first { said = desk.answer(word, from: .visitor, at: now) }
        return said.first
    }

    /// The response with a word, as bytes or as JSON, as the request asks. One that was made for a moment is tagged
    /// with it.
    static func response(_ word: GatewayWord, to request: Request) -> Response {
        if case .refused(_, let refusal) = word { return response(refusal) }
        var response: Response
        if request.wantsFrames {
            response = Response(200, binary, Framed(word).encoded())
        } else {
            do throws(ByteError) {
                response = Response(200, "application/json", try word.json())
            } catch {
                return .problem(500, "A stored layout cannot be read")
            }
        }
        response.headers["Vary"] = "Accept, Authorization"
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
        case .unknownConversation: return absence("nothing was ever posted to this conversation", refusal)
        case .unknownMessage: return absence("there is no such message, row or y in this conversation", refusal)
        case .unprepared: return absence("rows cannot be laid out for this target", refusal)
        case .unknownWindow, .resync: return .notFound
        case .unauthorized: return .unauthorized
        }
    }

    /// A refusal that clients tell from others of status 404 by the name that it has in words.
    private static func absence(_ sentence: StaticString, _ refusal: WindowRefusal) -> Response {
        .problem(404, "Not found", sentence, because: "\(refusal)")
    }

    /// The refusals of status 404 that have a name.
    static let absences: [WindowRefusal] = [.unknownConversation, .unknownMessage, .unprepared]
}

extension Request {
    /// Whether it is answered in frames of `Wire`, and not in JSON.
    var wantsFrames: Bool { headers.list("Accept").map { WindowPages.namesFrames($0) } ?? false }
}

extension GatewayWord {
    /// The frame of the window that it tells, where it tells a whole page.
    fileprivate var frame: WindowFrame? { if case .window(let reply) = self { reply.frame } else { nil } }
}
