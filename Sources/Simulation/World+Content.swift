import Names
import Pool
import Wire

// Content that is kept only until it is laid out, and what a gateway says of messages that lost it and their rows.
extension World {
    mutating func forgetContent() {
        guard weather.isBad || !isAtRest else { return }
        for message in journal.forgetContent() {
            guard let conversation = journal.newest[message]?.job.conversation else { continue }
            let shard = Shard(of: conversation, among: scenario.shards)
            // A file was lost, and the journal has not heard of it yet.
            let isUnheard = files.contains { edition, files in
                journal.progress(of: edition, in: shard)?.origin.map {
                    $0 != files[file(of: shard, in: edition)].origin
                }
                    ?? false
            }
            if isUnheard { bereft.insert(message) }
        }
    }

    /// A file of a shard is lost: of messages without content it may have had all that was left.
    mutating func bereave(_ shard: Shard) {
        for message in journal.forgotten.values {
            guard let conversation = journal.newest[message]?.job.conversation else { continue }
            if self.shard(of: conversation) == shard { bereft.insert(message) }
        }
    }

    /// The row of a message without content, where the served edition has one.
    func carried(_ job: LayoutJob, to edition: EditionID) -> ShardRow? {
        guard let served, served != edition,
            let row = files[served]?[file(of: shard(of: job.conversation), in: served)].rows[job.message]
        else {
            guard scenario.bug == .blankRow else { return nil }
            let facts = RowFacts(
                order: 0, sender: SenderID(own: "nobody"), time: Timestamp(milliseconds: 0), revision: Revision(0),
                status: nil)
            return ShardRow(facts: facts, role: SimulatedLayout.role, key: [], layout: [], measured: [])
        }
        return ShardRow(facts: row.facts, role: SimulatedLayout.role, key: row.key, layout: row.key, measured: [])
    }

    func isForgotten(_ key: MessageKey) -> Bool {
        guard case .message(let card)? = journal.cards[key], let body = card.body?.value.at else { return false }
        return journal.forgotten[body] != nil
    }

    /// Whether a loss of files may have taken all that was left of a message.
    func isBereft(_ key: MessageKey) -> Bool {
        guard case .message(let card)? = journal.cards[key] else { return false }
        return isForgotten(key) && bereft.contains(card.number)
    }

    /// Whether a gateway says of a message without a row that none is on its way.
    private func isGone(_ card: MessageCard, _ shard: Shard) -> Bool {
        guard scenario.bug != .pendingForEver else { return false }
        return [view?.current, view?.filler].compactMap(\.self).contains { edition in
            guard let file = files[edition]?[file(of: shard, in: edition)] else { return false }
            return journal.progress(of: edition, in: shard)?.isThrough(card, in: file.origin) ?? false
        }
    }

    private func hasRow(_ message: MessageNumber, _ shard: Shard) -> Bool {
        [view?.current, view?.filler].compactMap(\.self).contains { edition in
            files[edition]?[file(of: shard, in: edition)].rows[message] != nil
        }
    }

    /// Whether any edition has a row, which readers are shown once it is served.
    private func isAnywhere(_ message: MessageNumber, _ shard: Shard) -> Bool {
        files.contains { $1[file(of: shard, in: $0)].rows[message] != nil }
    }

    /// Readers ask for messages that have no row. What they are told is unavailable does not come by what was said before.
    mutating func askForMissing() {
        for (message, job) in told.sorted(by: { $0.key < $1.key }) {
            guard let due = journal.newest[message], due.job.number == job else {
                told[message] = nil
                continue
            }
            guard hasRow(message, Shard(of: due.job.conversation, among: scenario.shards)) else { continue }
            told[message] = nil
            findings.append("message \(message.number) was told to be unavailable, and came")
        }
        let shard = Shard(UInt16(forgetDice.number(0...scenario.shards - 1)))
        for message in journal.numbers(in: shard) {
            guard let due = journal.newest[message], case .amend = due.job.work, !isAnywhere(message, shard),
                case .message(let card)? = journal.cards[MessageKey(due.job.conversation, due.job.messageID)],
                card.number == message, card.lastJob == due.job.number, isGone(card, shard)
            else { continue }
            told[message] = due.job.number
        }
    }

    /// Nothing is told to be on its way for ever, and all that is unavailable is counted.
    mutating func checkUnavailable(_ fold: MessageFold, _ shards: [ShardFile], _ edition: EditionID) {
        let keys = fold.messages.filter { $0.value.state != nil }.keys
        var missing = 0
        for key in keys where isForgotten(key) {
            guard case .message(let card)? = journal.cards[key] else { continue }
            let shard = Shard(of: key.conversation, among: scenario.shards)
            guard !hasRow(card.number, shard) else { continue }
            if bereft.contains(card.number) { missing += 1 }
            if !isGone(card, shard) { findings.append("\(key.message) is said to be on its way for ever") }
        }
        let counted = coordinator?.dispatcher.content(forgotten: Array(repeating: 0, count: scenario.shards))
            .unavailable
        if counted != missing {
            findings.append("\(missing) messages are unavailable, and \(counted ?? 0) are counted")
        }
        tally.unavailable = missing
    }
}
