import Pool
import Wire

// Two editions, one after the other.
extension World {
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

    /// Long after everything has healed, and while the new edition is not through: all that was accepted is shown, and nothing that
    /// was deleted.
    mutating func glance() {
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
