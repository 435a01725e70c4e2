import Pool
import Wire

/// The way between the coordinator and one other process.
struct Link {
    var partitionedUntil = Instant.start
    fileprivate var lastUp = Instant.start
    fileprivate var lastDown = Instant.start
}

extension World {
    /// When a word arrives that is sent now: once, or never, or twice.
    mutating func arrivals(_ way: WritableKeyPath<World, Link>, isUp: Bool) -> [Instant] {
        tally.words += 1
        var link = self[keyPath: way]
        guard now >= link.partitionedUntil, !dice.happens(weather.loss) else {
            tally.lost += 1
            return []
        }
        var arrivals = [arrival(&link, isUp)]
        if dice.happens(weather.duplication) {
            tally.duplicated += 1
            arrivals.append(arrival(&link, isUp))
        }
        self[keyPath: way] = link
        return arrivals
    }

    private mutating func arrival(_ link: inout Link, _ isUp: Bool) -> Instant {
        var at = now + dice.number(40...300)
        if dice.happens(weather.delay) {
            tally.delayed += 1
            at = at + dice.number(1...800) * Length.millisecond
        }
        // A connection keeps the order, unless the seed says otherwise.
        guard !(weather.isReordering && dice.happens(100)) else { return at }
        let last = isUp ? link.lastUp : link.lastDown
        at = max(at, last + 1)
        if isUp { link.lastUp = at } else { link.lastDown = at }
        return at
    }

    mutating func say(_ word: WorkerWord, _ seat: Int) {
        guard let process = workers[seat].process?.id else { return }
        for at in arrivals(\.workers[seat].link, isUp: true) {
            agenda.add(.mail(.word(word, seat: seat, process: process)), at: at)
        }
    }

    /// False where nobody is there, and that is noticed.
    mutating func say(_ word: CoordinatorWord, to peer: Peer) -> Bool {
        let (seat, process) = peer.address
        guard workers[seat].process?.id == process else { return dice.happens(500) }
        for at in arrivals(\.workers[seat].link, isUp: false) {
            agenda.add(.word(word, seat: seat, process: process), at: at)
        }
        return true
    }

    mutating func answer(_ answers: [EventAnswer], _ request: Int, _ seat: Int, _ process: Int) {
        for at in arrivals(\.producers[seat].link, isUp: false) {
            agenda.add(.answers(answers, request: request, seat: seat, process: process), at: at)
        }
    }
}

extension Peer {
    /// Where a process sits, and which it is.
    init(seat: Int, process: Int) {
        self.init(route: [UInt8(seat)] + (0..<4).map { UInt8(truncatingIfNeeded: process >> ($0 * 8)) })
    }

    var address: (seat: Int, process: Int) {
        (Int(route[0]), route.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) })
    }
}
