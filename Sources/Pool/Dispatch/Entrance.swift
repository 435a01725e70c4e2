import Wire

/// The entrance for workers. It lets those in that have the coordinator's own folder, and make the same bytes as
/// those that are there. Any other would take leases of shards that it cannot write, or that it would write where no
/// reader looks; or its rows would not be equal where their keys are.
struct Entrance: Equatable, Sendable {
    /// The proof that a worker has to give; nil where none is asked for.
    let folder: FolderProof?
    /// True where the release before this one cannot read the folder.
    let isBeyondPrevious: Bool
    /// The workers that were asked once more: they may have looked before the coordinator wrote, or said less than they
    /// know.
    private var asked: [Peer] = []
    /// The last workers that were turned away, for operators.
    private(set) var turnedAway: [PoolStatus.TurnedAway] = []

    enum Verdict: Equatable {
        case admitted
        /// The worker is to look again, and to introduce itself once more.
        case asked
        /// The worker is of a version that knows no proof, so that it understands nothing but that it is to leave.
        case outdated(Objection)
        case turnedAway(Objection)
    }

    /// The names of dismissed keys, or of machines where there are no keys.
    private var dismissed: [String] = []

    private static let mostAsked = 1024
    private static let mostTold = 8

    init(folder: FolderProof?, isBeyondPrevious: Bool) {
        (self.folder, self.isBeyondPrevious) = (folder, isBeyondPrevious)
    }

    /// - Parameter there: the engine of the workers that lay out the same edition; nil where there are none.
    mutating func judge(_ hello: WorkerHello, _ peer: Peer, besides there: EngineFacts?) -> Verdict {
        var verdict = judge(hello, peer)
        if verdict == .admitted, let objection = Self.objection(to: hello.engine, besides: there) {
            verdict = .turnedAway(objection)
        }
        switch verdict {
        case .admitted, .asked: break
        case .outdated(let objection), .turnedAway(let objection): note(hello.process, hello.machine, objection)
        }
        return verdict
    }

    /// Returns the reason why rows of one engine may not stand beside those of another; nil where they are equal, or
    /// one is not known.
    static func objection(to engine: EngineFacts?, besides there: EngineFacts?) -> Objection? {
        guard let there, let difference = engine?.difference(from: there) else { return nil }
        return Objection(
            "the worker makes other rows of equal messages than those that are there: it has \(difference). Install the same version "
                + "of Forme and of its libraries on both, and start it again")
    }

    mutating func note(_ process: Int32, _ machine: String, _ objection: Objection) {
        let line = PoolStatus.TurnedAway(process: process, machine: machine, reason: objection)
        turnedAway.removeAll { $0 == line }
        if turnedAway.count == Self.mostTold { turnedAway.removeFirst() }
        turnedAway.append(line)
    }

    /// Turns a worker away for good that was found to make wrong rows, and any that comes under the same key without
    /// the folder.
    mutating func dismiss(_ hello: WorkerHello, _ objection: Objection) {
        if dismissed.count == Self.mostAsked { dismissed.removeFirst() }
        dismissed.append(hello.keyName)
        note(hello.process, hello.machine, objection)
    }

    /// Returns the reason why a key is dismissed; nil where it is not.
    func dismissal(of name: String) -> Objection? {
        guard dismissed.contains(name) else { return nil }
        return Objection(
            "a row that came under the key of \(name) was not what it is beside the folder. Look after that host's memory and its "
                + "packages; it is let in again when the coordinator was started anew")
    }

    private mutating func judge(_ hello: WorkerHello, _ peer: Peer) -> Verdict {
        // Workers with the folder may have the same name, and theirs are the rows that others are compared with.
        if hello.isRemote, let objection = dismissal(of: hello.keyName) { return .turnedAway(objection) }
        // It stores nothing.
        guard let folder, !hello.isRemote else { return .admitted }
        guard let proof = hello.folder else {
            return .outdated(
                Objection(
                    "the worker is of an older version, which cannot prove that it has the coordinator's folder; install the same "
                        + "version for both, and start it again"))
        }
        let wasAsked = asked.contains(peer)
        asked.removeAll { $0 == peer }
        guard let objection = objection(to: hello, besides: folder, proof) else { return .admitted }
        if !wasAsked {
            if asked.count == Self.mostAsked { asked.removeFirst() }
            asked.append(peer)
            return .asked
        }
        return .turnedAway(objection)
    }

    /// Returns the reason why a worker may not write into the folder; nil where it may.
    private func objection(to hello: WorkerHello, besides folder: FolderProof, _ proof: FolderProof) -> Objection? {
        guard proof == folder else {
            return Objection(
                "the worker has another data folder than its coordinator, or a copy of it; start it on the coordinator's machine, with "
                    + "the same --data (or data in the configuration), as what it lays out elsewhere is found by no reader"
            )
        }
        // The release before says nothing of its engine. A caretaker lays nothing out, and says nothing either.
        guard isBeyondPrevious, hello.engine == nil, !hello.isCaretaker else { return nil }
        return Objection(
            "the worker is of the release before its coordinator's, which cannot read this folder: the coordinator's release made it, or "
                + "it was committed to that. Install the same version for both, and start it again")
    }
}

extension WorkerHello {
    /// The name by which it is known when it comes again.
    var keyName: String { holder ?? machine }
}

extension WorkerSeek {
    var keyName: String { holder ?? machine }
}
