import Names
import Wire

extension FloodLoop {
    /// Reads every conversation that anything was said in, and compares it with the ledger. What is not as it must be is read
    /// again until the time is up: a move or a delete has no hint that says when it is done.
    ///
    /// - Parameter progress: told now and then how many conversations of how many were read.
    package mutating func audit(
        within time: Duration, progress: (_ read: Int, _ of: Int) -> Void
    ) throws -> Audit.Verdict {
        let used = traffic.workload.counts.indices.filter { traffic.workload.counts[$0] > 0 }.map { UInt32($0) }
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

    /// First pages are asked for some conversations ahead.
    private mutating func read(
        _ conversations: [UInt32], into audit: inout Audit, progress: (Int) -> Void
    ) throws {
        var asked = 0
        for (place, conversation) in conversations.enumerated() {
            while asked < min(conversations.count, place + Self.conversationsAhead) {
                try askForAudit(conversations[asked], after: nil)
                asked += 1
            }
            audit.begin(conversation)
            var page = try auditPage(of: conversation, after: nil)
            while let read = page {
                for row in read.rows {
                    audit.row(
                        message: row.position.message.text, order: row.position.order, revision: row.revision.number)
                }
                guard let next = read.next else { break }
                try askForAudit(conversation, after: next)
                page = try auditPage(of: conversation, after: next)
            }
            if page == nil { audit.noteUnreadable() }
            audit.end()
            if place.isMultiple(of: 64) { progress(place) }
        }
    }

    private mutating func askForAudit(_ conversation: UInt32, after: Position?) throws {
        var query = try page(of: conversation, after: 0)
        query.after = after
        query.limit = UInt16(Limits.rowsPerPage)
        try ask(query, due: now, purpose: .audit(conversation))
    }

    /// Nil when nobody answers, or only with refusals.
    private mutating func auditPage(of conversation: UInt32, after: Position?) throws -> Page? {
        let deadline = now + Self.auditTime
        var askAgain = now + Self.answerTime
        while now < deadline {
            if let answer = auditPages.removeValue(forKey: conversation) {
                if case .success(let page) = answer { return page }
                try listen(atMost: Self.longestWait)
                try askForAudit(conversation, after: after)
            } else if now >= askAgain {
                askAgain = now + Self.answerTime
                try askForAudit(conversation, after: after)
            }
            try listen(atMost: Self.longestWait)
        }
        return nil
    }
}
