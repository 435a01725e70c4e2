import Bytes
import Conversation
import Wire

/// Carries out the decisions of a `WindowCourse`: holds a line, asks, waits, tries again, and keeps the window for
/// the next time.
actor WindowSession {
    var course: WindowCourse
    private let transport: any GatewayTransport
    let cache: PageCache?
    let clock: FrameClock
    let patience: Patience

    /// Questions in the order in which they are asked.
    var questions: [SessionQuestion] = []
    var lastQuestion: UInt64 = 0
    /// The frames to send on the line that stands; nil where none does.
    var outbox: AsyncStream<[UInt8]>.Continuation?
    /// The name of the last line on which the window followed.
    private var lineName = ""
    private var heardAt = ContinuousClock.now
    /// The time since which the window follows on the present line; nil where it does not yet.
    private var liveSince: ContinuousClock.Instant?
    private var backOff = BackOff()
    private var runner: Task<Void, Never>?

    /// The update that is not taken yet.
    var news: Update?
    var link = Update.Link.broken
    var ending: Ending?
    /// The reason why the last attempt failed.
    private var trouble = WindowError.noAnswer
    var watchers: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastWatcher: UInt64 = 0
    /// Sides at which a page is on its way.
    var paging: Set<WindowSide> = []
    var keptAt: ContinuousClock.Instant?

    enum Ending {
        case closed
        case failed(WindowError)
    }

    init(
        _ opening: WindowOpening, transport: any GatewayTransport, cache: PageCache?, clock: FrameClock,
        patience: Patience
    ) {
        course = WindowCourse(opening)
        (self.transport, self.cache, self.clock, self.patience) = (transport, cache, clock, patience)
    }

    /// Opens the window, and returns when there is something to see.
    func open() async throws {
        if let cache, let reply = cache.window(of: course.opening), course.opening.place.isShown(by: reply) {
            course.show(cached: reply)
            if course.mirror != nil { tell(.window(reply)) }
        }
        runner = Task { await run() }
        guard course.mirror == nil else { return }
        let alarm = Task {
            try await ContinuousClock().sleep(for: patience.answer)
            giveUp()
        }
        defer { alarm.cancel() }
        while true {
            // Rows that come in the moment in which it is given up are of no use: nothing follows them.
            if case .failed(let error) = ending { throw error }
            if ending != nil { throw WindowError.closed }
            if course.mirror != nil { return }
            await change()
            if Task.isCancelled {
                close()
                throw CancellationError()
            }
        }
    }

    var window: Window {
        Window(mirror: course.mirror, source: course.source, opened: course.opened, fits: course.fits)
    }

    var opening: WindowOpening { course.opening }

    func see(_ anchor: WindowAnchor?) { course.seen = anchor }

    func read(from order: Int64?) { course.read(from: order) }

    func close() { finish(.closed) }

    func giveUp() { if course.mirror == nil { finish(.failed(trouble)) } }

    private func finish(_ how: Ending) {
        guard ending == nil else { return }
        keep(after: how)
        if course.source == .gateway { outbox?.yield(Framed(ClientWord.close(course.window)).encoded()) }
        ending = how
        if let outbox {
            // The line ends behind the last words. A task that is cancelled ends it before them.
            outbox.finish()
            Task { [runner, patience] in
                try? await ContinuousClock().sleep(for: patience.answer)
                runner?.cancel()
            }
        } else {
            runner?.cancel()
        }
        let open = questions
        questions = []
        for question in open { question.answer?.resume(throwing: WindowError.closed) }
        wake()
    }
}

