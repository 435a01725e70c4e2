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

    /// The place behind it, where the journal goes on.
    package var next: LogPosition { LogPosition(first.number + Int64(entries.count + notes.count)) }

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

    /// Splits it into pieces, each a turn by itself with entries and notes of at most so many bytes. A single entry may
    /// be longer.
    package func pieces(atMost bytes: Int) -> [TurnContent] {
        var pieces: [TurnContent] = []
        var piece = TurnContent(first: first, entries: [])
        var length = 0
        /// Ends the piece where it has no room for so many bytes more.
        func makeRoom(for size: Int) {
            if length + size > bytes, !piece.isEmpty {
                pieces.append(piece)
                piece = TurnContent(first: piece.next, entries: [])
                length = 0
            }
            length += size
        }
        for entry in entries {
            makeRoom(for: Self.length { entry.write(to: &$0) })
            piece.entries.append(entry)
        }
        for note in notes {
            makeRoom(for: Self.length { note.write(to: &$0) })
            piece.notes.append(note)
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }

    /// Returns the number of bytes that are written.
    private static func length(_ write: (inout ByteWriter) -> Void) -> Int {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes.count
    }
}

/// A turn that a journal has already, and the place where the journal goes on behind it.
package struct ReplayedTurn: Equatable, Sendable {
    package var content: TurnContent
    package var next: LogPosition

    package init(_ content: TurnContent, next: LogPosition) { (self.content, self.next) = (content, next) }
}
