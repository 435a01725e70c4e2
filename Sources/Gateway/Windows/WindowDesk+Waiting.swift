import Conversation
import Operations
import Storage
import Wire

// Words about conversations that are not in memory yet: they wait, and nobody else does.
extension WindowDesk {
    /// A word, and to whom it is answered.
    struct Waiting {
        let client: WindowClient
        let word: ClientWord
        let request: RequestID
        let subject: Subject
    }

    /// Of one window everything is answered in order.
    struct SeatPlace: Hashable {
        let client: WindowClient
        let window: WindowID
    }

    /// Whether something that was said before about the window waits, so that this waits behind it.
    func waitsBehind(_ waiting: Waiting) -> Bool {
        let place = SeatPlace(client: waiting.client, window: waiting.word.window)
        guard let key = waitingPlaces[place] else { return false }
        self.waiting[key]?.append(waiting)
        return true
    }

    func wait(_ waiting: Waiting, for key: SharedTimeline.Key) throws(WindowRefusal) {
        // Somebody who asks once has asked before whether it is there.
        guard waiting.client != .visitor, waitingPlaces.count < limits.waiting else { throw .busy }
        self.waiting[key, default: []].append(waiting)
        waitingPlaces[SeatPlace(client: waiting.client, window: waiting.word.window)] = key
    }

    /// Whether a window can be opened at once; else the conversation comes into memory meanwhile.
    func prepare(_ opening: WindowOpening, at now: ContinuousClock.Instant) -> SharedTimeline.Key? {
        do {
            _ = try timeline(opening.conversation, opening.target, opening.reader, at: now)
            return nil
        } catch let opening as TimelineShelf.Opening {
            return opening.key
        } catch {
            // Whoever opens it is told why not.
            return nil
        }
    }

    /// Goes on for about a millisecond with conversations that come into memory, and answers what waited for one that has come.
    /// - Returns: what has come, or why it has not, for those who have asked whether it is there.
    package func proceed(at now: ContinuousClock.Instant, _ deliver: Deliver) -> OpeningOutcome? {
        guard let (key, failure) = shelf.proceed() else { return nil }
        let reason = failure.map { refusal(for: $0) }
        for waiting in takeWaiting(for: key) {
            asking = waiting.subject
            for word in reason.map({ [.refused(waiting.word.window, $0)] }) ?? answer(waiting, at: now) {
                switch deliver(waiting.client, ToldWord(word, request: waiting.request)) {
                case .done, .away: break
                // It has not heard what it asked for: it opens afresh.
                case .full, .gone: forget(waiting.client)
                }
            }
        }
        return OpeningOutcome(key: key, refusal: reason)
    }

    private func answer(_ waiting: Waiting, at now: ContinuousClock.Instant) -> [GatewayWord] {
        answer(waiting.word, from: waiting.client, request: waiting.request, at: now)
    }

    private func takeWaiting(for key: SharedTimeline.Key) -> [Waiting] {
        let words = waiting.removeValue(forKey: key) ?? []
        for waiting in words {
            waitingPlaces[SeatPlace(client: waiting.client, window: waiting.word.window)] = nil
        }
        return words
    }
}

/// A conversation has come into memory, or cannot.
package struct OpeningOutcome {
    let key: SharedTimeline.Key
    let refusal: WindowRefusal?
}
