import Operations
import Pool
import Storage
import Wire

private let log = Log("coordinator")

// Editions, as the folder keeps them.
extension CoordinatorLoop {
    /// Takes up the edition to serve: the one that this start of the service names, or the one wanted last since.
    mutating func beginWithEditions(_ own: WantedEdition?) throws {
        for line in dispatcher.status.editions { dispatcher.name(line.id, as: try name(of: line.id) ?? "") }
        let known = try editions.wanted()
        // If it is the same start again, this process has ended, and the service has not.
        let wanted = own.flatMap { $0.start == known?.start ? nil : $0 } ?? known
        if let wanted, try editions.edition(wanted.edition) != nil || dispatcher.knows(wanted.edition) {
            try want(wanted)
        }
        try forgetStrays()
    }

    /// Has an edition laid out, then served. The folder notes it first: the next coordinator wants the same.
    private mutating func want(_ wanted: WantedEdition) throws {
        try editions.want(wanted)
        let name = try name(of: wanted.edition) ?? ""
        // A known edition has its files, though all of them may be lost.
        let files: FileMap? =
            if dispatcher.knows(wanted.edition) { nil } else {
                try editions.decideFiles(of: wanted.edition, shards: dispatcher.shardCount, atMost: mostFiles)
            }
        try handle(.command(.roll(to: wanted.edition, name: name, files: files, isHurried: wanted.isHurried)))
    }

    /// Rolls to an edition by command: it holds until the service is started with another.
    /// - Returns: the reason why it cannot; nil where it can.
    mutating func roll(to edition: EditionID, isHurried: Bool) throws -> String? {
        guard try editions.edition(edition) != nil || dispatcher.knows(edition) else {
            return
                "the edition \(edition) is not in the folder; have a style compiled and rolled out with forme pool roll STYLE"
        }
        try want(WantedEdition(edition, start: editions.wanted()?.start ?? "", isHurried: isHurried))
        return nil
    }

    private func name(of edition: EditionID) throws(StorageError) -> String? {
        try editions.edition(edition).flatMap(names)
    }

    /// Removes editions kept for a roll that never began, and files put aside of editions that another journal had;
    /// but not those that a worker or a roll has put there now, and is about to name.
    private func forgetStrays() throws {
        let wanted = try editions.wanted()?.edition
        let kept = Set(try editions.all() + ShardPlace.editions(in: folder))
        for edition in kept where edition != wanted && !dispatcher.knows(edition) {
            guard try !editions.isAwaited(edition) else { continue }
            log.info("removing an edition that nobody wants", ["edition": "\(edition)"])
            try forget(edition)
        }
    }

    /// Removes everything that is kept of an edition that is gone.
    func forget(_ edition: EditionID) throws(StorageError) {
        try ShardPlace.removeAll(of: edition, in: folder)
        try editions.remove(edition)
    }
}

extension ServedEdition {
    init(_ view: EditionView) {
        self.init(view.current, next: view.next, filler: view.filler, isHurried: view.isHurried)
    }
}
