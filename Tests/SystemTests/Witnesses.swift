import Synchronization
import Testing

/// The commands that a test has started, whose words are told where it waits in vain: nobody sees them afterwards
/// where the tests of CI ran.
enum Witnesses {
    /// A command of a test: one thread at a time uses both.
    private struct Witness: @unchecked Sendable {
        weak var command: Command?
    }

    private struct Case {
        var running: [Witness] = []
        /// The last command that has ended by itself.
        var ended = ""
    }

    private static let cases = Mutex<[Test.ID: Case]>([:])

    static func add(_ command: Command) {
        guard let test = Test.current?.id else { return }
        let witness = Witness(command: command)
        cases.withLock { cases in
            cases[test, default: Case()].running.removeAll { $0.command == nil }
            cases[test]!.running.append(witness)
        }
    }

    static func note(_ end: String) {
        guard let test = Test.current?.id else { return }
        cases.withLock { $0[test, default: Case()].ended = end }
    }

    /// The words of each of this test's commands about itself.
    static var testimony: String {
        guard let test = Test.current?.id, let known = cases.withLock({ $0[test] }) else { return "no commands" }
        return ([known.ended] + known.running.compactMap { $0.command?.testimony }).joined(separator: "\n")
    }
}
