import Bytes
import Conversation
import MessageLayout
import Names
import Record
import Storage
import Wire

// Places of stretches of texts, after these were drawn.
extension WindowDesk {
    /// The stretches of the row as it is now, from the data that is stored of it.
    func ranges(_ question: RangesQuestion, at seat: Seat) throws -> GatewayWord {
        let shared = seat.shared
        let number: MessageNumber
        switch question.subject {
        case .row(let row): number = row
        case .message(let message):
            switch try answers.find(message, on: shared) {
            case .none(let order, let isAwaited):
                return followers.word(message, order: order, isAwaited: isAwaited, at: seat)
            case .row(let row): number = row
            }
        }
        guard let rank = shared.timeline.tree.rank(of: number) else { throw WindowRefusal.unknownMessage }
        guard let shown = try answers.shown(rank, on: shared, for: seat.rowVersion) else {
            throw WindowRefusal.unprepared
        }
        let mark = RowMark(of: shown.layout)
        if let known = question.mark, known != mark { return try row(number, insteadOf: known, at: seat) }
        var page = LayoutRows()
        try page.append(shown.newest)
        guard !page.rows[0].states.isEmpty else { throw ByteError.empty("states") }
        let model = page.model(row: 0, state: question.isExpanded && page.isExpandable(0) ? 1 : 0)
        let texts = try ShownTexts(model, StoredTexts(checking: shown.row.measured), on: shared.key.target)
        var reply = RangesReply(
            cursor: shared.timeline.cursor, edition: shown.row.filler ?? shared.key.edition, row: number,
            message: shown.row.message, mark: mark)
        var answerer = RowTexts(texts)
        do throws(RowTexts.Fault) {
            try answerer.answer(question, into: &reply)
        } catch {
            return .unreadable("ranges.\(error.reason)")
        }
        return .ranges(seat.window.id, reply)
    }

    /// The row as it is, for a client that knows another.
    private func row(_ number: MessageNumber, insteadOf known: RowMark, at seat: Seat) throws -> GatewayWord {
        var rows = seat.shared.timeline.rows([number]).map(\.row)
        _ = try answers.fill(&rows, at: seat)
        // It has changed just now, and the window is told within a tick.
        if rows.first?.body.map({ RowExcerpt(of: $0.layout)?.mark ?? RowMark(of: $0.layout) }) == known {
            throw WindowRefusal.busy
        }
        return .rows(seat.window.id, rows)
    }
}
