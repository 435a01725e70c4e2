import Foundation
import HTTP
import Secrets
import Synchronization
import TestSupport
import Transport

@testable import Gateway

/// A loop on a thread of its own that answers HTTP, as the gateway's does, until it is let go.
final class RunningFront: Sendable {
    let port: UInt16
    /// The port for operators of the same gateway.
    let operators: UInt16
    private let stop: Bell

    init(
        fonts: [String: String] = [:], origins: Set<String> = [], health: Health = Health([.init("cache", nil)]),
        tokens: String? = nil, streamsPerSubject: Int = 64, pages: ShownPages = .none,
        stage: (@Sendable () throws -> WindowStage)? = nil
    ) throws {
        let stop = try Bell()
        let opened = Mutex<Result<(port: UInt16, operators: UInt16), any Error>?>(nil)
        let isOpen = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                let stage = try stage?() ?? WindowStage()
                let desk = HTTPDesk(
                    access: try TokenAccess(
                        tokens.map { TokenKeyFolder($0) }, limit: RateLimit(burst: 1 << 20, perSecond: 1 << 20)),
                    origins: CrossOrigin(origins: origins),
                    fonts: FontFiles(fonts.map { ServedFont(family: "F", hash: $0, path: $1) }),
                    windows: stage.desk, streamsPerSubject: streamsPerSubject, pages: pages)
                var front = try HTTPFront(ServerOptions(address: "127.0.0.1:0"), desk)
                let operators = try OperatorPort(at: "127.0.0.1:0")
                let ports = (port: front.port, operators: operators.port)
                opened.withLock { $0 = .success(ports) }
                isOpen.signal()
                while try !wait(
                    for: [front.source, stop.source, operators.source] + [stage.desk.drafts].compactMap(\.self),
                    atMost: min(front.rest, stage.desk.rest(at: .now)))[1]
                {
                    front.turn(health, at: .now)
                    operators.turn(health: { health }, turnedAway: { front.turnedAway }) { front.metrics(health) }
                    if let outcome = stage.desk.proceed(at: .now, { _, _ in .gone }) { front.take(outcome) }
                    stage.desk.tellPreviews { client, word in
                        switch client {
                        case .caller: front.take(word)
                        case .stream(let name): return front.deliver(word, to: name)
                        case .peer, .visitor: break
                        }
                        return .done
                    }
                }
            } catch {
                opened.withLock { $0 = .failure(error) }
                isOpen.signal()
            }
        }
        isOpen.wait()
        (port, operators) = try opened.withLock { $0! }.get()
        self.stop = stop
    }

    deinit { stop.ring() }

    /// Asks the port for operators.
    func askOperators(_ path: String) throws -> (status: Int, body: String) {
        let folder = try TemporaryFolder()
        let (code, status) = try run(
            "/usr/bin/env",
            ["curl", "-sS", "-o", folder.file("body"), "-w", "%{http_code}", "http://127.0.0.1:\(operators)\(path)"])
        guard code == 0, let status = Int(status) else { throw CurlFailed(code: code) }
        let body = FileManager.default.contents(atPath: folder.file("body")) ?? Data()
        return (status, String(decoding: body, as: UTF8.self))
    }

    /// Asks for a path with curl, and returns the head apart from the body.
    func curl(_ path: String, _ options: String...) throws -> (status: Int, head: String, body: Data) {
        let folder = try TemporaryFolder()
        let (code, _) = try run(
            "/usr/bin/env",
            ["curl", "-sS", "-D", folder.file("head"), "-o", folder.file("body"), "http://127.0.0.1:\(port)\(path)"]
                + options)
        guard code == 0 else { throw CurlFailed(code: code) }
        let head = try String(contentsOfFile: folder.file("head"), encoding: .utf8)
        let body = FileManager.default.contents(atPath: folder.file("body")) ?? Data()
        return (Int(head.split(separator: " ")[1]) ?? 0, head.lowercased(), body)
    }
}

struct CurlFailed: Error {
    let code: Int32
}

/// Runs a program to its end, and returns its output and its errors as one text.
/// - Parameter folder: where it may leave files of its own.
func run(
    _ program: String, _ arguments: [String], in folder: String? = nil
) throws -> (code: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
}

extension TokenAccess.Times {
    static var now: TokenAccess.Times {
        TokenAccess.Times(
            calendar: TokenTime(seconds: UInt32(Date().timeIntervalSince1970)),
            steady: .seconds(ProcessInfo.processInfo.systemUptime))
    }
}
