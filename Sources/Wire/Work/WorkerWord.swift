package import MessageLayout

/// A word of a worker to the coordinator.
package enum WorkerWord: Equatable, Sendable {
    /// The worker's introduction, first, and again whenever the coordinator asks for it.
    case hello(WorkerHello)
    /// A sign of life, every half second and whenever something changes, from a thread that no layout can starve.
    case beat(WorkerBeat)
    case finished(BatchReport)
    /// All commits in the shard up to this point, of any worker, have reached the disk.
    case synced(Shard, ShardPoint)
    /// The worker was told to stop, and holds nothing any more.
    case bye
    /// A question from a host without the folder: which edition is to be laid out?
    case seek(WorkerSeek)
    /// A request for a piece of that edition.
    case fetch(EditionPart)
    /// Rows of a batch, one `MadeRow` after the other: as many as were made.
    case made(BatchID, [UInt8])
    /// The layouts that it made, once a second at most.
    case figures(LayoutFigures)
}

/// A worker that asks for the edition to lay out, before it has one.
package struct WorkerSeek: Equatable, Sendable {
    package var process: Int32
    package var machine: String
    /// The facts of the engine, as far as they are known before the first row.
    package var engine: EngineFacts
    /// The holder of the key that it came under, as the socket knows it; on no wire.
    package var holder: String?

    package init(process: Int32, machine: String, engine: EngineFacts) {
        (self.process, self.machine, self.engine) = (process, machine, engine)
    }
}

/// The introduction of a worker: its name, and what it can do.
package struct WorkerHello: Equatable, Sendable {
    package var edition: EditionID
    /// The name that people give the edition.
    package var editionName: String
    package var process: Int32
    /// The machine and its start, so that only a process of the same one is ever signalled.
    package var machine: String
    /// The targets of its style.
    package var targets: [Target]
    /// Whether it cannot lay out the edition and only removes rows: those of deleted messages, and those that show
    /// an old state.
    package var isCaretaker: Bool
    /// The proof that it has the folder of the coordinator before it, and no copy; nil from a version without proofs.
    package var folder: FolderProof?
    /// The facts that decide the bytes of its rows; nil of a caretaker, which makes none, and of a version without
    /// facts.
    package var engine: EngineFacts?
    /// Whether it has no folder: it lays out, and stores nothing.
    package var isRemote = false
    /// The holder of the key that it came under, as the socket knows it; on no wire.
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

/// A proof that only a process with the coordinator's own folder can give: the hash of a number that the
/// coordinator writes there when it starts, of the file that holds the number, and of the machine and its start.
package struct FolderProof: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    /// The proof of a folder in which no coordinator has ever written.
    package static let none = FolderProof(0)
}

/// A worker's sign of life.
package struct WorkerBeat: Equatable, Sendable {
    /// The number of jobs that it takes at once; none while it starts or stops.
    package var credits: UInt16
    /// Batches it holds, finished ones left out. The first is the one it works on.
    package var held: [BatchID]
    /// Whether the first has been started: only then may a loss be blamed on its jobs.
    package var hasStarted: Bool
    /// The processor time that it has used, by stage.
    package var times = StageTimes()

    package init(credits: UInt16, held: [BatchID], hasStarted: Bool) {
        (self.credits, self.held, self.hasStarted) = (credits, held, hasStarted)
    }
}

/// A word of the coordinator to a worker.
package enum CoordinatorWord: Equatable, Sendable {
    /// A sign of life, which asks for one in return. From now on everything is laid out for these targets, too,
    /// beside those of the style.
    case pulse([Target])
    /// A question to a worker that the coordinator does not know, as after its own start.
    case introduceYourself
    case assign(Batch)
    /// The worker takes no more batches, finishes those that it holds, and ends.
    case leave
    /// The worker gets nothing to do here, with the reason for its operator: it ends, and is not to be started
    /// again as it is.
    case turnedAway(Objection)
    /// The edition to lay out, for a worker without a folder.
    case offer(EditionOffer)
    /// The bytes of a piece: as many as were asked for, fewer where the file ends.
    case piece(EditionPart, [UInt8])
}
