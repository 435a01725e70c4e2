import Bytes
import FormeLayout
import Glibc
import MessageLayout
import Operations
import Pool
import Secrets
package import Transport
import Wire

private let log = Log("worker")

/// A worker without the folder: it asks for an edition to lay out, fetches that, and lays out the batches that it is
/// given. It carries out the decisions of `EditionIntake` and `RemoteWorker`.
///
/// ```text
///  seeking ──offer──▶ fetching ──all is here──▶ opening ──probe rows laid out──▶ working
///     ▲                  │                                                          │
///     └──────────────────┴ sent away, as its edition is gone ───────────────────────┘
/// ```
package struct RemoteLoop: ~Copyable {
    private let socket: Socket
    private let fonts: FontCache
    private let reports: Mailbox<RemoteLane.Report>
    private let clock = LoopClock()
    private var watch = Stopwatch()
    private var figures = FigureSending()
    private var phase = Phase.seeking
    private var intake: EditionIntake
    private var offer: EditionOffer?
    private var edition: [UInt8] = []
    private var lane: RemoteLane?
    private var nextSeek = Moment.start
    private var isStopping = false

    private enum Phase {
        case seeking
        case fetching
        case opening
        case working(RemoteWorker)
    }

    private static let tick: Duration = .milliseconds(100)
    private static let seekPause: Duration = .seconds(1)

    /// - Parameter endpoint: the coordinator's endpoint for workers.
    package init(at endpoint: String, access: Access = Access(), fonts: FontCache) throws {
        let socket = try Socket(
            .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
        reports = try Mailbox()
        intake = EditionIntake(limit: fonts.limit)
        self.socket = socket
        self.fonts = fonts
    }

    /// Works until told to stop, and then until everything in hand is finished.
    package mutating func run(until stop: [Source]) throws {
        var waiting = stop
        ServiceManager.current.ready("looking for work")
        watch.lap(.start)
        while true {
            ServiceManager.current.isAlive()
            watch.lap(.decode)
            let awake = try wait(for: [reports.source, socket.source] + waiting, atMost: Self.tick)
            watch.lap(.wake)
            if awake.dropFirst(2).contains(true) {
                waiting = []
                isStopping = true
                guard try tell(.stop) else { return }
            }
            for report in reports.takeAll() { guard try take(report) else { return } }
            while let parts = try socket.receive() { guard try hear(parts) else { return } }
            guard try tick() else { return }
        }
    }

    /// - Returns: false where there is nothing more to do.
    private mutating func tick() throws -> Bool {
        switch phase {
        case .seeking:
            guard nextSeek <= clock.now else { return true }
            nextSeek = clock.now + Self.seekPause
            try say(.seek(WorkerSeek(process: getpid(), machine: try Machine.name(), engine: .ofLibraries)))
            return true
        case .fetching: return try perform(intake.handle(.tick(clock.now)))
        case .opening: return true
        case .working:
            if let due = figures.take(at: clock.now) { try say(.figures(due)) }
            return try tell(.tick(clock.now))
        }
    }

    private mutating func take(_ report: RemoteLane.Report) throws -> Bool {
        switch report {
        case .ready(let edition, let name, let targets, let engine):
            var hello = WorkerHello(
                edition: edition, editionName: name, process: getpid(), machine: try Machine.name(), targets: targets,
                engine: engine)
            hello.isRemote = true
            log.info("laying out for another host", ["edition": "\(edition)", "engine": "\(engine.digest)"])
            let worker = RemoteWorker(hello: hello)
            phase = .working(worker)
            return try perform(worker.introduction)
        case .made(let batch, let rows, let times, let more):
            watch.times += times
            figures.waiting += more
            return try tell(.made(batch, rows))
        case .failed(let error): throw error
        }
    }

    private mutating func hear(_ parts: [[UInt8]]) throws -> Bool {
        let word: CoordinatorWord
        do throws(ByteError) {
            word = try Framed<CoordinatorWord>(decoding: parts.count == 1 ? parts[0] : []).word
        } catch {
            log.warning(
                "the coordinator sent what cannot be read; is its version the same as ours?", ["reason": "\(error)"])
            return true
        }
        switch (word, phase) {
        case (.offer(let offer), .seeking):
            self.offer = offer
            fonts.makeRoom(for: offer)
            phase = .fetching
            edition = []
            intake = EditionIntake(limit: fonts.limit)
            let present = Set(offer.fonts.filter(fonts.holds).map(\.hash))
            return try perform(intake.handle(.offered(offer, has: present)))
        case (.piece(let part, let bytes), .fetching): return try perform(intake.handle(.piece(part, bytes)))
        case (.leave, .fetching):
            seekAnew()
            return true
        case (.turnedAway(let objection), _):
            ServiceManager.current.dismissed()
            throw DaemonError.turnedAway(objection.text)
        case (_, .working): return try tell(.heard(word))
        case (_, _): return true
        }
    }

    private mutating func perform(_ effects: [EditionIntake.Effect]) throws -> Bool {
        for effect in effects {
            switch effect {
            case .say(let word): try say(word)
            case .append(.edition, let bytes, _): edition += bytes
            case .append(.font(let hash), let bytes, let isFirst): try fonts.append(bytes, to: hash, isFirst: isFirst)
            case .finish(.edition): break  // Checked when it is opened.
            case .finish(.font(let hash)):
                guard let font = offer?.fonts.first(where: { $0.hash == hash }), try fonts.finish(font) else {
                    throw DaemonError.turnedAway("the font \(hash.text) came with other bytes than its hash says")
                }
            case .refuse(let objection): throw DaemonError.turnedAway(objection.text)
            case .complete:
                phase = .opening
                log.info("has an edition and its fonts", ["edition": "\(offer?.edition.text ?? "")"])
                lane = try RemoteLane(edition, fonts: fonts, reports: reports)
            }
        }
        return true
    }

    private mutating func tell(_ event: RemoteWorker.Event) throws -> Bool {
        guard case .working(var worker) = phase else { return !isStopping }
        let effects = worker.handle(event)
        phase = .working(worker)
        return try perform(effects)
    }

    private mutating func perform(_ effects: [RemoteWorker.Effect]) throws -> Bool {
        for effect in effects {
            switch effect {
            case .say(let word): try say(word)
            case .layOut(let batch): lane?.errands.post(.layOut(batch))
            case .prepare(let targets): lane?.errands.post(.prepare(targets))
            case .leave:
                if isStopping { return false }
                seekAnew()
            case .giveUp(let objection): throw DaemonError.turnedAway(objection.text)
            }
        }
        return true
    }

    /// Looks for another edition, as its own is gone.
    private mutating func seekAnew() {
        lane?.errands.post(.close)
        (lane, offer, phase) = (nil, nil, .seeking)
    }

    /// Sends a word. While there is no connection, words that are not heard are asked for again.
    private func say(_ word: WorkerWord) throws {
        var word = word
        if case .beat(var beat) = word {
            beat.times = watch.times
            beat.times[.sockets] = SocketThreads.time
            word = .beat(beat)
        }
        _ = try socket.send(Framed(word).encoded())
    }
}
