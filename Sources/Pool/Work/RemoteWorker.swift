package import MessageLayout
package import Wire

/// The reducer of a worker without the folder: it does one batch at a time, in the order they come. It stores
/// nothing, so it knows no lease and no epoch: a batch that is lost with it is laid out by another worker.
package struct RemoteWorker: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        case heard(CoordinatorWord)
        /// Rows of the batch, as many as there are.
        case made(BatchID, [UInt8])
        case tick(Moment)
        case stop
    }

    package enum Effect: Equatable, Sendable {
        case say(WorkerWord)
        case layOut(Batch)
        /// Lays out for these screens, too, from now on.
        case prepare([Target])
        /// Leaves: nothing is held any more, and nothing will come.
        case leave
        /// The coordinator does not let this worker in: it ends, and says why.
        case giveUp(Objection)
    }

    private let hello: WorkerHello
    private let limits: LayoutWorker.Limits
    private var now = Moment.start
    private var nextBeat = Moment.start
    private var isLeaving = false
    private var hasLeft = false
    private var inHand: BatchID?
    private var waiting: [Batch] = []
    private var added: [Target] = []

    package init(hello: WorkerHello, limits: LayoutWorker.Limits = LayoutWorker.Limits()) {
        (self.hello, self.limits) = (hello, limits)
    }

    /// The words to be said first.
    package var introduction: [Effect] { [.say(.hello(hello)), .say(beat)] }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .heard(let word): return hear(word)
        case .made(let batch, let rows):
            if inHand == batch { inHand = nil }
            return [.say(.made(batch, rows))] + proceed()
        case .tick(let time):
            now = max(now, time)
            guard now >= nextBeat else { return [] }
            nextBeat = now + limits.beat
            return [.say(beat)] + proceed()
        case .stop:
            isLeaving = true
            waiting = []
            return [.say(beat)] + proceed()
        }
    }

    private mutating func hear(_ word: CoordinatorWord) -> [Effect] {
        switch word {
        case .pulse(let targets):
            guard targets != added else { return [] }
            added = targets
            return [.prepare(targets)]
        case .introduceYourself:
            waiting = []
            return introduction + proceed()
        case .assign(let batch):
            guard !isLeaving, waiting.count < Wire.Limits.batchesPerWorker - 1, batch.id != inHand,
                !waiting.contains(where: { $0.id == batch.id })
            else { return [] }
            waiting.append(batch)
            return proceed()
        case .leave:
            isLeaving = true
            waiting = []
            return [.say(beat)] + proceed()
        case .turnedAway(let objection): return [.giveUp(objection)]
        case .offer, .piece: return []
        }
    }

    private mutating func proceed() -> [Effect] {
        guard !hasLeft, inHand == nil else { return [] }
        if !waiting.isEmpty {
            let batch = waiting.removeFirst()
            inHand = batch.id
            return [.layOut(batch)]
        }
        guard isLeaving else { return [] }
        hasLeft = true
        return [.say(.bye), .leave]
    }

    private var beat: WorkerWord {
        let held = (inHand.map { [$0] } ?? []) + waiting.map(\.id)
        return .beat(
            WorkerBeat(credits: isLeaving ? 0 : limits.credits, held: held, hasStarted: inHand != nil))
    }
}
