import Wire

/// The workers that are there, by their slots and by the peers that their words come from.
struct Roster: Equatable, Sendable {
    private var workers: [WorkerState?] = []
    private var taken: [Peer: WorkerSlot] = [:]

    var count: Int { taken.count }
    var slots: LazyMapSequence<Range<Int>, WorkerSlot> { (0..<workers.count).lazy.map { WorkerSlot(number: $0) } }
    var all: [WorkerState] { workers.compactMap(\.self) }

    func slot(of peer: Peer) -> WorkerSlot? { taken[peer] }
    func find(_ slot: WorkerSlot) -> WorkerState? { workers[slot.number] }
    func has(_ slot: WorkerSlot) -> Bool { workers[slot.number] != nil }

    /// A worker that is there.
    subscript(slot: WorkerSlot) -> WorkerState {
        get { workers[slot.number]! }
        _modify { yield &workers[slot.number]! }
    }

    mutating func add(_ worker: WorkerState) {
        let number = workers.firstIndex { $0 == nil } ?? workers.count
        if number == workers.count { workers.append(worker) } else { workers[number] = worker }
        taken[worker.peer] = WorkerSlot(number: number)
    }

    mutating func remove(_ slot: WorkerSlot) {
        taken[self[slot].peer] = nil
        workers[slot.number] = nil
    }

    /// Returns the workers of one process id; one on each machine at most.
    func peers(of process: Int32) -> [Peer] {
        taken.filter { self[$0.value].hello.process == process }.map(\.key)
    }

    /// Returns the engine of the workers of an edition, as far as one has said what it is: all have the same.
    func engine(of edition: EditionID) -> EngineFacts? {
        all.lazy.filter { $0.hello.edition == edition }.compactMap(\.hello.engine).first
    }

    /// Sends the workers of an edition away that is gone.
    mutating func sendAway(from edition: EditionSlot, _ context: inout DispatchContext) {
        for slot in slots where find(slot)?.edition == edition {
            context.say(.leave, to: self[slot].peer)
            remove(slot)
        }
    }

    /// Tells all workers the screens that are added to those of the style, for all that is laid out from now on.
    func pulse(_ context: inout DispatchContext) {
        for worker in workers.compactMap(\.self) { context.say(.pulse(context.added), to: worker.peer) }
    }

    mutating func forgiveSilence(at now: Moment) {
        for slot in slots where has(slot) { self[slot].forgiveSilence(at: now) }
    }
}
