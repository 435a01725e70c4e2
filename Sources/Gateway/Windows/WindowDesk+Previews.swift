import Bytes
import Conversation
import MessageLayout
import Names
import Operations
import Pool
import Record
import Rows
import Storage
package import Transport
import Wire

private let log = Log("gateway")

// Previews of messages that nobody has posted.
extension WindowDesk {
    /// Has a draft laid out; one that could not be posted is refused before. The answer comes with `tellPreviews`.
    func preview(
        _ draft: MessageDraft, in window: WindowID, for client: WindowClient, request: RequestID
    ) throws -> [GatewayWord] {
        let seat = try followers.seat(window, of: client)
        let event: MessageEvent
        do throws(DraftRejection) { event = try self.event(draft, at: seat) } catch {
            return [.rejected(window, error)]
        }
        guard let body = event.body, let source = seat.shared.feed.draftSource else { throw WindowRefusal.unprepared }
        let state = MessageState(
            order: event.order ?? seat.shared.timeline.nextOrder, body: body, status: event.status,
            reactions: event.reactions, revision: event.revision)
        try previews.add(
            Previews.Draft(
                place: WaitingRoom.SeatPlace(client: client, window: window), request: request, payer: asking.payer,
                message: event.message, state: state, edition: source.edition,
                isFiller: source.edition != seat.shared.key.edition, open: source.open))
        return []
    }

    private func event(_ draft: MessageDraft, at seat: Seat) throws(DraftRejection) -> MessageEvent {
        let reader = seat.shared.key.reader.own
        guard asking.writer != .nobody else { throw .forbidden }
        do throws(EventFault) {
            let event = try draft.event(
                in: seat.shared.key.conversation, by: asking.writer.sender ?? reader, at: WallClock.now)
            if let name = asking.writer.sender, let fault = PersonalRules(name).fault(in: event, .live) { throw fault }
            if let fault = limits.drafts.fault(in: event) { throw fault }
            return event
        } catch {
            throw .invalid(error)
        }
    }

    /// The source that becomes readable when a draft is laid out; nil until there was one.
    package var drafts: Source? { previews.source }

    /// Tells the outcomes of drafts.
    package func tellPreviews(_ deliver: Deliver) {
        for (draft, outcome) in previews.take() {
            untold.append((draft.place.client, ToldWord(word(for: draft, outcome), request: draft.request)))
        }
        let words = untold
        untold = []
        for (client, word) in words {
            switch deliver(client, word) {
            case .done, .away, .gone: break
            case .full: if untold.count < Self.mostUntold { untold.append((client, word)) }
            }
        }
    }

    private static let mostUntold = 256

    private func word(for draft: Previews.Draft, _ outcome: Previews.Outcome) -> GatewayWord {
        let window = draft.place.window
        switch outcome {
        case .superseded: return .rejected(window, .superseded)
        case .laidOut(.objection(let objection)):
            return .rejected(window, .invalid(EventFault(field: "body", reason: objection.text)))
        case .laidOut(.failed(let reason)):
            log.warning("there are no previews", ["reason": "\(reason)"])
            return .refused(window, .unprepared)
        case .laidOut(.row(let row)):
            do {
                return .preview(
                    window, try reply(showing: row, of: draft, at: followers.seat(window, of: draft.place.client)))
            } catch {
                return .refused(window, WindowRefusal(for: error))
            }
        }
    }

    /// The row among the others of the moment, on a timeline that nobody else sees.
    private func reply(
        showing row: DraftLayouter.Row, of draft: Previews.Draft, at seat: Seat
    ) throws -> PreviewReply {
        let shared = seat.shared
        // The window was turned to another edition meanwhile.
        guard (shared.key.edition != draft.edition) == draft.isFiller else { throw WindowRefusal.busy }
        let read = try ReadRow(row, of: draft)
        var timeline = shared.timeline
        let ranks = try timeline.take(shared.newRow(read), upTo: timeline.cursor.stamp)
        var (rows, jobs) = try answers.rows(at: ranks, of: timeline, with: read, at: seat)
        if seat.needsMessages {
            let kept = try answers.addMessages(to: &rows, of: jobs, at: seat, from: .top)
            rows = Array(rows[kept])
            let message = SaidMessage.encoded(draft.state)
            if let layout = rows.first?.body?.layout, seat.wantsFonts {
                rows[0].body?.fonts = answers.fonts.find(layout, message)
            }
            if !rows.isEmpty, seat.wantsMessages { rows[0].body?.message = message }
        }
        guard let first = rows.first else { throw WindowRefusal.busy }
        return PreviewReply(cursor: shared.timeline.cursor, row: first, neighbours: Array(rows.dropFirst()))
    }
}

extension Timeline {
    /// The order behind all rows that are there.
    fileprivate var nextOrder: Int64 {
        guard tree.count > 0 else { return 0 }
        let last = tree.row(at: tree.count - 1).position.order
        return last == .max ? last : last + 1
    }

    /// - Returns: the rank of the row, and then the ranks of rows that look otherwise beside it.
    fileprivate mutating func take(_ row: NewRow, upTo stamp: Stamp) -> [Int] {
        var change = RowChange.put(row)
        let rank = tree.rank(of: row.position)
        // The draft of an edit stands in the place of the message's row.
        if rank < tree.count {
            let old = tree.row(at: rank)
            if old.position == row.position { change.number = old.number }
        }
        return apply([change], upTo: stamp).flatMap { step -> [Int] in
            switch step.kind {
            case .insert(let rank, _), .replace(let rank, _), .redecorate(let rank, _): [rank]
            case .remove, .move: []
            }
        }
    }
}

extension ReadRow {
    fileprivate init(_ row: DraftLayouter.Row, of draft: Previews.Draft) throws(ByteError) {
        var role = row.role
        if draft.isFiller { role.template = DecorationStyle.fillerName(of: role.template) }
        self.init(
            number: .draft, job: JobNumber(0), message: draft.message, facts: draft.state.facts, role: role,
            layout: row.layout, record: try LayoutRecord(row.layout), measured: row.measured,
            filler: draft.isFiller ? draft.edition : nil)
    }
}
