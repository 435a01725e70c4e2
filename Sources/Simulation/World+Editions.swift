import Names
import Pool
import Wire

// Two editions, one after the other.
extension World {
    /// The number of looks after which an edition that never gets up to date is found: slow ones have their time.
    private static let mostGlances = 60

    /// Wants another edition from now on.
    mutating func want(_ edition: EditionID) {
        wanted = edition
        receive(.roll(edition))
        if isHeldUp { hold() }
        guard stage.scenario.isUpgrade else { return }
        let seat = workers.addCaretaker()
        stage.agenda.add(.start(.worker(seat)), at: stage.now + 100 * Length.millisecond)
    }

    private mutating func hold() {
        guard coordinator != nil else { return }
        perform(coordinator!.dispatcher.handle(.command(.pause(.relayout))))
    }

    /// Lets a worker go on with the new edition. If the old one can still be laid out, one worker stays with it until
    /// no reader is shown it.
    mutating func roll(_ seat: Int) {
        let isOldGone = stage.served == Scenario.new && stage.view?.filler == nil
        guard stage.scenario.isUpgrade || seat > 0 || isOldGone else {
            return stage.agenda.add(.roll(seat: seat), at: stage.now + Length.second)
        }
        workers.change(seat, to: Scenario.new)
        workers.tell(seat, .stop, &stage)
    }

    /// Tells readers.
    mutating func show(_ view: EditionView) {
        stage.view = view
        if stage.scenario.bug == .unfilledEdition { stage.view!.filler = nil }
        guard view.current == Scenario.new else { return }
        guard view.filler == nil else {
            // An inspection is to see the readers' rows before the edition is complete.
            if !hasGlanced, !isHeldUp {
                isHeldUp = true
                hold()
            }
            return
        }
        workers.dismissCaretakers(&stage)
    }

    /// Whether nothing is on its way but the walk that waits.
    private var isUpToDate: Bool {
        guard let status = coordinator?.dispatcher.status, let view = stage.view else { return false }
        return producers.areAnswered
            && status.workers.allSatisfy { $0.lentJobs == 0 }
            && status.editions.allSatisfy { line in
                // Jobs that a caretaker leaves stay undone.
                if line.id == Scenario.old, line.id == view.filler, stage.scenario.isUpgrade { return true }
                if line.id == view.filler || view.current == Scenario.new { return line.undone == 0 }
                return line.id != view.current || line.shards.allSatisfy { $0.waiting == 0 }
            }
    }

    /// Checks, after everything has healed and before the new edition is complete, that all accepted messages are
    /// shown, and no deleted ones.
    mutating func glance() {
        if !isUpToDate, glances < Self.mostGlances {
            glances += 1
            return stage.agenda.add(.glance, at: stage.now + Length.second)
        }
        (isHeldUp, hasGlanced) = (false, true)
        if coordinator != nil { perform(coordinator!.dispatcher.handle(.command(.resume(.relayout)))) }
        var inspection = Inspection(of: self)
        inspection.glance()
        stage.ledger = inspection.ledger
    }
}
