import Names
import Pool
import Wire

/// Content that is kept only until it is laid out, and the gateway's answers about messages that lost it and their
/// rows.
struct LapsedContent {
    /// Messages whose content was gone when a file was lost that may have had their last row.
    private(set) var bereft: Set<MessageNumber> = []
    /// Messages that a reader was told are unavailable, each with the job at that time.
    private var told: [MessageNumber: JobNumber] = [:]
    /// Dice of its own, so that it changes nothing else that happens under a seed.
    private var dice: Dice

    init(_ scenario: Scenario) { dice = Dice(seed: ~scenario.seed << 5) }

    /// Whether it is time to forget something.
    mutating func isDue() -> Bool { dice.happens(100) }

    /// Forgets the content of laid-out messages in the journal.
    mutating func forget(_ stage: inout Stage) {
        for message in stage.journal.forgetContent() {
            guard let conversation = stage.journal.newest[message]?.job.conversation else { continue }
            let shard = stage.shard(of: conversation)
            // Whether a file was lost, and the journal has not heard of it yet.
            let isUnheard = stage.disks.files.contains { edition, files in
                stage.journal.progress(of: edition, in: shard)?.origin.map {
                    $0 != files[stage.disks.file(of: shard, in: edition)].origin
                }
                    ?? false
            }
            if isUnheard { bereft.insert(message) }
        }
    }

    /// Notes the loss of a shard's file: it may have had the last rows of messages without content.
    mutating func bereave(_ shard: Shard, _ stage: Stage) {
        for message in stage.journal.forgotten.values {
            guard let conversation = stage.journal.newest[message]?.job.conversation else { continue }
            if stage.shard(of: conversation) == shard { bereft.insert(message) }
        }
    }

    /// Whether the journal has nothing but the registers of a message.
    func isForgotten(_ key: MessageKey, _ stage: Stage) -> Bool {
        guard case .message(let card)? = stage.journal.cards[key], let body = card.body?.value.at else { return false }
        return stage.journal.forgotten[body] != nil
    }

    /// Whether a loss of files may have taken the last row of a message.
    func isBereft(_ key: MessageKey, _ stage: Stage) -> Bool {
        guard case .message(let card)? = stage.journal.cards[key] else { return false }
        return isForgotten(key, stage) && bereft.contains(card.number)
    }

    /// Whether a gateway says that no row is on its way, for a message without one.
    func isGone(_ card: MessageCard, _ shard: Shard, _ stage: Stage) -> Bool {
        guard stage.scenario.bug != .pendingForEver else { return false }
        return stage.shownEditions.contains { edition in
            guard let file = stage.disks.files[edition]?[stage.disks.file(of: shard, in: edition)] else { return false }
            return stage.journal.progress(of: edition, in: shard)?.isThrough(card, in: file.origin) ?? false
        }
    }

    /// Lets readers ask for messages that have no row. A message that they were told is unavailable must not come by
    /// an earlier event.
    mutating func askForMissing(_ stage: inout Stage) {
        for (message, job) in told.sorted(by: { $0.key < $1.key }) {
            guard let due = stage.journal.newest[message], due.job.number == job else {
                told[message] = nil
                continue
            }
            guard stage.disks.hasRow(message, stage.shard(of: due.job.conversation), in: stage.shownEditions) else {
                continue
            }
            told[message] = nil
            stage.ledger.find("message \(message.number) was told to be unavailable, and came")
        }
        let shard = Shard(UInt16(dice.number(0...stage.scenario.shards - 1)))
        for message in stage.journal.numbers(in: shard) {
            guard let due = stage.journal.newest[message], case .amend = due.job.work,
                !stage.disks.isAnywhere(message, shard),
                case .message(let card)? = stage.journal.cards[MessageKey(due.job.conversation, due.job.messageID)],
                card.number == message, card.lastJob == due.job.number, isGone(card, shard, stage)
            else { continue }
            told[message] = due.job.number
        }
    }
}
