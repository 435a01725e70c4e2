import Foundation
import MessageLayout
import Pool
import Storage
import Transport
import Wire

/// The thread that looks how far the rows of the served edition are extended for screens that were added. It reads
/// files that workers write, which the loop beside it must not wait for.
struct ExtensionWatch {
    struct Question: Equatable, Sendable {
        var edition: EditionID
        var targets: [Target]
    }

    private let questions: Mailbox<Question>
    private let ends: Mailbox<(Question, Double?)>
    private var asked: Question?
    private var next = Moment.start

    /// The pause between two looks.
    private static let pause: Duration = .seconds(2)

    /// Starts the thread. It ends with the process.
    init(_ folder: DataFolder) throws {
        let (questions, ends) = (try Mailbox<Question>(), try Mailbox<(Question, Double?)>())
        (self.questions, self.ends) = (questions, ends)
        Thread.detachNewThread {
            do {
                while true {
                    for question in questions.takeAll() { ends.post((question, Self.share(question, folder))) }
                    _ = try wait(for: [questions.source], atMost: .seconds(60))
                }
            } catch {
                // Without the thread nothing is known, as at its start.
            }
        }
    }

    /// Nil where a file cannot be read now: the next look may do better.
    private static func share(_ question: Question, _ folder: DataFolder) -> Double? {
        do throws(StorageError) {
            return try ExtensionShare.measure(question.targets, of: question.edition, in: folder)
        } catch {
            return nil
        }
    }

    /// Asks again when it is time, and returns the shares that were found since the last call.
    mutating func turn(_ question: Question, at now: Moment) -> [Double] {
        let found = ends.takeAll()
        if !found.isEmpty { asked = nil }
        if asked == nil, now >= next {
            questions.post(question)
            (asked, next) = (question, now + Self.pause)
        }
        return found.compactMap { $0.0 == question ? $0.1 : nil }
    }
}
