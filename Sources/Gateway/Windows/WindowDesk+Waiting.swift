import Conversation
import Storage
import Wire

// What waits for conversations that come into memory.
extension WindowDesk {
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

    /// Conversations are on their way into memory, or are there and words about them wait for their answers.
    package var isComing: Bool { shelf.isOpening || room.isCalling }

    /// Goes on for about a millisecond: with a conversation that comes into memory, or with answers to what waited for one.
    /// - Returns: what has come, or why it has not, for those who have asked whether it is there.
    package func proceed(at now: ContinuousClock.Instant, _ deliver: Deliver) -> OpeningOutcome? {
        if room.isCalling, isCallingNext || !shelf.isOpening {
            isCallingNext = false
            answerWaiting(deliver)
            return nil
        }
        isCallingNext = true
        let come = shelf.proceed().map { OpeningOutcome(key: $0.key, refusal: $0.failure.map { refusal(for: $0) }) }
        if let come { room.call(come.key, come.refusal) }
        return come
    }

    private func answerWaiting(_ deliver: Deliver) {
        var now = ContinuousClock.now
        let end = now + limits.slice
        repeat {
            guard let (visit, refusal) = room.next() else { return }
            asking = visit.asker
            let key = answer(visit, refusal, at: now, deliver)
            let start = now
            now = .now
            room.leave(visit, cost: Int((now - start) / .microseconds(1)), for: key)
        } while now < end
    }

    /// - Returns: a conversation for which it waits again.
    private func answer(
        _ visit: WaitingRoom.Visit, _ refusal: WindowRefusal?, at now: ContinuousClock.Instant, _ deliver: Deliver
    ) -> SharedTimeline.Key? {
        let answers: [ToldWord]
        do {
            if let refusal { throw refusal }
            answers = try self.answers(to: visit, at: now)
        } catch let opening as TimelineShelf.Opening {
            return opening.key
        } catch {
            answers = [ToldWord(.refused(visit.word.window, self.refusal(for: error)), request: visit.request)]
        }
        for answer in answers {
            switch deliver(visit.client, answer) {
            case .done, .away: break
            // It has not heard what it asked for: it opens afresh.
            case .full, .gone: forget(visit.client)
            }
        }
        return nil
    }

    /// Answers from memory, too: who asks again and again before it is answered never finds its line empty.
    private func answers(to visit: WaitingRoom.Visit, at now: ContinuousClock.Instant) throws -> [ToldWord] {
        if let question = visit.question,
            let known = answerAgain(question, request: visit.request, from: visit.client, at: now)
        {
            return [ToldWord(frame: known)]
        }
        let answers = try reply(to: visit.word, from: visit.client, request: visit.request, at: now).map {
            ToldWord($0, request: visit.request)
        }
        if let question = visit.question, answers.count == 1, case .window = answers[0].word {
            keep(answers[0].frame, to: visit.word, from: visit.client, question)
        }
        return answers
    }
}

/// A conversation has come into memory, or cannot.
package struct OpeningOutcome {
    let key: SharedTimeline.Key
    let refusal: WindowRefusal?
}
