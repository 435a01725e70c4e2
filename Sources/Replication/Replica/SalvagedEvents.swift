import Names
import Pool
package import Wire

/// The events of journal entries, to be posted once more to the present owner of the partition. One that is known
/// there is a duplicate or superseded.
///
/// An entry has no subject, and needs none, as it was judged: choices name their reader. Only a body to which the
/// service gave an order is posted by its sender again, and gets an order anew.
package enum SalvagedEvents {
    package static func requests(_ turn: TurnContent) -> [IngestRequest] {
        turn.entries.map(request) + turn.notes.flatMap(events).map { IngestRequest(events: [.success($0)]) }
    }

    private static func request(_ entry: JournalEntry) -> IngestRequest {
        var event = entry.event
        // Entries of the release before do not name it.
        if event.react?.reader == nil { event.react?.reader = voice(of: entry)?.reader }
        let subject = givesOrder(entry) ? event.body?.sender : nil
        return IngestRequest(
            lane: subject == nil ? entry.lane : .live, subject: subject, events: [.success(ChatEvent.message(event))])
    }

    private static func voice(of entry: JournalEntry) -> Voice? {
        for case .message(let card) in entry.cards.map(\.entry) {
            if let voice = card.voices.first(where: { $0.revision == entry.event.revision }) { return voice }
        }
        return nil
    }

    /// True where the service gave the message its order with this event, which it does under the lowest revision.
    /// Then it is the first that causes a row. A later event may be a backend's, with values that no person may set.
    private static func givesOrder(_ entry: JournalEntry) -> Bool {
        guard entry.event.order == nil else { return false }
        let isFirst = entry.jobs.contains { if case .layOut(let state) = $0.work { state.isFirst } else { false } }
        return isFirst
            && entry.cards.contains {
                guard case .message(let card) = $0.entry else { return false }
                return card.order?.revision == Revision(0)
            }
    }

    private static func events(_ note: ConversationNote) -> [ChatEvent] {
        switch note.said {
        case .card(let card):
            let title = card.title.map {
                ConversationEvent(conversation: note.conversation, revision: $0.revision, title: $0.value)
            }
            let picture = card.picture.map {
                ConversationEvent(conversation: note.conversation, revision: $0.revision, picture: $0.value)
            }
            return [title, picture].compactMap { $0.map { .conversation($0) } }
        case .read(let reader, let order):
            let mark = ReadMark(reader: reader, .order(order))
            return [.conversation(ConversationEvent(conversation: note.conversation, read: mark))]
        }
    }
}
