import Names
import Pool
import Wire

/// The registers of a set of accepted events, found in the simplest way: by examining all of them.
struct MessageFold {
    struct Registers: Equatable {
        var body: MessageCard.Register<MessageBody>?
        var order: MessageCard.Register<Int64>?
        var status: MessageCard.Register<[UInt8]>?
        var reactions: MessageCard.Register<[UInt8]>?
        var voices: [Voice] = []
        var deletion: Revision?

        var shownReactions: [UInt8]? {
            var card = MessageCard(number: MessageNumber(0))
            card.reactions = reactions
            card.voices = voices
            return card.shownReactions
        }

        /// The state of its row; nil where there is none.
        var state: MessageState? {
            guard let body, let order, deletion == nil else { return nil }
            return MessageState(
                order: order.value, body: body.value, status: status?.value, reactions: shownReactions,
                revision: body.revision)
        }
    }

    private(set) var messages: [MessageKey: Registers] = [:]

    init(_ script: EventScript, _ lines: Set<Int>) {
        let events = lines.sorted().compactMap { line in
            script.lines[line].event.map { (event: $0, subject: script.lines[line].subject) }
        }
        var names: [MessageKey: MessageID] = [:]
        for (event, _) in events {
            if let clientID = event.clientID { names[MessageKey(event.conversation, clientID)] = event.message }
        }
        for (event, subject) in events {
            let id = names[MessageKey(event.conversation, event.message)] ?? event.message
            messages[MessageKey(event.conversation, id), default: Registers()].take(event, of: subject)
        }
        for (key, registers) in messages where registers.deletion != nil {
            messages[key] = Registers(deletion: registers.deletion)
        }
    }
}

extension MessageFold.Registers {
    fileprivate mutating func take(_ event: MessageEvent, of subject: SenderID?) {
        newer(event.body, event.revision, &body)
        newer(event.order, event.revision, &order)
        newer(event.status, event.revision, &status)
        newer(event.reactions, event.revision, &reactions)
        for (kind, choices) in [(Voice.Kind.emoji, event.react?.emoji), (.option, event.react?.options)] {
            guard let reader = event.react?.reader ?? subject, let choices else { continue }
            let known = voices.first { $0.reader == reader && $0.kind == kind }
            guard known.map({ $0.revision < event.revision }) ?? true else { continue }
            voices.removeAll { $0 == known }
            voices.append(Voice(reader: reader, kind: kind, revision: event.revision, choices: choices))
            voices.sort { ($0.reader.text, $0.kind.rawValue) < ($1.reader.text, $1.kind.rawValue) }
        }
        if event.isDeleted { deletion = max(deletion ?? event.revision, event.revision) }
    }

    private func newer<Value>(
        _ value: Value?, _ revision: Revision, _ register: inout MessageCard.Register<Value>?
    ) {
        guard let value, register.map({ $0.revision < revision }) ?? true else { return }
        register = MessageCard.Register(revision: revision, value: value)
    }
}
