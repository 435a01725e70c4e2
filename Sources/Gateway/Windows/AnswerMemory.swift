import Conversation
import Wire

/// The answers to openings: the same opening, asked again before anything has happened, is answered the same again.
///
/// Most people open a conversation where it ends, and many look at the same. Answers that nobody asks for any more go
/// first.
struct AnswerMemory<Given> {
    /// An answer that is kept. It is an object, so that nothing is copied when it is looked at.
    final class Answer {
        var given: Given
        fileprivate let moment: ConversationMoment
        fileprivate let size: Int
        fileprivate var isWanted = false

        fileprivate init(_ given: Given, of moment: ConversationMoment, size: Int) {
            (self.given, self.moment, self.size) = (given, moment, size)
        }

        /// The conversation that it is of; nil when the answer is not true any more.
        var shared: SharedTimeline? { moment.shared }
    }

    /// The bytes that may be kept here, whatever others keep.
    private let least: Int
    private var known: [AnswerQuestion: Answer] = [:]
    /// The questions of all answers, the one whose turn to be forgotten is next first.
    private var queue: [AnswerQuestion?] = []
    private var first = 0
    private(set) var bytes = 0
    private(set) var tally = AnswerTally()

    init(least: Int) { self.least = least }

    /// - Parameter isOfUse: whether it may be given just now.
    mutating func answer(to question: AnswerQuestion, if isOfUse: (Given) -> Bool = { _ in true }) -> Answer? {
        guard let answer = known[question], !answer.moment.isOver, isOfUse(answer.given) else { return nil }
        answer.isWanted = true
        tally.again += 1
        return answer
    }

    /// - Parameters:
    ///   - bytes: the memory that it takes, about, beside the question: that may be longer than its answer, as a field
    ///     of HTTP is as long as its sender likes.
    ///   - room: the bytes that others leave for all that is kept here.
    mutating func keep(
        _ given: Given, bytes size: Int, of moment: ConversationMoment, to question: AnswerQuestion, room: Int
    ) {
        let answer = Answer(given, of: moment, size: size + question.count + Self.bytesPerAnswer)
        tally.anew += 1
        bytes += answer.size
        if let old = known.updateValue(answer, forKey: question) {
            bytes -= old.size
        } else {
            queue.append(question)
        }
        shrink(to: room)
    }

    /// Forgets answers, as others need the room that they left before.
    mutating func shrink(to room: Int) {
        while bytes > max(room, least), let oldest = next() { forget(oldest) }
    }

    private static var bytesPerAnswer: Int { 512 }

    /// Forgets an answer, unless it was wanted since its last turn.
    private mutating func forget(_ question: AnswerQuestion) {
        guard let answer = known[question] else { return }
        if answer.isWanted, !answer.moment.isOver {
            answer.isWanted = false
            queue.append(question)
        } else {
            known[question] = nil
            bytes -= answer.size
        }
    }

    private mutating func next() -> AnswerQuestion? {
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

/// A question, as bytes.
struct AnswerQuestion: Hashable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

/// The number of openings that were answered as before, and of those answered anew.
package struct AnswerTally: Equatable, Sendable {
    package var again = 0
    package var anew = 0

    package init(again: Int = 0, anew: Int = 0) { (self.again, self.anew) = (again, anew) }
}