// Lines.
extension WindowSession {
    private func run() async {
        while ending == nil {
            liveSince = nil
            do {
                try await visit()
            } catch let error as WindowError {
                trouble = error
                if error.isFinal, ending == nil, !goesElsewhere(after: error) { finish(.failed(error)) }
            } catch {
                trouble = .unreachable("\(error)")
            }
            outbox = nil
            course.end(isInDoubt: questions.contains { $0.isSaid && $0.word.changesWindow })
            for i in questions.indices { questions[i].isSaid = false }
            questions.removeAll { $0.answer == nil }
            // A line on which the window was not heard of is no better for having been waited for.
            if let liveSince, ContinuousClock.now - liveSince >= patience.good { backOff.reset() }
            let pause = backOff.next()
            guard ending == nil else { return }
            if pause > .zero { note(.broken) }
            // The sleep ends early only when the window is closed.
            try? await ContinuousClock().sleep(for: pause)
        }
    }

    /// Whether the window is opened at another place after this. Over HTTP a refusal is no word on a line, and a status
    /// alone does not say what is unknown.
    private func goesElsewhere(after error: WindowError) -> Bool {
        switch error {
        case .unknownMessage, .unknownConversation: course.turnAway()
        default: false
        }
    }

    /// Runs one line, from its beginning to its end.
    private func visit() async throws {
        let line = try await connect()
        let (frames, outbox) = AsyncStream<[UInt8]>.makeStream()
        Task {
            for await frame in frames {
                do { try await line.send(frame) } catch { break }
            }
            // The last words have left, or cannot any more.
            line.close()
        }
        let guardian = Task { await watch(line) }
        defer {
            guardian.cancel()
            outbox.finish()
        }
        (self.outbox, heardAt) = (outbox, .now)
        for try await frame in line.frames {
            guard ending == nil else { return }
            heardAt = .now
            guard !frame.isEmpty else { continue }
            do throws(ByteError) { hear(try Framed(decoding: frame)) } catch {
                throw WindowError.unreadable("\(error)")
            }
            // A line that breaks before its first word may have had another window: no cursor of this one goes with it.
            if course.state == .live { lineName = line.name }
            if course.state == .lost { return }
        }
    }

    /// Opens a line. An attempt that takes too long is given up, as the next may come through: a network that loses
    /// everything says nothing for a minute or more.
    private func connect() async throws -> GatewayLine {
        let call = course.begin(line: lineName)
        let attempt = Task { [transport] in try await transport.connect(call) }
        let alarm = Task { [patience] in
            try await ContinuousClock().sleep(for: patience.answer)
            attempt.cancel()
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            do { return try await attempt.value } catch is CancellationError { throw WindowError.noAnswer }
        } onCancel: {
            attempt.cancel()
        }
    }

    func hear(_ frame: Framed<GatewayWord>) {
        let place = questions.firstIndex { $0.id == frame.request.number && $0.isSaid }
        let question = place.map { questions.remove(at: $0) }
        for effect in course.hear(frame.word, answering: question?.word) { perform(effect) }
        if var question, frame.word.saysWindowIsGone, question.answer != nil {
            // The window is opened again, and then this is asked again.
            question.isSaid = false
            questions.append(question)
        } else {
            question?.answer?.resume(returning: frame.word)
        }
        if course.state == .live {
            liveSince = liveSince ?? .now
            note(.standing)
            flush()
        }
    }

    private func perform(_ effect: WindowCourse.Effect) {
        switch effect {
        case .ask(let word): ask(word)
        case .tell(let word):
            tell(word)
            keep(after: word)
        case .fail(let error): finish(.failed(error))
        }
    }

    /// Watches over a line: asks on it when it has been silent for long, and closes it if nothing is heard then
    /// either.
    private func watch(_ line: GatewayLine) async {
        while !Task.isCancelled, ending == nil {
            let heard = heardAt
            let quiet = course.state == .live ? transport.silence : patience.answer
            guard (try? await ContinuousClock().sleep(until: heard + quiet)) != nil else { return }
            guard heardAt == heard else { continue }
            guard course.state == .live, let probe = course.probe else { return line.close() }
            ask(probe)
            guard (try? await ContinuousClock().sleep(for: patience.answer)) != nil else { return }
            if heardAt == heard { return line.close() }
        }
    }
}
