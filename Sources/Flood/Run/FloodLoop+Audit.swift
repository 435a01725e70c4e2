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
                let next = conversations[openings.count]
                openings.append(
                    try opening(of: next, around: .newest, count: Limits.rowsPerPage, wantsMessages: true))
                try askForAudit(next, .open(openings.last!))
            }
            audit.begin(conversation)
            if let rows = try allRows(of: conversation, openings[place]) {
                for row in rows {
                    audit.row(message: row.message.text, order: row.order, revision: row.revision)
                }
            } else {
                audit.noteUnreadable()
            }
            audit.end()
            if place.isMultiple(of: 64) { progress(place) }
        }
    }

    /// The rows of a window that is open or is being opened, up to the oldest row of its conversation. A conversation
    /// is longer than a window may be, so the window drops its end as it is read. Nil when nobody answers, or only
    /// with refusals.
    private mutating func allRows(of conversation: UInt32, _ opening: WindowOpening) throws -> [WindowRow]? {
        let window = opening.window
        defer { try? leaveAudit(window) }
        guard var answer = try auditAnswer(of: conversation, to: .open(opening)) else { return nil }
        var pages: [[WindowRow]] = []
        var held = 0
        while case .window(let reply) = answer {
            pages.append(reply.rows)
            held += reply.rows.count
            guard reply.frame.rowsAbove > 0 else { break }
            // A page that brings nothing would be asked for for ever.
            guard !reply.rows.isEmpty else { return nil }
            if held + Limits.rowsPerPage > Limits.rowsPerWindow {
                let shorter = ClientWord.adjust(window, maxCount: Limits.rowsPerPage, focus: 0)
                try askForAudit(conversation, shorter)
                guard case .adjusted? = try auditAnswer(of: conversation, to: shorter) else { return nil }
                held = Limits.rowsPerPage
            }
            let older = ClientWord.page(window, .older, count: Limits.rowsPerPage)
            try askForAudit(conversation, older)
            guard let next = try auditAnswer(of: conversation, to: older) else { return nil }
            answer = next
        }
        return pages.reversed().flatMap(\.self)
    }

    /// The answer to a word of the audit; nil when none came in time.
    ///
    /// - Parameter word: it was sent already; it is sent again where no answer comes, or none yet.
    private mutating func auditAnswer(of conversation: UInt32, to word: ClientWord) throws -> GatewayWord? {
        let deadline = now + Self.auditTime
        var askAgain = now + Self.answerTime
        while now < deadline {
            let answer = auditAnswers.removeValue(forKey: conversation)
            switch answer {
            // The last means that nothing was ever kept of the conversation.
            case .window?, .adjusted?, .refused(_, .unknownConversation)?: return answer
            case .some:
                try listen(atMost: Self.longestWait)
                try askForAudit(conversation, word)
            case nil where now >= askAgain:
                askAgain = now + Self.answerTime
                try askForAudit(conversation, word)
            case nil: break
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
                    audit.noteUnreadable()
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
