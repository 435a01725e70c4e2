import Conversation
import Foundation
import MessageLayout
import Names
import TestSupport
import Testing
import Transport
import Typography
import Wire

/// Passes hints of a coordinator on to a gateway, but for every second one.
private final class LossyRelay: Sendable {
    private let stop: Bell

    init(from ready: String, to endpoint: String) throws {
        let stop = try Bell()
        let isListening = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                let context = try Context()
                let heard = try Socket(.subscriber, in: context, frameLimit: Limits.frame)
                let told = try Socket(.publisher, in: context, frameLimit: Limits.frame)
                try told.bind(endpoint)
                try heard.connect(ready)
                isListening.signal()
                var count = 0
                while try !wait(for: [heard.source, stop.source], atMost: .seconds(1))[1] {
                    while let parts = try heard.receive() {
                        count += 1
                        if count.isMultiple(of: 2) { _ = try told.send(parts: parts) }
                    }
                }
            } catch {
                isListening.signal()
                Issue.record("\(error)")
            }
        }
        isListening.wait()
        self.stop = stop
    }

    deinit { stop.ring() }
}

@Test(.waits) func `half of the hints are lost, and no change is missed`() throws {
    let folder = try TemporaryFolder()
    let port = try Ports.five()
    try "{ data: '\(folder.path)', listen: { ready: '127.0.0.1:\(port)' } }".write(
        toFile: folder.file("gateway.json5"), atomically: true, encoding: .utf8)
    let coordinator = try Command(["coordinator", "--data", folder.path])
    try coordinator.waitForMessage("listening")
    let relay = try LossyRelay(from: Endpoints(folder: folder.path).ready, to: "tcp://127.0.0.1:\(port)")
    let worker = try Command(["worker", "--data", folder.path])
    let gateway = try Command(["gateway", "--config", folder.file("gateway.json5")])
    func post(_ number: Int) throws {
        let line =
            #"{"conversation": "c", "message": "m\#(number)", "order": \#(number), "sender": "ada", "#
            + #""time": 1700000000000, "revision": 1, "text": "Hi"}"# + "\n"
        #expect(try run(["post", "--data", folder.path], input: line).code == 0)
    }
    try post(0)
    var visitor = try Visitor(folder)
    for number in 1...40 {
        try post(number)
        try visitor.listen(atMost: .milliseconds(5))
    }
    try waitUntil {
        try visitor.listen()
        return visitor.mirror.rows.map(\.message.text) == (0...40).map { "m\($0)" }
    }
    #expect(visitor.resyncs == 0)
    withExtendedLifetime(relay) {}
    for command in [gateway, worker, coordinator] {
        command.process.terminate()
        #expect(try command.finish().code == 0)
    }
}
