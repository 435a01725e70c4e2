import Names
import Wire

/// Messages by the rules that a coordinator follows, written down once more and as plainly as can be.
struct Keeper {
    private struct Message {
        var registers: [String: (revision: Revision, value: [UInt8])] = [:]
        var order: Int64?
        var isDeleted = false
        var bodyRevision: Revision? { registers["body"]?.revision }
    }

    private var conversations: [String: [String: Message]] = [:]

    mutating func keep(_ event: MessageEvent) -> EventAnswer {
        var message = conversations[event.conversation.text]?[event.message.text] ?? Message()
        guard !message.isDeleted else { return event.isDeleted ? .duplicate : .superseded }
        var said: [(String, [UInt8])] = []
        if let body = event.body { said.append(("body", body.content)) }
        if let order = event.order { said.append(("order", Array("\(order)".utf8))) }
        if let status = event.status { said.append(("status", status)) }
        if let reactions = event.reactions { said.append(("reactions", reactions)) }
        var isNew = event.isDeleted
        var isOld = false
        for (name, value) in said {
            if let known = message.registers[name] {
                if known.revision == event.revision, known.value != value {
                    return .invalid(field: name, reason: "revision \(event.revision.number) was another")
                }
                if known.revision > event.revision { isOld = true }
                guard known.revision < event.revision else { continue }
            }
            isNew = true
            message.registers[name] = (event.revision, value)
            if name == "order" { message.order = event.order }
        }
        if event.isDeleted { message.isDeleted = true }
        conversations[event.conversation.text, default: [:]][event.message.text] = message
        return isNew ? .accepted : isOld ? .superseded : .duplicate
    }

    /// The hint for the message of an event; nil where nothing can be read.
    func readiness(of event: MessageEvent) -> ReadyWord.Row? {
        guard let message = conversations[event.conversation.text]?[event.message.text], message.order != nil,
            let revision = message.bodyRevision, !message.isDeleted
        else { return nil }
        return ReadyWord.Row(
            conversation: event.conversation, message: event.message, revision: revision, shard: Shard(0), stamp: .zero)
    }

    /// A row that readers see.
    struct Row {
        var position: Position
        var revision: UInt64
    }

    func rows(of conversation: String, _ habits: StandIn.Habits) -> [Row] {
        var rows: [Row] = []
        for (name, message) in conversations[conversation] ?? [:] {
            guard let order = message.order, let revision = message.bodyRevision,
                habits.keepsDeleted || !message.isDeleted, let id = try? MessageID(name)
            else { continue }
            let shown = habits.showsOldRevisions ? revision.number - 1 : revision.number
            rows.append(Row(position: Position(order: order, message: id), revision: shown))
        }
        rows.sort { $0.position < $1.position }
        guard habits.rowHiddenEvery > 0 else { return rows }
        return rows.enumerated().filter { !($0.offset + 1).isMultiple(of: habits.rowHiddenEvery) }.map(\.element)
    }
}
