import Wire

/// A question, and the task that waits for the answer.
struct SessionQuestion {
    let id: UInt64
    let word: ClientWord
    var isSaid = false
    /// Nil for a question of the session's own, and where no task waits any more.
    var answer: CheckedContinuation<GatewayWord, any Error>?
}

// Questions.
extension WindowSession {
    /// Asks, and returns the answer. If the line breaks first, it asks again on the next one.
    func answer(to word: ClientWord) async throws -> GatewayWord {
        let deadline = ContinuousClock.now + patience.answer
        while true {
            let answer = try await answer(to: word, before: deadline)
            if case .unreadable(let reason) = answer { throw WindowError.unreadable(reason) }
            guard case .refused(_, let refusal) = answer else { return answer }
            guard refusal == .busy, .now < deadline else { throw WindowError(refusal) }
            try await ContinuousClock().sleep(for: .milliseconds(50))
        }
    }

    private func answer(to word: ClientWord, before deadline: ContinuousClock.Instant) async throws -> GatewayWord {
        guard ending == nil else { throw WindowError.closed }
        lastQuestion += 1
        let id = lastQuestion
        let alarm = Task {
            try await ContinuousClock().sleep(until: deadline)
            drop(id, WindowError.noAnswer)
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                questions.append(SessionQuestion(id: id, word: word, answer: continuation))
                flush()
            }
        } onCancel: {
            Task { await drop(id, CancellationError()) }
        }
    }

    /// Asks for a page before it is seen, unless it is on its way.
    func prefetch(_ side: WindowSide) {
        guard paging.insert(side).inserted else { return }
        Task {
            // A question that fails is asked again at the next look.
            _ = try? await answer(to: .page(course.window, side, count: Self.prefetched))
            paging.remove(side)
        }
    }

    private static let prefetched = 50

    /// Asks without waiting for the answer.
    func ask(_ word: ClientWord) {
        lastQuestion += 1
        questions.append(SessionQuestion(id: lastQuestion, word: word, isSaid: true, answer: nil))
        outbox?.yield(Framed(word, request: RequestID(lastQuestion)).encoded())
    }

    func flush() {
        guard course.state == .live, let outbox else { return }
        for i in questions.indices where !questions[i].isSaid {
            questions[i].isSaid = true
            outbox.yield(Framed(questions[i].word, request: RequestID(questions[i].id)).encoded())
        }
    }

    func drop(_ id: UInt64, _ error: any Error) {
        guard let place = questions.firstIndex(where: { $0.id == id }) else { return }
        questions[place].answer?.resume(throwing: error)
        questions[place].answer = nil
        // A word that was said is still answered, and may change the window.
        if !questions[place].isSaid { questions.remove(at: place) }
    }
}

extension ClientWord {
    /// Whether the gateway's window may differ from the client's once this is said, unless its answer is heard.
    var changesWindow: Bool {
        switch self {
        case .page, .resize, .adjust, .hold, .busy, .read: true
        case .open, .heights, .rows, .lines, .locate, .position, .changes, .prewarm, .preview, .ranges, .close: false
        }
    }
}

extension GatewayWord {
    /// Whether it says that there is no such window any more, whatever was asked about it.
    var saysWindowIsGone: Bool {
        guard case .refused(_, let refusal) = self else { return false }
        return refusal == .unknownWindow || refusal == .resync
    }
}
