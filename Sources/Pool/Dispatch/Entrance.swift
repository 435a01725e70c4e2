import Wire

/// Decides which workers are let in: those that have the coordinator's own folder. Any other would take leases of shards that it cannot
/// write, or that it would write where no reader looks.
struct Entrance: Equatable, Sendable {
    /// What a worker has to prove; nil where nobody is asked to.
    let folder: FolderProof?
    /// Workers that proved something else, and were asked once more: they may have looked before the coordinator wrote.
    private var asked: [Peer] = []

    enum Verdict: Equatable {
        case admitted
        /// Is to look again, and to say who it is once more.
        case asked
        /// Of a version that knows no proof, so that it understands nothing but that it is to leave.
        case outdated(Objection)
        case turnedAway(Objection)
    }

    private static let mostAsked = 1024

    init(folder: FolderProof?) { self.folder = folder }

    mutating func judge(_ hello: WorkerHello, _ peer: Peer) -> Verdict {
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
