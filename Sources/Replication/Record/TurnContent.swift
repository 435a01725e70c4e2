import Names
package import Pool
import Wire

/// The content of a turn for every journal of its partition: entries with the cards and jobs that the owner made of
/// them, so that nobody judges twice and numbers are equal everywhere.
package struct TurnContent: Equatable, Sendable {
    /// The place of its first entry.
    package var first: LogPosition
    package var entries: [JournalEntry]
    package var notes: [ConversationNote]

    /// Lets jobs lay out only the event's own body. A body that is in the log already does not travel again: every
    /// replica lays out the one in its own journal.
    package init(first: LogPosition, entries: [JournalEntry], notes: [ConversationNote] = []) {
        (self.first, self.notes) = (first, notes)
        self.entries = entries.map { entry in
            var entry = entry
            for place in entry.jobs.indices {
                guard case .layOut(let state) = entry.jobs[place].work, state.body != entry.event.body else { continue }
                entry.jobs[place].work = .amend(order: state.order, status: state.status)
            }
            return entry
        }
    }

    package var isEmpty: Bool { entries.isEmpty && notes.isEmpty }

    /// Returns the turn that the own journal commits: jobs whose content it keeps lay out, the others amend.
    package func turn<Log: Journal & ~Copyable>(in journal: inout Log) throws(Log.Failure) -> JournalTurn {
        var turn = JournalTurn(entries: entries, notes: notes)
        for (place, entry) in entries.enumerated() {
            for (job, work) in entry.jobs.map(\.work).enumerated() {
                guard case .amend(let order, let status) = work,
                    let card = card(of: entry.jobs[job].message, in: entry),
                    let body = card.body, let content = try self.body(at: body.value.at, in: &journal)
                else { continue }
                turn.entries[place].jobs[job].work = .layOut(
                    MessageState(
                        order: order, body: content, status: status, reactions: card.shownReactions,
                        revision: body.revision))
            }
        }
        return turn
    }

    private func card(of message: MessageNumber, in entry: JournalEntry) -> MessageCard? {
        for case .message(let card) in entry.cards.map(\.entry) where card.number == message { return card }
        return nil
    }

    private func body<Log: Journal & ~Copyable>(
        at place: LogPosition, in journal: inout Log
    ) throws(Log.Failure) -> MessageBody? {
        let own = place.number - first.number
        return own >= 0 && own < entries.count ? entries[Int(own)].event.body : try journal.body(at: place)
    }

    /// Splits it into pieces, each a turn by itself with entries of at most so many bytes; the notes are in the last.
    /// A single entry may be longer.
    package func pieces(atMost bytes: Int) -> [TurnContent] {
        var pieces: [TurnContent] = []
        var piece = TurnContent(first: first, entries: [])
        var length = 0
        for entry in entries {
            let size = entry.length
            if length + size > bytes, !piece.entries.isEmpty {
                pieces.append(piece)
                piece = TurnContent(first: LogPosition(piece.first.number + Int64(piece.entries.count)), entries: [])
                length = 0
            }
            piece.entries.append(entry)
            length += size
        }
        piece.notes = notes
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }
}

extension JournalEntry {
    /// The bytes that it takes in a record.
    fileprivate var length: Int {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes.count
    }
}

/// A turn that a journal has already, and the place where the journal goes on behind it.
package struct ReplayedTurn: Equatable, Sendable {
    package var content: TurnContent
    package var next: LogPosition

    package init(_ content: TurnContent, next: LogPosition) { (self.content, self.next) = (content, next) }
}
