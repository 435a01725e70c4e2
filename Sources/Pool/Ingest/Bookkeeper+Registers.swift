import Names
import Wire

/// The part of an event that was not known.
struct EventNews {
    /// The id that the message goes by.
    var id: MessageID
    /// The card that its row was made of; nil when it had none.
    var before: MessageCard?
    var card: MessageCard
    /// A client's id of it, new with this event, and the row that goes because of that.
    var alias: (id: MessageID, absorbed: MessageCard?)?
    /// Whether its row stands under another id from now on.
    var isRenamed: Bool
}

enum EventVerdict {
    case known(EventAnswer)
    case news(EventNews)
}

/// The message that a key leads to.
struct FoundMessage {
    var id: MessageID
    var card: MessageCard?
    var isAlias: Bool
}

/// The most ids of one message, each the client's own for the next.
private let longestChain = 4

extension Bookkeeper {
    mutating func judge<Log: Journal & ~Copyable>(
        _ event: MessageEvent, for subject: SenderID?, in journal: inout Log
    ) throws(Log.Failure) -> EventVerdict {
        guard let message = try find(event.message, of: event.conversation, in: &journal) else {
            return .known(.invalid(field: "message", reason: "expected an id that is not one of many of a message"))
        }
        if let subject, let answer = try refusal(of: event, by: subject, message.card, in: &journal) {
            return .known(answer)
        }
        let place = draft.position(in: journal)
        var news = EventNews(
            id: message.id, before: message.card,
            card: message.card ?? MessageCard(number: MessageNumber(place.number)), isRenamed: false)
        if let fault = try link(event, &news, in: &journal) { return .known(fault.answer) }

        let body = event.body.map { MessageCard.BodyPlace(at: place, hash: $0.hash) }
        if let react = event.react, react.reader == nil, subject == nil {
            return .known(.invalid(field: "react.reader", reason: "is missing"))
        }
        let known = event.react == nil ? nil : news.card
        let change = news.card.take(event, body: body, of: subject)
        if change.isNewer, let known, let fault = news.card.voiceFault(after: known) {
            return .known(fault.answer)
        }
        if let field = change.conflict {
            let reason = "revision \(event.revision.number) is known with another value; raise it"
            return .known(.invalid(field: field, reason: reason))
        }
        if subject != nil, event.body != nil, news.card.order == nil, news.card.deletion == nil {
            // Under the lowest revision, so that any order of a backend comes after it; and a body that comes again
            // finds it there.
            news.card.order = MessageCard.Register(revision: Revision(0), value: places.next())
        }
        if change.isNewer || news.alias != nil { return .news(news) }
        return .known(change.isOlder ? .superseded : .duplicate)
    }

    /// Returns the answer to a person that may not do this; nil where it may.
    private func refusal<Log: Journal & ~Copyable>(
        of event: MessageEvent, by subject: SenderID, _ card: MessageCard?, in journal: inout Log
    ) throws(Log.Failure) -> EventAnswer? {
        if let deletion = card?.deletion {
            // It has nothing left that could be anybody's, and nothing changes it but the revision of a later deletion.
            return event.isDeleted && event.revision > deletion ? .superseded : nil
        }
        var sender: SenderID?
        if PersonalRules.isOwners(event), let body = card?.body {
            sender = try draft.body(at: body.value.at, in: &journal)?.sender
        }
        return PersonalRules(subject).fault(in: event, of: card, by: sender)?.answer
    }

    /// Follows the id that a client gave the message, if the event names one. Two messages that turn out to be the
    /// same become one: the one that has a row, or the backend's own.
    private func link<Log: Journal & ~Copyable>(
        _ event: MessageEvent, _ news: inout EventNews, in journal: inout Log
    ) throws(Log.Failure) -> EventFault? {
        guard let clientID = event.clientID, clientID != event.message else { return nil }
        guard let client = try find(clientID, of: event.conversation, in: &journal) else {
            return EventFault(field: "clientID", reason: "expected an id that is not one of many of a message")
        }
        guard client.id != news.id else { return nil }
        guard !client.isAlias else {
            return EventFault(field: "clientID", reason: "is the client's id of '\(client.id)' already")
        }
        news.alias = (clientID, nil)
        guard var echo = client.card else { return nil }
        if news.before?.lastJob == nil, echo.lastJob != nil || news.before == nil {
            let own = news.before
            (news.before, news.isRenamed) = (echo, true)
            if let own, let fault = echo.merge(own) { return fault }
            news.card = echo
        } else {
            news.alias = (clientID, echo.lastJob == nil ? nil : echo)
            return news.card.merge(echo)
        }
        return nil
    }

    func find<Log: Journal & ~Copyable>(
        _ id: MessageID, of conversation: ConversationID, in journal: inout Log
    ) throws(Log.Failure) -> FoundMessage? {
        var id = id
        for step in 0..<longestChain {
            switch try draft.card(MessageKey(conversation, id), in: &journal) {
            case nil: return FoundMessage(id: id, card: nil, isAlias: step > 0)
            case .message(let card): return FoundMessage(id: id, card: card, isAlias: step > 0)
            case .alias(let other, _): id = other
            }
        }
        return nil
    }
}

extension MessageCard {
    fileprivate mutating func merge(_ other: MessageCard) -> EventFault? {
        take(other).conflict.map {
            EventFault(field: "clientID", reason: "both messages have the same revision of '\($0)' with another value")
        }
    }
}
