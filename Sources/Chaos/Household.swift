import Daemons
import Foundation
import Glibc

/// The processes of one service: `forme serve`, started again whenever it ends, as systemd would, and its children.
struct Household: ~Copyable {
    private let arguments: [String]
    private let environment: [String: String]
    private let log: String
    private let leash: Leash
    private var serve: ChildProcess
    private var endedAt: ContinuousClock.Instant?
    /// The number of restarts.
    private(set) var restarts = 0

    private static let pause: Duration = .milliseconds(500)

    /// - Parameter log: the file to which all of them write.
    init(_ arguments: [String], environment: [String: String], log: String) throws {
        let leash = try Leash()
        serve = try ChildProcess(
            arguments: arguments, standardInput: leash, environment: environment, errors: log)
        (self.arguments, self.environment, self.log) = (arguments, environment, log)
        self.leash = leash
    }

    /// Notices that the service has ended, and starts it again a little later.
    mutating func tend() throws {
        if endedAt == nil, serve.endStatus() != nil { endedAt = .now }
        guard let ended = endedAt, ended + Self.pause <= .now else { return }
        serve = try ChildProcess(arguments: arguments, standardInput: leash, environment: environment, errors: log)
        endedAt = nil
        restarts += 1
    }

    /// The processes that run in this role just now.
    func processes(_ role: Mishap.Role) -> [Int32] {
        guard endedAt == nil else { return [] }
        if role == .serve { return [serve.id] }
        return Self.children(of: serve.id).filter { Self.word(of: $0) == role.rawValue }
    }

    /// The processes that write files.
    var writers: [Int32] { processes(.coordinator) + processes(.worker) }

    /// Asks it to stop; false when it had to be killed.
    mutating func stop(within time: Duration) throws -> Bool {
        if endedAt != nil { return true }
        serve.signal(SIGTERM)
        let deadline = ContinuousClock.now + time
        while .now < deadline {
            if serve.endStatus() != nil { return true }
            _ = poll(nil, 0, 20)
        }
        serve.signal(SIGKILL)
        return false
    }

    private static func children(of parent: Int32) -> [Int32] {
        let path = "/proc/\(parent)/task/\(parent)/children"
        guard let list = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return list.split(separator: " ").compactMap { Int32($0) }
    }

    /// The first argument of a process, its command of `forme`; nil for a process that has ended.
    private static func word(of process: Int32) -> String? {
        guard let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8) else { return nil }
        let words = line.split(separator: "\0")
        return words.count > 1 ? String(words[1]) : nil
    }
}
