import Bytes
import Conversation
import Record
import Wire

// Words in frames, as they come from a socket and go into it.
extension WindowDesk {
    /// Answers a word in a frame. One that cannot be read is answered as unreadable, under the number of its request.
    /// - Returns: nil for a frame that is no word of a client at all.
    package func answer(
        frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [[UInt8]]? {
        let question = AnswerQuestion(frame: frame)
        if let known = answerAgain(question, in: frame, from: client, at: now) { return [known] }
        let framed: Framed<ClientWord>
        do throws(ByteError) { framed = try Framed(decoding: frame) } catch { return unreadable(frame, error) }
        let words = answer(framed.word, from: client, request: framed.request, question: question, at: now)
        let answers = words.map { Framed($0, request: framed.request).encoded() }
        if words.count == 1, case .window = words[0] { keep(answers[0], to: framed.word, from: client, question) }
        return answers
    }

    /// Keeps the only answer to a word, a window, for clients that open the same.
    func keep(_ frame: [UInt8], to word: ClientWord, from client: WindowClient, _ question: AnswerQuestion) {
        guard case .open(let opening) = word, let seat = followers.seats[client]?[opening.window] else { return }
        answers.keep(frame, of: seat, to: question)
    }

    /// The answer to the same opening before, if it would be the same now; the client then has its window.
    package func answerAgain(
        frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        answerAgain(AnswerQuestion(frame: frame), in: frame, from: client, at: now)
    }

    /// The refusal of a word that is not even looked at; nil for a frame that is no word.
    func refuse(frame: [UInt8], as refusal: WindowRefusal) -> [[UInt8]]? {
        do throws(ByteError) {
            let framed = try Framed<ClientWord>(decoding: frame)
            return [Framed(GatewayWord.refused(framed.word.window, refusal), request: framed.request).encoded()]
        } catch {
            return unreadable(frame, error)
        }
    }

    private func unreadable(_ frame: [UInt8], _ error: ByteError) -> [[UInt8]]? {
        guard let request = Framed<ClientWord>.request(of: frame) else { return nil }
        return [Framed(GatewayWord.unreadable(error.reason), request: request).encoded()]
    }

    /// The answer to such an opening, unless words about its window wait: these are answered before.
    private func answerAgain(
        _ question: AnswerQuestion, in frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        followers.keepUp(at: now)
        guard let answer = answers.known(question, if: { !openings.room.holds($0, of: client) }),
            let request = Framed<ClientWord>.request(of: frame)
        else { return nil }
        return give(answer, to: request, from: client, at: now)
    }

    /// The answer to such an opening, for one that has waited.
    func answerAgain(
        _ question: AnswerQuestion, request: RequestID, from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        guard let answer = answers.known(question) else { return nil }
        return give(answer, to: request, from: client, at: now)
    }

    private func give(
        _ answer: AnswerMemory<Answers.Given>.Answer, to request: RequestID, from client: WindowClient,
        at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        let window = answer.given.window
        guard let shared = answer.shared, followers.isShown(shared), followers.hasRoom(for: window.id, of: client)
        else { return nil }
        shared.lastUse = now
        openings.countScreen(shared.key.target, for: shared.key.reader)
        _ = followers.take(
            Seat(
                client, window, on: shared, wantsBodies: answer.given.wantsBodies,
                wantsFonts: answer.given.wantsFonts,
                wantsEditions: answer.given.wantsEditions, wantsUnavailable: answer.given.wantsUnavailable,
                rowVersion: answer.given.rowVersion))
        // The bytes stay where they are.
        Framed<GatewayWord>.address(&answer.given.frame, to: request)
        return answer.given.frame
    }
}

extension AnswerQuestion {
    /// The question of a frame, whatever its request id.
    fileprivate init(frame: [UInt8]) {
        self.init(
            Array(frame.prefix(Framed<ClientWord>.requestPlace)) + frame.dropFirst(Framed<ClientWord>.wordPlace))
    }
}
