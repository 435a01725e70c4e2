import Wire

// News.
extension WindowSession {
    /// The changes since the last time, with the next frame; nil when the window is closed, or the task cancelled.
    func update() async throws -> Update? {
        while true {
            while news == nil {
                if case .failed(let error) = ending { throw error }
                guard ending == nil, !Task.isCancelled else { return nil }
                await change()
            }
            do { try await clock.next() } catch is CancellationError { return nil }
            // A clock may go on where its task is cancelled. The update is for the next reader then.
            guard !Task.isCancelled else { return nil }
            // Another reader may have taken it since.
            guard var update = news else { continue }
            news = nil
            update.window = window
            return update
        }
    }

    /// The window when all lines of its rows are here.
    func whole() async throws -> Window {
        let deadline = ContinuousClock.now + patience.answer
        let alarm = Task {
            try await ContinuousClock().sleep(until: deadline)
            wake()
        }
        defer { alarm.cancel() }
        while !window.isWhole {
            if case .failed(let error) = ending { throw error }
            guard ending == nil else { throw WindowError.closed }
            guard .now < deadline else { throw WindowError.noAnswer }
            try Task.checkCancellation()
            await change()
        }
        return window
    }

    func tell(_ word: GatewayWord) {
        if news == nil { news = .nothing(link) }
        news?.add(word)
        wake()
    }

    func note(_ link: Update.Link) {
        guard self.link != link else { return }
        self.link = link
        if news == nil { news = .nothing(link) }
        news?.link = link
        wake()
    }

    /// Returns after the next change, or when its task is cancelled.
    func change() async {
        lastWatcher += 1
        let id = lastWatcher
        await withTaskCancellationHandler {
            await withCheckedContinuation { watchers[id] = $0 }
        } onCancel: {
            Task { await wake(id) }
        }
    }

    func wake(_ id: UInt64) { watchers.removeValue(forKey: id)?.resume() }

    func wake() {
        let waiting = watchers
        watchers = [:]
        for watcher in waiting.values { watcher.resume() }
    }
}
