import Conversation
import Wire

// What is said in frames, as it comes from a socket and goes into it.
extension WindowDesk {
    /// - Returns: nil for what cannot be read.
    package func answer(
        frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [[UInt8]]? {
        let question = AnswerMemory.Question(frame)
        if let known = answerAgain(question, from: client, at: now) {
            return [Framed<ClientWord>.answer(known, to: frame)]
        }
        let framed: Framed<ClientWord>
        do throws(WireError) { framed = try Framed(decoding: frame) } catch { return nil }
        let words = answer(framed.word, from: client, request: framed.request, at: now)
        let answers = words.map { Framed($0, request: framed.request).encoded() }
        if case .open(let opening) = framed.word, answers.count == 1,
            let seat = seats[client]?[opening.window], !seat.wantsMessages
        {
            memory.keep(
                AnswerMemory.Answer(seat.shared, seat.window, wantsBodies: seat.wantsBodies, bytes: answers[0]),
                to: question)
        }
        return answers
    }

    /// What was answered to an opening, if it would be answered the same now; the client then has its window.
    private func answerAgain(
        _ question: AnswerMemory.Question, from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        keepUp(at: now)
        guard let answer = memory.answer(to: question), let shared = answer.shared,
            shared.key.edition == editions.served, !shared.timeline.isOld,
            waitingPlaces[SeatPlace(client: client, window: answer.window.id)] == nil
        else { return nil }
        do throws(WindowRefusal) { try makeRoom(for: answer.window.id, of: client) } catch { return nil }
        shared.lastUse = now
        _ = take(Seat(client, answer.window, on: shared, wantsBodies: answer.wantsBodies))
        return answer.bytes
    }
}

extension Framed {
    /// The same answer to another request.
    fileprivate static func answer(_ bytes: [UInt8], to frame: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(requestPlace..<wordPlace, with: frame[requestPlace..<wordPlace])
        return bytes
    }
}
