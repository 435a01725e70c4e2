import Names
import Wire

// Events of conversations themselves.
extension Bookkeeper {
    /// ```text
    ///  title, picture ──▶ newer: a note │ equal: duplicate │ older: superseded │ same revision, other value: refused
    ///  read           ──▶ further: a note │ as far: duplicate │ less far: superseded
    /// ```
    mutating func judge<Log: Journal & ~Copyable>(
        _ event: ConversationEvent, for subject: SenderID?, in journal: inout Log
    ) throws(Log.Failure) -> EventAnswer {
        var change = RegisterChange()
        var notes: [ConversationNote] = []
        if event.title != nil || event.picture != nil {
            var card = try draft.conversation(event.conversation, in: &journal) ?? ConversationCard()
            change = card.take(event)
            if let field = change.conflict {
                let reason = "revision \(event.revision.number) is known with another value; raise it"
                return .invalid(field: field, reason: reason)
            }
            if change.isNewer { notes.append(ConversationNote(event.conversation, .card(card))) }
        }
        if let read = event.read {
            switch try place(of: read, for: subject, event.conversation, in: &journal) {
            case .failure(let fault): return fault.answer
            case .success(let (reader, order)):
                let key = ReadingKey(event.conversation, reader)
                let known = try draft.readPlace(key, in: &journal)
                if known.map({ order > $0 }) ?? true {
                    notes.append(ConversationNote(event.conversation, .read(reader, upTo: order)))
                } else if order != known {
                    change.isOlder = true
                }
            }
        }
        for note in notes { draft.append(note) }
        if !notes.isEmpty { return .accepted }
        return change.isOlder ? .superseded : .duplicate
    }

    private mutating func place<Log: Journal & ~Copyable>(
        of read: ReadMark, for subject: SenderID?, _ conversation: ConversationID, in journal: inout Log
    ) throws(Log.Failure) -> Result<(SenderID, Int64), EventFault> {
        guard let reader = read.reader ?? subject else {
            return .failure(EventFault(field: "read.reader", reason: "is missing"))
        }
        switch read.place {
        case .order(let order): return .success((reader, order))
        case .message(let message):
            guard let order = try find(message, of: conversation, in: &journal)?.card?.order else {
                let reason = "nothing is kept of it that has an order; name another message, or an order"
                return .failure(EventFault(field: "read.message", reason: reason))
            }
            return .success((reader, order.value))
        }
    }
}

extension ConversationCard {
    /// Takes the registers of an event that are newer than those that are known.
    mutating func take(_ event: ConversationEvent) -> RegisterChange {
        var change = RegisterChange()
        let title = event.title.map { MessageCard.Register(revision: event.revision, value: $0) }
        let picture = event.picture.map { MessageCard.Register(revision: event.revision, value: $0) }
        // By bytes: letters that Unicode calls equal are another title.
        if change.take(title, into: &self.title, by: { $0.utf8.elementsEqual($1.utf8) }) { change.conflict = "title" }
        if change.take(picture, into: &self.picture, by: ==) { change.conflict = "picture" }
        return change
    }
}
