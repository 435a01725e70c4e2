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
        guard stage.scenario.isUpgrade else { return }
        let seat = workers.addCaretaker()
        stage.agenda.add(.start(.worker(seat)), at: stage.now + 100 * Length.millisecond)
    }

    private mutating func hold() {
        guard coordinator != nil else { return }
        perform(coordinator!.dispatcher.handle(.command(.pause(.relayout))))
    }

    /// A worker goes on with the new edition. Where the old one can still be laid out, one stays with it until nobody is shown it.
    mutating func roll(_ seat: Int) {
        let isOldGone = stage.served == Scenario.new && stage.view?.filler == nil
        guard stage.scenario.isUpgrade || seat > 0 || isOldGone else {
            return stage.agenda.add(.roll(seat: seat), at: stage.now + Length.second)
        }
        workers.change(seat, to: Scenario.new)
        workers.tell(seat, .stop, &stage)
    }

    /// Readers are told.
    mutating func show(_ view: EditionView) {
        stage.view = view
        if stage.scenario.bug == .unfilledEdition { stage.view!.filler = nil }
        guard view.current == Scenario.new else { return }
        guard view.filler == nil else {
            // Somebody is to look at what readers see before it is whole.
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
                // What a caretaker leaves stays undone.
                if line.id == Scenario.old, line.id == view.filler, stage.scenario.isUpgrade { return true }
                if line.id == view.filler || view.current == Scenario.new { return line.undone == 0 }
                return line.id != view.current || line.shards.allSatisfy { $0.waiting == 0 }
            }
    }

    /// After everything has healed, and while the new edition is not through: all that was accepted is shown, and nothing that
    /// was deleted.
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
