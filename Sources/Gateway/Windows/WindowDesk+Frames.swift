import Bytes
import Conversation
import Wire

// What is said in frames, as it comes from a socket and goes into it.
extension WindowDesk {
    /// An answer as it goes out, but for the request id, and the window that its client then has.
    struct FramedWindow {
        var frame: [UInt8]
        let window: Window
        let wantsBodies: Bool
        let wantsEditions: Bool
        let wantsUnavailable: Bool
    }

    /// A word that cannot be read is answered so, under the number of its request.
    /// - Returns: nil for what is no word of a client at all.
    package func answer(
        frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [[UInt8]]? {
        let question = AnswerQuestion(frame: frame)
        if let known = answerAgain(question, in: frame, from: client, at: now) { return [known] }
        let framed: Framed<ClientWord>
        do throws(ByteError) { framed = try Framed(decoding: frame) } catch { return unreadable(frame, error) }
        let words = answer(framed.word, from: client, request: framed.request, at: now)
        let answers = words.map { Framed($0, request: framed.request).encoded() }
        if case .open(let opening) = framed.word, answers.count == 1, let seat = seats[client]?[opening.window],
            !seat.wantsMessages
        {
            let given = FramedWindow(
                frame: answers[0], window: seat.window, wantsBodies: seat.wantsBodies,
                wantsEditions: seat.wantsEditions, wantsUnavailable: seat.wantsUnavailable)
            let room = roomForAnswers - pageBytes
            memory.keep(given, bytes: answers[0].count, of: seat.shared.moment, to: question, room: room)
        }
        return answers
    }

    /// What was answered to the same opening, if it would be answered the same now; the client then has its window.
    package func answerAgain(
        frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        answerAgain(AnswerQuestion(frame: frame), in: frame, from: client, at: now)
    }

    /// For a word that is not even looked at; nil for what is none.
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

    /// What was answered to an opening, if it would be answered the same now; the client then has its window.
    private func answerAgain(
        _ question: AnswerQuestion, in frame: [UInt8], from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        keepUp(at: now)
        guard let answer = memory.answer(to: question), let shared = answer.shared, isShown(shared) else { return nil }
        let window = answer.given.window
        guard !room.holds(window.id, of: client) else { return nil }
        do throws(WindowRefusal) { try makeRoom(for: window.id, of: client) } catch { return nil }
        shared.lastUse = now
        countScreen(shared.key.target, for: shared.key.reader)
        _ = take(
            Seat(
                client, window, on: shared, wantsBodies: answer.given.wantsBodies,
                wantsEditions: answer.given.wantsEditions, wantsUnavailable: answer.given.wantsUnavailable))
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
