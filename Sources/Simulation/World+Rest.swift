import MessageLayout
import Pool
import Wire

extension World {
    var isAtRest: Bool {
        guard let coordinator, coordinator.turn == nil, coordinator.mail.isEmpty else { return false }
        guard producers.areAnswered else { return false }
        return coordinator.dispatcher.isAtRest && (!stage.scenario.isForgetting || coordinator.dispatcher.isRecorded)
            && (!stage.scenario.isRolling || stage.served == Scenario.new)
            && !isHeldUp
            && workers.areUp(for: added)
    }

    /// The screens that the coordinator has added to those that styles prepare.
    var added: [Target] { coordinator?.dispatcher.demand.targets ?? [] }

    /// The reason why it is not at rest.
    var unrest: String {
        guard let coordinator else { return "no coordinator" }
        let editions = coordinator.dispatcher.status.editions.map { edition in
            "\(edition.name): \(edition.undone) undone, \(edition.shards.map(\.waiting)) wait, "
                + "\(edition.shardsWalking) walk"
        }
        return
            "\(producers.unanswered) events without an answer; \(editions); \(coordinator.dispatcher.status.workers.count) workers"
    }

    /// Takes the findings of the dispatcher's own audit.
    mutating func audit() { stage.ledger.findSome(coordinator!.dispatcher.audit()) }

    /// Checks everything at the end.
    mutating func check() {
        if coordinator != nil { audit() }
        for seat in readers.indices { readers.readAll(seat, &stage) }
        var inspection = Inspection(of: self)
        inspection.run()
        stage.ledger = inspection.ledger
        (stage.tally.rows, stage.tally.unavailable) = (inspection.rows, inspection.unavailable)
    }
}
