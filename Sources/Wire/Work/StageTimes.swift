package import Bytes

/// The processor time of a process since it started, stage by stage, and the number of its events or messages.
package struct StageTimes: Equatable, Sendable {
    package enum Stage: Int, CaseIterable, Sendable {
        // Stages of a coordinator.
        /// Taking requests off the socket, and decoding them.
        case receive
        case decide
        case journal
        /// Words of workers and to them, and the choice of the worker for each job.
        case dispatch
        case answer
        // Stages of a worker.
        /// Taking batches off the socket, and decoding them; beats.
        case decode
        case layOut
        case store
        case sync
        // Stages of both.
        /// The start, before the process can work.
        case start
        /// Going to sleep, and waking up for what comes.
        case wake
        /// Work that can wait: merging, sealing, extending, giving up, emptying logs.
        case upkeep
        /// Threads of ZeroMQ: bytes on their way, and their encryption.
        case sockets
    }

    private var nanoseconds = [UInt64](repeating: 0, count: Stage.allCases.count)
    /// Events that were answered, or messages that were done.
    package var count: UInt64 = 0

    package init() {}

    package subscript(stage: Stage) -> UInt64 {
        get { nanoseconds[stage.rawValue] }
        set { nanoseconds[stage.rawValue] = newValue }
    }

    package static func += (times: inout StageTimes, more: StageTimes) {
        for stage in Stage.allCases { times[stage] += more[stage] }
        times.count += more.count
    }
}

extension StageTimes.Stage {
    package var word: String {
        switch self {
        case .receive: "receive"
        case .decide: "decide"
        case .journal: "journal"
        case .dispatch: "dispatch"
        case .answer: "answer"
        case .decode: "decode"
        case .layOut: "lay out"
        case .store: "store"
        case .sync: "sync"
        case .start: "start"
        case .wake: "wake"
        case .upkeep: "upkeep"
        case .sockets: "sockets"
        }
    }
}

extension StageTimes: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(count)
        for stage in Stage.allCases { writer.integer(self[stage]) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        count = try reader.integer()
        for stage in Stage.allCases { self[stage] = try reader.integer() }
    }
}
