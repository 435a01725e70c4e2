package import MessageLayout

/// What a worker says to the coordinator.
package enum WorkerWord: Equatable, Sendable {
    /// First, and again whenever the coordinator asks who it is.
    case hello(WorkerHello)
    /// Every half second and whenever something changes, from a thread that no layout can starve.
    case beat(WorkerBeat)
    case finished(BatchReport)
    /// Everything that was committed in the shard up to there, by whomever, has reached the disk.
    case synced(Shard, ShardPoint)
    /// Told to stop, and holds nothing any more.
    case bye
    /// From a host without the folder: which edition is to be laid out?
    case seek(WorkerSeek)
    /// Wants a piece of that edition.
    case fetch(EditionPart)
    /// Rows of a batch, one `MadeRow` after the other: as many as were made.
    case made(BatchID, [UInt8])
    /// Layouts that it made, once a second at most.
    case figures(LayoutFigures)
}

/// Who asks what there is to be laid out, before it has anything to do that with.
package struct WorkerSeek: Equatable, Sendable {
    package var process: Int32
    package var machine: String
    /// As far as it is known before the first row.
    package var engine: EngineFacts
    /// Whose key it came under, as the socket knows it; on no wire.
    package var holder: String?

    package init(process: Int32, machine: String, engine: EngineFacts) {
        (self.process, self.machine, self.engine) = (process, machine, engine)
    }
}

/// The introduction of a worker: its name, and what it can do.
package struct WorkerHello: Equatable, Sendable {
    package var edition: EditionID
    /// What people call the edition.
    package var editionName: String
    package var process: Int32
    /// Names the machine and its start, so that only a process of the same one is ever signalled.
    package var machine: String
    /// Those of its style.
    package var targets: [Target]
    /// It cannot lay out the edition, and takes away what has changed: what is deleted, and what would be shown as it was.
    package var isCaretaker: Bool
    /// Proves that it has the folder of the coordinator before it, and no copy; nil where its version knows of none.
    package var folder: FolderProof?
    /// Which bytes it makes of equal messages; nil of a caretaker, which makes none, and of a version that knows nothing of it.
    package var engine: EngineFacts?
    /// It has no folder: it lays out, and stores nothing.
    package var isRemote = false
    /// Whose key it came under, as the socket knows it; on no wire.
    package var holder: String?

    package init(
        edition: EditionID, editionName: String, process: Int32, machine: String, targets: [Target] = [],
        isCaretaker: Bool = false, folder: FolderProof? = nil, engine: EngineFacts? = nil
    ) {
        (self.edition, self.editionName, self.process, self.machine) = (edition, editionName, process, machine)
        (self.targets, self.isCaretaker, self.folder) = (targets, isCaretaker, folder)
        self.engine = engine
    }
}

/// What only a process that has a coordinator's own folder can say: made of a number that the coordinator writes there when it starts, of
/// which file has it, and of the machine and its start.
package struct FolderProof: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    /// Of a folder in which no coordinator has ever written.
    package static let none = FolderProof(0)
}

/// A worker's sign of life.
package struct WorkerBeat: Equatable, Sendable {
    /// How many jobs it takes at once; none while it starts or stops.
    package var credits: UInt16
    /// Batches it holds, finished ones left out. The first is the one it works on.
    package var held: [BatchID]
    /// Whether the first has been started: only then may a loss be blamed on its jobs.
    package var hasStarted: Bool
    /// What its time went into.
    package var times = StageTimes()

    package init(credits: UInt16, held: [BatchID], hasStarted: Bool) {
        (self.credits, self.held, self.hasStarted) = (credits, held, hasStarted)
    }
}

/// What the coordinator says to a worker.
package enum CoordinatorWord: Equatable, Sendable {
    /// Still here, and are you? All that is laid out from now on is laid out for these targets, too, beside those of the style.
    case pulse([Target])
    /// Who are you? Said to whom a coordinator does not know, as one that has just started knows nobody.
    case introduceYourself
    case assign(Batch)
    /// Takes no more batches; finishes what it holds, and ends.
    case leave
    /// Gets nothing to do here, and why, in words for its operator: it ends, and is not to be started again as it is.
    case turnedAway(Objection)
    /// To whom has no folder: what is to be laid out.
    case offer(EditionOffer)
    /// As much as was wanted; less where the file ends.
    case piece(EditionPart, [UInt8])
}
