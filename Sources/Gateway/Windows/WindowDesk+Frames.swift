import Conversation
import Wire

// What is said in frames, as it comes from a socket and goes into it.
extension WindowDesk {
    /// An answer as it goes out, but for the request id, and the window that its client then has.
    struct FramedWindow {
        var frame: [UInt8]
        let window: Window
        let wantsBodies: Bool
    }

    /// - Returns: nil for what cannot be read.
    package func answer(
        frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [[UInt8]]? {
        let question = AnswerQuestion(frame: frame)
        if let known = answerAgain(question, in: frame, from: client, at: now) { return [known] }
        let framed: Framed<ClientWord>
        do throws(WireError) { framed = try Framed(decoding: frame) } catch { return nil }
        let words = answer(framed.word, from: client, request: framed.request, at: now)
        let answers = words.map { Framed($0, request: framed.request).encoded() }
        if case .open(let opening) = framed.word, answers.count == 1, let seat = seats[client]?[opening.window],
            !seat.wantsMessages
        {
            let given = FramedWindow(frame: answers[0], window: seat.window, wantsBodies: seat.wantsBodies)
            memory.keep(given, bytes: answers[0].count, of: seat.shared.moment, to: question)
        }
        return answers
    }

    /// What was answered to an opening, if it would be answered the same now; the client then has its window.
    private func answerAgain(
        _ question: AnswerQuestion, in frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        keepUp(at: now)
        guard let answer = memory.answer(to: question), let shared = answer.shared, isShown(shared) else { return nil }
        let window = answer.given.window
        guard waitingPlaces.isEmpty || waitingPlaces[SeatPlace(client: client, window: window.id)] == nil else {
            return nil
        }
        do throws(WindowRefusal) { try makeRoom(for: window.id, of: client) } catch { return nil }
        shared.lastUse = now
        screens.count(shared.key.target)
        _ = take(Seat(client, window, on: shared, wantsBodies: answer.given.wantsBodies))
        // The bytes stay where they are, and answer another request.
        let request = Framed<ClientWord>.requestPlace..<Framed<ClientWord>.wordPlace
        answer.given.frame.replaceSubrange(request, with: frame[request])
        return answer.given.frame
    }

    /// Whether whoever opens the conversation now is shown this.
    func isShown(_ shared: SharedTimeline) -> Bool {
        shared.key.edition == editions.served && !shared.timeline.isOld
    }
}

extension AnswerQuestion {
    /// Whatever the request id.
    fileprivate init(frame: [UInt8]) {
        self.init(
            Array(frame.prefix(Framed<ClientWord>.requestPlace)) + frame.dropFirst(Framed<ClientWord>.wordPlace))
    }
}
