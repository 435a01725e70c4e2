import Bytes
import Console
import Daemons
import Flood
import FormeClientZMQ
import Foundation
import JSON
import MessageLayout
import Names
import Pool
import Storage
import Wire

/// A service of the benchmark's own, in a folder that goes with it.
final class BenchService {
    let folder: DataFolder
    private let leash: Leash
    private let service: ChildProcess

    var endpoints: Endpoints { Endpoints(folder: folder.path) }

    /// - Parameter words: options of `forme serve`, once there is the folder.
    init(_ words: (DataFolder) throws -> [String]) throws {
        // The folder is on the disk of the sources: a folder in memory would tell nothing.
        let path =
            FileManager.default.currentDirectoryPath + "/.build/bench-\(ProcessInfo.processInfo.processIdentifier)"
        folder = DataFolder(path)
        let leash = try Leash()
        try folder.create()
        service = try ChildProcess(
            program: BuiltProgram.forme(),
            arguments: ["serve", "--data", path, "--listen", "folder", "--supervised"] + words(folder),
            standardInput: leash)
        self.leash = leash
    }

    deinit {
        service.end()
        try? FileManager.default.removeItem(atPath: folder.path)
    }

    /// Posts so many samples to each conversation, and waits until they are laid out.
    func fill(_ conversations: [ConversationID], rows: Int) throws {
        var client = try Client(endpoints.events)
        for conversation in conversations {
            for start in stride(from: 0, to: rows, by: Self.batch) {
                let events = try (start..<min(rows, start + Self.batch)).map { number throws(ByteError) in
                    try Sample.event(number, in: conversation)
                }
                let answers = try client.post(events, within: .seconds(60))
                guard answers.allSatisfy({ $0 == .accepted }) else {
                    throw Failure(.failed, "the service did not take what it is to be measured with")
                }
            }
        }
        try settle()
    }

    /// Waits, and leaves the machine to the service.
    func rest(_ time: Duration) throws { _ = try OperatorClient(endpoints.operators).rest(time) }

    /// Waits until nothing is left to be laid out.
    func settle() throws {
        let operators = try OperatorClient(endpoints.operators)
        let deadline = ContinuousClock.now + .seconds(120)
        while .now < deadline {
            let lanes = try operators.ask(.status, within: .seconds(10)).1["status"]?["lanes"]?.array ?? []
            if !lanes.isEmpty, lanes.allSatisfy({ $0["open"]?.number?.integer == 0 }) { return }
            _ = try operators.rest(.milliseconds(100))
        }
        throw Failure(.failed, "not everything was laid out in two minutes; the messages of the service are above")
    }

    private static let batch = 256
}
