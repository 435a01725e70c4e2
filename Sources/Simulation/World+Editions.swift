import Names
import Pool
import Wire

// Two editions, one after the other.
extension World {
    /// What is slow has its time; what never comes is found.
    private static let mostGlances = 60

    /// The style is another one from now on.
    mutating func want(_ edition: EditionID) {
        wanted = edition
        receive(.roll(edition))
        if isHeldUp { hold() }
        guard scenario.isUpgrade else { return }
        workers.append(WorkerSeat(isForeign: false, isCaretaker: true))
        agenda.add(.start(.worker(workers.count - 1)), at: now + 100 * Length.millisecond)
    }

    private mutating func hold() {
        guard coordinator != nil else { return }
        perform(coordinator!.dispatcher.handle(.command(.pause(.relayout))))
    }

    /// A worker goes on with the new edition. Where the old one can still be laid out, one stays with it until nobody is shown it.
    mutating func roll(_ seat: Int) {
        guard scenario.isUpgrade || seat > 0 || served == Scenario.new else {
            return agenda.add(.roll(seat: seat), at: now + Length.second)
        }
        workers[seat].edition = Scenario.new
        tell(seat, .stop)
    }

    /// Readers are told.
    mutating func show(_ view: EditionView) {
        self.view = view
        if scenario.bug == .unfilledEdition { self.view!.filler = nil }
        guard view.current == Scenario.new else { return }
        for seat in workers.indices where workers[seat].isCaretaker {
            workers[seat].isGone = true
            end(seat, restartAfter: 0)
        }
    }

    /// No row goes before the next edition has what its message is by now, unless that cannot be laid out, or the file of it is lost.
    mutating func checkWithdrawals(_ edition: EditionID, _ number: Int) {
        guard let written = files[edition]?[number], let changes = written.open?.changes else { return }
        for change in changes where change.row == .withdrawn && written.rows[change.message] != nil {
            let shard = shard(of: change.conversation)
            guard !lost.contains(shard) else { continue }
            let next = view?.filler.flatMap { files[$0]?[file(of: shard, in: $0)] }
            let isThere = next?.rows[change.message].map { $0.job >= change.job } ?? false
            let isPlain = journal.kinds[Int(shard.number)][Int(change.job.number) - 1] == Script.plain
            let isShelved = journal.shelf.values.contains { $0.message == change.message }
            let isDeleted = journal.newest[change.message]?.job.work == .remove
            if !isThere, isPlain, !isShelved, !isDeleted {
                findings.append("\(change.messageID) was hidden before the next edition had it")
            }
        }
    }

    /// Whether nothing is on its way but the walk that waits.
    private var isUpToDate: Bool {
        guard let status = coordinator?.dispatcher.status, let view else { return false }
        return verdicts.indices.allSatisfy { verdicts[$0] != nil || givenUp.contains($0) }
            && status.workers.allSatisfy { $0.lentJobs == 0 }
            && status.editions.allSatisfy { line in
                if line.id == view.filler { return line.undone == 0 }
                return line.id != view.current || line.shards.allSatisfy { $0.waiting == 0 }
            }
    }

    /// After everything has healed, and while the new edition is not through: all that was accepted is shown, and nothing that
    /// was deleted.
    mutating func glance() {
        if !isUpToDate, glances < Self.mostGlances {
            glances += 1
            return agenda.add(.glance, at: now + Length.second)
        }
        isHeldUp = false
        if coordinator != nil { perform(coordinator!.dispatcher.handle(.command(.resume(.relayout)))) }
        guard let view, view.current == Scenario.old, let shards = files[view.current] else { return }
        var shown: [MessageNumber: MessageKey] = [:]
        for edition in [view.filler, view.current].compactMap(\.self) {
            for file in files[edition] ?? shards {
                for (number, row) in file.rows { shown[number] = MessageKey(row.conversation, row.message) }
            }
        }
        let keys = Set(shown.values)
        let fold = MessageFold(script, journaled)
        for (key, message) in fold.messages {
            // What was in a file that is lost comes with the walk that waits.
            let isLost = lost.contains(Shard(of: key.conversation, among: scenario.shards))
            if !isLost, message.state?.body.content.first == Script.plain, !keys.contains(key) {
                findings.append(
                    "\(key.message) was accepted, and is shown by no edition while the next one is laid out")
            }
            if message.state == nil, message.deletion != nil, keys.contains(key) {
                findings.append("\(key.message) was deleted, and is shown while the next edition is laid out")
            }
        }
    }
}
