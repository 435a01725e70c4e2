package import Names
package import Wire

/// The rules for a person, who may say its own messages, and nothing of anybody else's. A backend may say everything.
///
/// ```text
///                            nothing is kept       kept, by this person    kept, by another
///  body, sender = the person     yes                    yes                     no
///  deleted                       no                     yes                     no
///  react, reader = the person    no                     yes                     yes
///  read, reader = the person     yes, of any conversation that its token may write in
///  order, status, reactions, clientID, backfill; title, picture of a conversation: never
/// ```
///
/// A message belongs to the sender of its *kept* body, compared as bytes. One whose content is not retained any more
/// has no known owner.
package struct PersonalRules {
    private let subject: SenderID

    /// The longest leap of a revision. A person's revisions count changes: one far ahead would keep everybody from
    /// changing the message ever again.
    static let longestLeap: UInt64 = 1 << 32

    package init(_ subject: SenderID) { self.subject = subject }

    /// Returns the fault in an event of either sort, as far as it shows without a look at kept messages.
    func fault(in event: ChatEvent, _ lane: Lane) -> EventFault? {
        switch event {
        case .message(let event): fault(in: event, lane)
        case .conversation(let event): fault(in: event, lane)
        }
    }

    /// Returns the fault in an event of a conversation: a person may say how far it has read, and nothing else.
    private func fault(in event: ConversationEvent, _ lane: Lane) -> EventFault? {
        let isForBackends = "is for backends; a person's request may set read"
        if lane != .live { return EventFault(field: "lane", reason: "history is for backends") }
        if event.title != nil { return EventFault(field: "title", reason: isForBackends) }
        if event.picture != nil { return EventFault(field: "picture", reason: isForBackends) }
        guard let reader = event.read?.reader, reader != subject else { return nil }
        return EventFault(field: "read.reader", reason: "expected '\(subject)', or nothing")
    }

    /// Returns the fault that shows without a look at kept messages.
    package func fault(in event: MessageEvent, _ lane: Lane) -> EventFault? {
        func fault(_ field: String, _ reason: String) -> EventFault { EventFault(field: field, reason: reason) }
        let isForBackends = "is for backends; a person's request may set body, text, deleted and react"
        if lane != .live { return fault("lane", "history is for backends") }
        if event.clientID != nil { return fault("clientID", isForBackends) }
        if event.order != nil { return fault("order", "is for backends; leave it out, and the service gives one") }
        if event.status != nil { return fault("status", isForBackends) }
        if event.reactions != nil { return fault("reactions", isForBackends) }
        if let body = event.body, body.sender != subject {
            return fault("sender", "expected '\(subject)', who posts this")
        }
        if let reader = event.react?.reader, reader != subject {
            return fault("react.reader", "expected '\(subject)', or nothing")
        }
        return nil
    }

    /// Whether only the sender may do this, as with a body or a deletion.
    static func isOwners(_ event: MessageEvent) -> Bool { event.body != nil || event.isDeleted }

    /// Returns the fault that shows with a look at the kept message.
    ///
    /// - Parameter sender: the sender of the kept body; nil where nobody knows.
    func fault(in event: MessageEvent, of card: MessageCard?, by sender: SenderID?) -> EventFault? {
        guard Self.isOwners(event) else {
            // A voice is a register of the person's own: its revisions are nobody else's matter.
            return card?.body == nil ? EventFault(field: "react", reason: "nothing is kept that it could be to") : nil
        }
        let field = event.isDeleted ? "deleted" : "body"
        func fault(_ field: String, _ reason: String) -> EventFault { EventFault(field: field, reason: reason) }
        let kept = card?.highestRevision ?? Revision(0)
        guard event.revision.number <= kept.number.addingReportingOverflow(Self.longestLeap).partialValue else {
            return fault(
                "revision", "expected at most \(kept.number) + 2^32, as \(kept.number) is the highest that is kept")
        }
        guard let card, card.body != nil else {
            return event.isDeleted ? fault("deleted", "nothing is kept that could be this person's") : nil
        }
        guard let sender else {
            return fault(field, "its content is not kept any more, nor whose it is; a backend may do this")
        }
        return sender == subject ? nil : fault(field, "the message is another's")
    }
}

extension MessageCard {
    /// The highest revision of the registers that a message has one of.
    fileprivate var highestRevision: Revision? {
        [body?.revision, order?.revision, status?.revision, reactions?.revision].compactMap(\.self).max()
    }
}

/// The giver of orders to messages that come without one from persons: the time of arrival in milliseconds, and the
/// next number for others of the same millisecond.
struct PlaceGiver: Equatable, Sendable {
    var time = Timestamp(milliseconds: 0)
    private var last = Int64.min

    mutating func next() -> Int64 {
        last = max(time.milliseconds, last == .max ? last : last + 1)
        return last
    }
}
