import Bytes
import Glibc
import MessageLayout
import Operations
import Pool
package import Storage
package import Transport
package import Wire

private let log = Log("worker")

/// A worker's socket thread: it carries out the decisions of `LayoutWorker`, while the lane lays out.
package struct WorkerLoop: ~Copyable {
    private let socket: Socket
    private let folder: DataFolder
    private let lane: LayoutLane
    /// The lane that waits for the disk; it is there once the other lane can lay out.
    private var disk: SyncLane?
    private let clock = LoopClock()
    /// The times of all threads.
    private var watch = Stopwatch()
    private var figures = FigureSending()
    private let limits: LayoutWorker.Limits
    private let isCaretaker: Bool
    /// Nil until the lane can lay out.
    private var worker: LayoutWorker?

    /// - Parameters:
    ///   - waitsForDisk: whether commits are brought to the disk before their jobs count as done.
    ///   - retention: the amount that all shards together are to keep; the last one counts.
    package init(
        in folder: DataFolder, at endpoints: Endpoints, access: Access = Access(), task: WorkerTask, waitsForDisk: Bool,
        retention: Mailbox<ShardRetention>
    ) throws {
        let socket = try Socket(
            .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoints.workers))
        try socket.connect(endpoints.workers)
        lane = try LayoutLane(folder: folder, task: task, retention: retention)
        isCaretaker = task.isCaretaking
        self.socket = socket
        self.folder = folder
        var limits = LayoutWorker.Limits()
        limits.syncs = waitsForDisk
        self.limits = limits
    }

    /// Works until told to stop, and then until everything it took is finished.
    package mutating func run(until stop: [Source]) throws {
        var waiting = stop
        watch.lap(.start)
        let tick = limits.sync / 2
        while true {
            ServiceManager.current.isAlive()
            watch.lap(.decode)
            let awake = try wait(for: [lane.reports.source, socket.source] + waiting, atMost: tick)
            watch.lap(.wake)
            if awake.dropFirst(2).contains(true) {
                waiting = []
                // Before it can lay out, it has nothing to finish.
                guard worker != nil else { return }
                try handle(.stop)
            }
            for report in lane.reports.takeAll() {
                if case .closed = report { return }
                try take(report)
            }
            guard worker != nil else { continue }
            while let parts = try socket.receive() { try hear(parts) }
            try handle(.tick(clock.now))
            if let due = figures.take(at: clock.now) { try say(.figures(due)) }
        }
    }

    private mutating func take(_ report: LayoutLane.Report) throws {
        switch report {
        case .ready(let edition, let name, let targets, let engine):
            let hello = WorkerHello(
                edition: edition, editionName: name, process: getpid(), machine: try Machine.name(),
                targets: targets, isCaretaker: isCaretaker, engine: engine)
            worker = LayoutWorker(hello: hello, limits: limits)
            disk = try SyncLane(folder, edition, purges: lane.purges, reports: lane.reports)
            ServiceManager.current.ready("taking work")
            try handle(.ready)
        case .done(let report, let times, let more):
            watch.times += times
            figures.waiting += more
            if case .blocked(let objection) = report.end {
                log.warning(
                    "a shard cannot be written",
                    ["shard": .number(Int(report.shard.number)), "reason": "\(objection.text)"])
            }
            try handle(.done(report))
        case .synced(let shard, let point, let times):
            watch.times += times
            try handle(.synced(shard, point))
        case .tidied(let shard, let times):
            watch.times += times
            try handle(.tidied(shard))
        case .spent(let times): watch.times += times
        case .renewed(let shard, let point): try handle(.renewed(shard, point))
        case .news(let shard, let news):
            log.warning("a shard was not as it should be", ["shard": .number(Int(shard.number)), "news": "\(news)"])
        case .trouble(let shard, let reason):
            log.warning("a shard cannot be written", ["shard": .number(Int(shard.number)), "reason": .text(reason)])
        case .failed(let error): throw error
        case .closed: break
        }
    }

    private mutating func hear(_ parts: [[UInt8]]) throws {
        do {
            let framed = try Framed<CoordinatorWord>(decoding: parts.count == 1 ? parts[0] : [])
            // The process that started this one is not to start it again.
            switch framed.word {
            case .leave, .turnedAway: ServiceManager.current.dismissed()
            case .pulse, .introduceYourself, .assign, .offer, .piece: break
            }
            try handle(.heard(framed.word))
        } catch let error as ByteError {
            log.warning(
                "the coordinator sent what cannot be read; is its version the same as ours?", ["reason": "\(error)"])
        }
    }

    /// Adds facts that are not for the core: the times of stages to a beat, and the present folder to a hello.
    private func stamped(_ word: WorkerWord) throws(StorageError) -> WorkerWord {
        switch word {
        case .beat(var beat):
            beat.times = watch.times
            beat.times[.sockets] = SocketThreads.time
            return .beat(beat)
        case .hello(var hello):
            hello.folder = try FolderProof.read(in: folder)
            return .hello(hello)
        case .finished, .synced, .bye, .seek, .fetch, .made, .figures: return word
        }
    }

    private mutating func handle(_ event: LayoutWorker.Event) throws {
        for effect in worker?.handle(event) ?? [] {
            switch effect {
            case .work(let batch): lane.errands.post(.work(batch))
            case .prepare(let targets): lane.errands.post(.prepare(targets))
            case .sync(let shard): disk?.errands.post(.sync(shard))
            case .tidy(let shard): disk?.errands.post(.tidy(shard))
            case .say(.bye):
                if let last = figures.takeAll() { try say(.figures(last)) }
                try say(.bye)
            case .say(let word): try say(word)
            case .leave: lane.errands.post(.close)
            case .giveUp(let objection): throw DaemonError.turnedAway(objection.text)
            }
        }
    }

    /// Sends a word. While there is no connection, words that are not heard are asked for again, and figures are
    /// lost.
    private func say(_ word: WorkerWord) throws { _ = try socket.send(Framed(try stamped(word)).encoded()) }
}
