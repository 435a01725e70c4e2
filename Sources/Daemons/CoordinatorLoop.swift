import Operations
import Pool
package import Storage
package import Transport
package import Wire

private let log = Log("coordinator")

/// The coordinator's one thread: performs what `Coordinator` decides, and has no opinions of its own.
///
/// Whatever arrived in one turn is one transaction of the journal, and is acknowledged after it.
package struct CoordinatorLoop: ~Copyable {
    private let events: Socket
    private let workers: Socket
    private let ready: Socket
    private let journal: Storage.Journal
    private let clock = LoopClock()
    private var coordinator: Coordinator
    private var turn = Turn()
    private var nextTick = Moment.start

    /// What the turn at hand will write.
    private struct Turn {
        var posts: [Post] = []
        var laidOut: [Job] = []
        var givenUp: [Job] = []
        var isEmpty: Bool { posts.isEmpty && laidOut.isEmpty && givenUp.isEmpty }
    }

    private static let tickLength: Duration = .milliseconds(250)
    /// Frames of one socket in one turn, so that neither socket starves the other.
    private static let framesPerTurn = 256

    /// Opens the journal, takes up what was left undone, and binds the sockets.
    package init(in folder: DataFolder, at endpoints: Endpoints, access: Access = Access()) throws {
        let journal = try Storage.Journal(in: folder)
        let pending = try journal.pending()
        var coordinator = Coordinator(term: journal.term)
        // Nobody is connected yet, so there is nothing to perform.
        _ = coordinator.handle(.journaled(pending, promised: 0))
        let context = try Context()
        let events = try Socket(
            .router, in: context, frameLimit: Limits.frame,
            security: access.listening(at: endpoints.events, admits: [.producer, .operator]))
        let workers = try Socket(
            .router, in: context, frameLimit: Limits.frame,
            security: access.listening(at: endpoints.workers, admits: [.worker]))
        let ready = try Socket(
            .publisher, in: context, security: access.listening(at: endpoints.ready, admits: [.reader, .operator]))
        try events.bind(endpoints.events)
        try workers.bind(endpoints.workers)
        try ready.bind(endpoints.ready)
        log.info(
            "listening",
            ["events": "\(endpoints.events)", "term": "\(journal.term)", "pending": .number(pending.count)])
        self.coordinator = coordinator
        self.journal = journal
        self.events = events
        self.workers = workers
        self.ready = ready
    }

    package mutating func run(until stop: [Source]) throws {
        while true {
            ServiceManager.current.isAlive()
            let awake = try wait(for: [events.source, workers.source] + stop, atMost: Self.tickLength)
            if awake.dropFirst(2).contains(true) { return }
            try hearProducers()
            try hearWorkers()
            if clock.now >= nextTick {
                nextTick = clock.now + Self.tickLength
                try perform(coordinator.handle(.tick(clock.now)))
            }
            try commit()
        }
    }

    private mutating func hearProducers() throws {
        for _ in 0..<Self.framesPerTurn {
            guard let parts = try events.receive() else { return }
            let (peer, frame) = unpack(parts)
            guard case .post(let posted) = frame?.content else {
                try answer(.refused(.malformed), to: peer, frame?.request ?? .none)
                continue
            }
            let post = Post(peer: peer, request: frame?.request ?? .none, events: posted)
            try perform(coordinator.handle(.posted(post)))
        }
    }

    private mutating func hearWorkers() throws {
        for _ in 0..<Self.framesPerTurn {
            guard let parts = try workers.receive() else { return }
            let (peer, frame) = unpack(parts)
            switch frame?.content {
            case .beat(let beat): try perform(coordinator.handle(.beat(beat, from: peer)))
            case .finished(let lease, let results):
                try perform(coordinator.handle(.finished(lease, results, from: peer)))
            case nil, .post, .posted, .refused, .pulse, .assign, .fetch, .page, .ready:
                log.warning("a worker said what workers do not say; is its version the same as ours?")
            }
        }
    }

    private mutating func perform(_ effects: [Coordinator.Effect]) throws {
        for effect in effects {
            switch effect {
            case .journal(let post): turn.posts.append(post)
            case .refuse(let post, let refusal): try answer(.refused(refusal), to: post.peer, post.request)
            case .assign(let lease, let peer): try tell(peer, .assign(lease))
            case .pulse(let peer): try tell(peer, .pulse)
            case .retire(let jobs):
                turn.laidOut += jobs
                let readiness = jobs.map {
                    Readiness(
                        conversation: $0.event.conversation, message: $0.event.message, revision: $0.event.revision)
                }
                // A hint. Nobody listens, or one listener is slow: they will look for themselves.
                _ = try ready.send(Frame(.ready(readiness)).encoded())
            case .giveUp(let job, let cause):
                turn.givenUp.append(job)
                let event = job.event
                log.warning(
                    "gave up a message",
                    [
                        "conversation": .id("\(event.conversation)"), "message_id": .id("\(event.message)"),
                        "revision": "\(event.revision)", "reason": "\(cause.text)",
                    ])
            }
        }
    }

    /// Writes the turn, then acknowledges what it posted.
    private mutating func commit() throws {
        guard !turn.isEmpty else { return }
        let written = turn
        turn = Turn()
        let entries = try journal.commit(
            posts: written.posts.map(\.events), laidOut: written.laidOut, givenUp: written.givenUp)
        for (post, entry) in zip(written.posts, entries) {
            var new: [Job] = []
            switch entry {
            case .appended(let jobs, let repeated):
                new = jobs
                let receipt = Receipt(accepted: UInt32(jobs.count), repeated: UInt32(repeated))
                try answer(.posted(receipt), to: post.peer, post.request)
            case .conflict:
                try answer(.refused(.conflict), to: post.peer, post.request)
            }
            try perform(coordinator.handle(.journaled(new, promised: post.events.count)))
        }
    }

    private mutating func tell(_ peer: Peer, _ content: Frame.Content) throws {
        switch try workers.send(peer.route, Frame(content).encoded()) {
        case .done: break
        case .full, .gone: try perform(coordinator.handle(.unreachable(peer)))
        }
    }

    private func answer(_ content: Frame.Content, to peer: Peer, _ request: RequestID) throws {
        // A producer that is gone, or takes no answers, asks again when it is back.
        _ = try events.send(peer.route, Frame(content, request: request).encoded())
    }
}

extension Coordinator.Cause {
    fileprivate var text: String {
        switch self {
        case .workersLost: "its workers were lost"
        case .refused(let objection): objection.text
        }
    }
}

/// A message of a router: who sent it, and what, if it can be read.
private func unpack(_ parts: [[UInt8]]) -> (Peer, Frame?) {
    let peer = Peer(route: parts[0])
    guard parts.count == 2 else { return (peer, nil) }
    do throws(WireError) {
        return (peer, try Frame(decoding: parts[1]))
    } catch {
        log.warning("refused a frame", ["bytes": .number(parts[1].count), "reason": "\(error)"])
        return (peer, nil)
    }
}
