import JSON
import Names

/// The fast path for requests as programs write them: no value is built for parts that are only passed on. Nil, here
/// and below, means that the slow path must read the request and report its faults. Both paths return the same request.
extension IngestRequest {
    init?(plainly bytes: [UInt8], eventLimit limit: Int) {
        let request = bytes.span.skimming { skimmer -> IngestRequest? in
            var events: [Result<ChatEvent, EventFault>] = []
            var lane = Lane.live
            var subject: SenderID?
            var isList = false
            var draft = EventDraft()
            let isPlain = skimmer.object { skimmer, key in
                if skimmer.says(key, "events") {
                    isList = true
                    return skimmer.array { skimmer in
                        guard events.count < limit, let event = MessageEvent(plainly: &skimmer) else { return false }
                        events.append(.success(.message(event)))
                        return true
                    }
                } else if skimmer.says(key, "lane") {
                    isList = true
                    switch skimmer.string() {
                    case "live": lane = .live
                    case "backfill": lane = .backfill
                    default: return false
                    }
                    return true
                } else if skimmer.says(key, "subject") {
                    isList = true
                    subject = skimmer.name()
                    return subject != nil
                }
                return draft.take(key, &skimmer)
            }
            guard isPlain else { return nil }
            if isList {
                guard draft.isEmpty, !events.isEmpty else { return nil }
                return IngestRequest(lane: lane, subject: subject, events: events)
            }
            guard let event = draft.event else { return nil }
            var request = IngestRequest(events: [.success(.message(event))])
            request.isBare = true
            return request
        }
        guard let request else { return nil }
        self = request
    }
}

extension MessageEvent {
    fileprivate init?(plainly skimmer: inout JSONSkimmer) {
        var draft = EventDraft()
        guard skimmer.object({ skimmer, key in draft.take(key, &skimmer) }), let event = draft.event else { return nil }
        self = event
    }
}

/// The fields of an event, as they come. An object with the same key twice is not plain, so each field comes once.
private struct EventDraft {
    private var conversation: ConversationID?
    private var message: MessageID?
    private var clientID: MessageID?
    private var revision = Revision(1)
    private var sender: SenderID?
    private var time: Timestamp?
    private var content: [UInt8]?
    private var hasText = false
    private var order: Int64?
    private var status: [UInt8]?
    private var reactions: [UInt8]?
    private var isDeleted = false
    private(set) var isEmpty = true

    mutating func take(_ key: JSONSkimmer.Key, _ skimmer: inout JSONSkimmer) -> Bool {
        isEmpty = false
        if skimmer.says(key, "conversation") { return Self.take(&conversation, skimmer.name()) }
        if skimmer.says(key, "message") { return Self.take(&message, skimmer.name()) }
        if skimmer.says(key, "order") { return Self.take(&order, skimmer.integer().map { Int64($0) }) }
        if skimmer.says(key, "sender") { return Self.take(&sender, skimmer.name()) }
        if skimmer.says(key, "time") {
            guard let number = skimmer.integer(), Limits.milliseconds ~= Int64(number) else { return false }
            time = Timestamp(milliseconds: Int64(number))
            return true
        }
        if skimmer.says(key, "body") { return content == nil && Self.take(&content, skimmer.body()) }
        if skimmer.says(key, "text") { return content == nil && Self.take(&content, skimmer.text()) }
        if skimmer.says(key, "revision") {
            guard let number = skimmer.integer(), number >= 0 else { return false }
            revision = Revision(UInt64(number))
            return true
        }
        if skimmer.says(key, "status") { return Self.take(&status, skimmer.value(), atMost: Limits.status) }
        if skimmer.says(key, "reactions") { return Self.take(&reactions, skimmer.value(), atMost: Limits.reactions) }
        if skimmer.says(key, "clientID") { return Self.take(&clientID, skimmer.name()) }
        guard skimmer.says(key, "deleted"), let flag = skimmer.bool() else { return false }
        isDeleted = flag
        return true
    }

    private static func take<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
        field = value
        return value != nil
    }

    private static func take(_ field: inout [UInt8]?, _ value: [UInt8]?, atMost limit: Int) -> Bool {
        take(&field, value) && value!.count <= limit
    }

    /// The event; nil where a field is missing, or stands where it must not.
    var event: MessageEvent? {
        guard let conversation, let message else { return nil }
        var event = MessageEvent(conversation: conversation, message: message, clientID: clientID, revision: revision)
        if let content {
            guard let sender, let time, content.count <= Limits.body else { return nil }
            event.body = MessageBody(sender: sender, time: time, content: content)
        } else if sender != nil || time != nil || (order == nil && status == nil && reactions == nil && !isDeleted) {
            return nil
        }
        (event.order, event.status, event.reactions, event.isDeleted) = (order, status, reactions, isDeleted)
        return event
    }
}

extension JSONSkimmer {
    fileprivate mutating func name<Subject>() -> Name<Subject>? { string().flatMap { try? Name($0) } }

    /// The bytes of an object that names its kind.
    fileprivate mutating func body() -> [UInt8]? {
        var hasKind = false
        let content = value { skimmer in
            skimmer.object { skimmer, key in
                if skimmer.says(key, "kind") {
                    guard skimmer.isAtString else { return false }
                    hasKind = true
                }
                return skimmer.skip()
            }
        }
        return hasKind ? content : nil
    }

    /// The content of a plain text.
    fileprivate mutating func text() -> [UInt8]? {
        guard isAtString, let text = value() else { return nil }
        return Array(#"{"kind":"text","text":"#.utf8) + text + [UInt8(ascii: "}")]
    }
}
