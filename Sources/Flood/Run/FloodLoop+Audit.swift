package import Names
import Wire

extension FloodLoop {
    /// Reads every conversation that has events, and compares it with the ledger. Conversations with faults are read
    /// again until the time is up: a move or a delete has no hint that says when it is done.
    ///
    /// - Parameter progress: called now and then with the number of conversations that were read, and of all.
    package mutating func audit(
        within time: Duration, progress: (_ read: Int, _ of: Int) -> Void
    ) throws -> Audit.Verdict {
        let used = usedConversations
        var audit = Audit(of: traffic.ledger, names: traffic.workload.names, conversations: plan.conversations)
        let deadline = now + time
        var left = used
        while !left.isEmpty {
            try read(left, into: &audit) { progress(used.count - left.count + $0, used.count) }
            left = audit.faultyConversations
            guard now < deadline, !wasStopped else { break }
            if !left.isEmpty { try listen(atMost: .milliseconds(100)) }
        }
        return audit.verdict(conversationsRead: used.count)
    }

    /// Reads one conversation after the other; the newest rows of some more are asked for ahead.
    private mutating func read(
        _ conversations: [UInt32], into audit: inout Audit, progress: (Int) -> Void
    ) throws {
        var openings: [WindowOpening] = []
        for (place, conversation) in conversations.enumerated() {
            while openings.count < min(conversations.count, place + Self.conversationsAhead) {
                openings.append(try openForAudit(conversations[openings.count]))
            }
            audit.begin(conversation)
            switch try allRows(of: conversation, openings[place]) {
            case .rows(let rows):
                for row in rows {
                    audit.row(message: row.message.text, order: row.order, revision: row.revision)
                }
            case .unreadable(let reason): audit.noteUnreadable(reason)
            }
            audit.end()
            if place.isMultiple(of: 64) { progress(place) }
        }
    }

    /// The outcome of reading a conversation.
    private enum Reading {
        case rows([WindowRow])
        /// Nobody answers, or only with refusals, of which this says the last.
        case unreadable(String)
    }

    /// The rows of a conversation. As any client, the audit opens the conversation afresh where a window is not
    /// answered or refused: one whose shard was begun anew, or whose gateway ended, is closed, and no question about
    /// it is ever answered.
    ///
    /// - Parameter opening: was sent already.
    private mutating func allRows(of conversation: UInt32, _ opening: WindowOpening) throws -> Reading {
        let deadline = now + plan.auditTime
        var opening = opening
        while true {
            let reading = try rows(of: conversation, opening)
            try leaveAudit(opening.window)
            guard case .unreadable = reading, now < deadline else { return reading }
            try listen(atMost: Self.longestWait)
            opening = try openForAudit(conversation)
        }
    }

    /// The rows of a window that is being opened, up to the oldest row of its conversation. A conversation is longer
    /// than a window may be, so the window drops its end as it is read.
    private mutating func rows(of conversation: UInt32, _ opening: WindowOpening) throws -> Reading {
        let window = opening.window
        var answer = try auditAnswer(of: conversation, in: window)
        var pages: [[WindowRow]] = []
        var held = 0
        while case .window(let reply) = answer {
            pages.append(reply.rows)
            held += reply.rows.count
            guard reply.frame.rowsAbove > 0 else { return .rows(pages.reversed().flatMap(\.self)) }
            // A page that brings nothing would be asked for for ever.
            guard !reply.rows.isEmpty else { return .unreadable("a page without rows") }
            if held + Limits.rowsPerPage > Limits.rowsPerWindow {
                try askForAudit(conversation, .adjust(window, maxCount: Limits.rowsPerPage, focus: 0))
                answer = try auditAnswer(of: conversation, in: window)
                guard case .adjusted = answer else { break }
                held = Limits.rowsPerPage
            }
            try askForAudit(conversation, .page(window, .older, count: Limits.rowsPerPage))
            answer = try auditAnswer(of: conversation, in: window)
        }
        guard case .refused(_, let refusal) = answer else { return .unreadable("no answer") }
        // Nothing was ever kept of the conversation.
        return refusal == .unknownConversation ? .rows([]) : .unreadable("refused: \(refusal)")
    }

    private mutating func openForAudit(_ conversation: UInt32) throws -> WindowOpening {
        let opening = try opening(of: conversation, around: .newest, count: Limits.rowsPerPage, wantsMessages: true)
        try askForAudit(conversation, .open(opening))
        return opening
    }

    /// The answer about a window of the audit; nil when none came in time.
    private mutating func auditAnswer(of conversation: UInt32, in window: WindowID) throws -> GatewayWord? {
        let deadline = now + Self.answerTime
        while now < deadline {
            // An answer about a window that was given up comes late.
            if let answer = auditAnswers.removeValue(forKey: conversation), answer.auditedWindow == window {
                return answer
            }
            try listen(atMost: Self.longestWait)
        }
        return nil
    }
}

extension FloodLoop {
    /// Compares the stored rows with the ledger; they are read without any gateway. Conversations with faults are read
    /// again until the time is up: a gateway that meets damage has it mended.
    ///
    /// - Parameter rows: the rows of a conversation, in order; nil where they cannot be read.
    package mutating func compare(
        within time: Duration,
        with rows: (ConversationID) throws -> [(message: String, order: Int64, revision: UInt64)]?
    ) throws -> Audit.Verdict {
        let used = usedConversations
        var audit = Audit(of: traffic.ledger, names: traffic.workload.names, conversations: plan.conversations)
        let deadline = now + time
        var left = used
        while !left.isEmpty {
            for conversation in left {
                audit.begin(conversation)
                if let found = try rows(ConversationID(traffic.workload.names.conversation(conversation))) {
                    for row in found { audit.row(message: row.message, order: row.order, revision: row.revision) }
                } else {
                    audit.noteUnreadable("the files cannot be read")
                }
                audit.end()
            }
            left = audit.faultyConversations
            guard now < deadline, !wasStopped else { break }
            if !left.isEmpty { try listen(atMost: .milliseconds(100)) }
        }
        return audit.verdict(conversationsRead: used.count)
    }

    /// The conversations that have events.
    private var usedConversations: [UInt32] {
        traffic.workload.counts.indices.filter { traffic.workload.counts[$0] > 0 }.map { UInt32($0) }
    }
}

extension GatewayWord {
    /// The window that an answer of the audit is about.
    fileprivate var auditedWindow: WindowID? {
        switch self {
        case .window(let reply): reply.window
        case .adjusted(let window, _), .refused(let window, _): window
        default: nil
        }
    }
}
