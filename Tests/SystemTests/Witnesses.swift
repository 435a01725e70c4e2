import Synchronization
import Testing

/// The commands that a test has started, to be heard where it waits in vain: nobody sees them again where the tests of CI ran.
enum Witnesses {
    /// One test and its commands are of one thread at a time.
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

    /// What each of this test's commands says for itself.
    static var testimony: String {
        guard let test = Test.current?.id, let known = cases.withLock({ $0[test] }) else { return "no commands" }
        return ([known.ended] + known.running.compactMap { $0.command?.testimony }).joined(separator: "\n")
    }
}
