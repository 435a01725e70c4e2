import Wire

/// Decides which workers are let in: those that have the coordinator's own folder, and make the same bytes as those that are there. Any
/// other would take leases of shards that it cannot write, or that it would write where no reader looks; or its rows would not be equal
/// where their keys are.
struct Entrance: Equatable, Sendable {
    /// What a worker has to prove; nil where nobody is asked to.
    let folder: FolderProof?
    /// Workers that proved something else, and were asked once more: they may have looked before the coordinator wrote.
    private var asked: [Peer] = []
    /// The last that were turned away, for operators.
    private(set) var turnedAway: [PoolStatus.TurnedAway] = []

    enum Verdict: Equatable {
        case admitted
        /// Is to look again, and to say who it is once more.
        case asked
        /// Of a version that knows no proof, so that it understands nothing but that it is to leave.
        case outdated(Objection)
        case turnedAway(Objection)
    }

    private static let mostAsked = 1024
    private static let mostTold = 8

    init(folder: FolderProof?) { self.folder = folder }

    /// - Parameter there: the engine of those who lay out the same edition; nil where nobody does.
    mutating func judge(_ hello: WorkerHello, _ peer: Peer, besides there: EngineFacts?) -> Verdict {
        let verdict = judge(hello, peer)
        guard verdict == .admitted, let there, let difference = hello.engine?.difference(from: there) else {
            note(verdict, hello)
            return verdict
        }
        let other = Verdict.turnedAway(
            Objection(
                "the worker makes other rows of equal messages than those that are there: it has \(difference). Install the same version "
                    + "of Forme and of its libraries on both, and start it again"))
        note(other, hello)
        return other
    }

    private mutating func note(_ verdict: Verdict, _ hello: WorkerHello) {
        switch verdict {
        case .admitted, .asked: break
        case .outdated(let objection), .turnedAway(let objection):
            let line = PoolStatus.TurnedAway(process: hello.process, machine: hello.machine, reason: objection)
            turnedAway.removeAll { $0 == line }
            if turnedAway.count == Self.mostTold { turnedAway.removeFirst() }
            turnedAway.append(line)
        }
    }

    private mutating func judge(_ hello: WorkerHello, _ peer: Peer) -> Verdict {
        guard let folder else { return .admitted }
        guard let proof = hello.folder else {
            return .outdated(
                Objection(
                    "the worker is of an older version, which cannot prove that it has the coordinator's folder; install the same "
                        + "version for both, and start it again"))
        }
        let wasAsked = asked.contains(peer)
        asked.removeAll { $0 == peer }
        if proof == folder { return .admitted }
        if !wasAsked {
            if asked.count == Self.mostAsked { asked.removeFirst() }
            asked.append(peer)
            return .asked
        }
        return .turnedAway(
            Objection(
                "the worker has another data folder than its coordinator, or a copy of it; start it on the coordinator's machine, with "
                    + "the same --data (or data in the configuration), as what it lays out elsewhere is found by no reader"
            ))
    }
}
