import Daemons
import Foundation
import Gateway
import HTTP
import JSON
import MessageLayout
import Pool
import Rows
import Storage
import TestSupport
import Transport
import Wire

/// The loops of a gateway and a coordinator, each on a thread of its own, and a caller that talks to them over
/// sockets.
enum SocketDrive {
    static func run(words: Int, _ numbers: inout ExtremeNumbers, _ told: inout Tally) throws {
        let temporary = try TemporaryFolder()
        let folder = DataFolder(temporary.path)
        let endpoints = Endpoints(folder: temporary.path)
        let port = try Ports.one()
        let stop = try Bell()
        let isOpen = DispatchSemaphore(value: 0)
        spawn("coordinator") {
            var loop = try CoordinatorLoop(
                in: folder, at: endpoints, settings: .init(journal: JournalSettings()), changes: try Mailbox())
            isOpen.signal()
            try loop.run(until: [stop.source], patience: .zero)
        }
        isOpen.wait()
        spawn("gateway") {
            let path = Project.file("config/styles/bubble.json5").path
            let style = try JSONDocument(
                name: path, bytes: Array(try String(contentsOfFile: path, encoding: .utf8).utf8), dialect: .json5
            ).read { (root) throws(JSONError) in try StyleSheet(root) }
            let web = WebSettings(server: ServerOptions(address: "127.0.0.1:\(port)"), calling: Access())
            var loop = try GatewayLoop(in: folder, at: endpoints, style: style.decoration(), web: web)
            isOpen.signal()
            try loop.run(until: [stop.source])
        }
        isOpen.wait()
        let caller = try Caller(endpoints, port)
        for _ in 0..<words {
            told.words += 1
            told.sockets += 1
            told.answers += try caller.say(&numbers)
        }
        stop.ring()
    }

    /// Runs a loop on a thread. A loop that fails ends the process.
    private static func spawn(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread {
            do { try body() } catch { fatalError("\(name): \(error)") }
        }
    }
}
