import Conversation
import Wire

/// Answers to openings, as bytes: who asks the same again before anything has happened is answered the same again.
///
/// Most people open a conversation where it ends, and many look at the same. Answers that nobody asks for any more go first.
/// What messages say is none of it: it may have to be forgotten.
struct AnswerMemory {
    /// Where a window is opened, and what is said of it.
    struct Answer {
        /// Gone when the conversation was forgotten.
        private(set) weak var shared: SharedTimeline?
        let window: Window
        let wantsBodies: Bool
        let bytes: [UInt8]
        fileprivate(set) var isWanted = false

        init(_ shared: SharedTimeline, _ window: Window, wantsBodies: Bool, bytes: [UInt8]) {
            (self.shared, self.window, self.wantsBodies, self.bytes) = (shared, window, wantsBodies, bytes)
        }

        var isTrue: Bool { shared?.timeline.cursor == window.cursor }
    }

    /// A frame, whatever its request id.
    struct Question: Hashable {
        private let bytes: [UInt8]

        init(_ frame: [UInt8]) {
            bytes = Array(frame.prefix(Framed<ClientWord>.requestPlace)) + frame.dropFirst(Framed<ClientWord>.wordPlace)
        }

        var size: Int { bytes.count }

        func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    private let limit: Int
    private var known: [Question: Answer] = [:]
    /// All that are known, the one whose turn to be forgotten is next first.
    private var queue: [Question?] = []
    private var first = 0
    private(set) var bytes = 0
    private(set) var tally = AnswerTally()

    init(limit: Int) { self.limit = limit }

    mutating func answer(to question: Question) -> Answer? {
        guard let place = known.index(forKey: question), known.values[place].isTrue else { return nil }
        known.values[place].isWanted = true
        tally.again += 1
        return known.values[place]
    }

    mutating func keep(_ answer: Answer, to question: Question) {
        tally.anew += 1
        bytes += answer.size(of: question)
        if let old = known.updateValue(answer, forKey: question) {
            bytes -= old.size(of: question)
        } else {
            queue.append(question)
        }
        while bytes > limit, let oldest = next() { forget(oldest) }
    }

    /// Unless it was wanted since its last turn.
    private mutating func forget(_ question: Question) {
        guard let answer = known[question] else { return }
        if answer.isWanted, answer.isTrue {
            known[question]?.isWanted = false
            queue.append(question)
        } else {
            known[question] = nil
            bytes -= answer.size(of: question)
        }
    }

    private mutating func next() -> Question? {
        guard first < queue.count else { return nil }
        defer {
            queue[first] = nil
            first += 1
            if first > queue.count / 2 {
                queue.removeFirst(first)
                first = 0
            }
        }
        return queue[first]
    }
}

/// How often an opening was answered as before, and how often anew.
package struct AnswerTally: Equatable, Sendable {
    package var again = 0
    package var anew = 0

    package init(again: Int = 0, anew: Int = 0) { (self.again, self.anew) = (again, anew) }
}

extension AnswerMemory.Answer {
    fileprivate func size(of question: AnswerMemory.Question) -> Int { bytes.count + 2 * question.size + 256 }
}
