import Conversation
import HTTP
import JSON
import Names

/// Answers requests for lists of conversations.
struct ConversationPages {
    private let windows: WindowDesk
    let desk: ConversationDesk

    init(_ windows: WindowDesk) {
        self.windows = windows
        desk = ConversationDesk(in: windows.folder)
    }

    /// Returns a page of a list. Only conversations that the bearer's token covers are looked at.
    /// - Returns: the page, and the reader whose unread rows are counted in it.
    func page(
        _ request: Request, for bearer: Grant, at now: ContinuousClock.Instant
    ) throws(QueryFault) -> (response: Response, reader: SenderID?) {
        let target = request.target
        let count = try target.integer("count", 1...Self.most, or: 50)
        var reader = bearer.subject
        if reader == nil, let own = target.value("as") {
            guard let name = SenderID(named: own) else {
                throw .field("as", found: own, expected: "1 to \(SenderID.mostBytes) bytes")
            }
            reader = name
        }
        var place: ConversationIndex.Place?
        if let text = target.value("after") {
            guard ListCursor.isWritten(text) else {
                throw .field("after", found: text, expected: "'next' of a page of this list")
            }
            guard let cursor = ListCursor(text), cursor == ListCursor(cursor.place, for: bearer) else {
                let detail: StaticString = "after: is of another list; it is good for the same token and reader"
                return (.problem(409, "Another list", detail), nil)
            }
            place = cursor.place
        }
        guard let scope = bearer.listScope else { return (.forbidden, nil) }
        do throws(ConversationDesk.Refusal) {
            // One more tells whether there is another page.
            let lines = try desk.page(
                of: scope, after: place, count: count + 1, for: reader, served: windows.followers.listedNow, at: now)
            return (response(Array(lines.prefix(count)), isMore: lines.count > count, for: bearer), reader)
        } catch {
            switch error {
            case .busy: return (.unavailable, nil)
            case .absent: return (.problem(404, "Not found", "the journal is not at hand here"), nil)
            }
        }
    }

    /// Returns the lines of conversations as they are now; nil where they are not known at the moment.
    func lines(
        of names: [ConversationID], for reader: SenderID?, at now: ContinuousClock.Instant
    ) -> [ListedConversation]? {
        do throws(ConversationDesk.Refusal) {
            return try desk.lines(of: names, for: reader, served: windows.followers.listedNow, at: now)
        } catch {
            return nil
        }
    }

    static let most = 256

    private func response(_ lines: [ListedConversation], isMore: Bool, for bearer: Grant) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.key("conversations")
            json.array { json in for line in lines { line.write(to: &json) } }
            guard isMore, let last = lines.last else { return }
            json.key("next")
            let place = ConversationIndex.Place(activity: last.activity ?? .min, name: last.name)
            json.string(ListCursor(place, for: bearer).text)
        }
        var response = Response(200, "application/json", json.bytes)
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Authorization"
        return response
    }
}
