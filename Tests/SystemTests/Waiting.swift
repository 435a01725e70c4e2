import Foundation
import TestSupport
import Testing

/// Looks again and again, until the condition is true or patience is at its end. Each look takes its own time.
func waitUntil(_ isTrue: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let deadline = ContinuousClock.now + patience
    while .now < deadline {
        if try isTrue() { return }
        poll(nil, 0, 2)
    }
    Issue.record("not so within \(patience)\n\(Witnesses.testimony)", sourceLocation: sourceLocation)
}

/// The processes that a process has started, by the kernel's own account, and the command that each runs.
func children(of parent: pid_t) throws -> [(id: pid_t, command: String)] {
    let list = try String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
    return list.split(separator: " ").compactMap { word in
        guard let id = pid_t(word), let line = try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)
        else {
            return nil
        }
        let words = line.split(separator: "\0")
        return words.count > 1 ? (id, String(words[1])) : nil
    }
}

func isZombie(_ id: pid_t) -> Bool { state(of: id).map { $0 == "Z" } ?? true }

/// The state of a process as the kernel writes it: `T` where it is stopped, `Z` where it has ended; nil where there is
/// none.
func state(of id: pid_t) -> Character? {
    let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return status?.split(separator: ")").last?.dropFirst().first
}

extension String {
    /// The errors of a command without the line that says that it waits: on a busy machine a service that is there may
    /// need more than the second after which each command says so.
    var withoutWaiting: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("waiting for an answer from ") }
            .joined(separator: "\n")
    }
}
