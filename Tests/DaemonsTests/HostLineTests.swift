import Names
import Replication
import TestSupport
import Testing
import Transport

@testable import Daemons

@Test func `a host that resets handshakes ends nobody, and is spoken to when it takes them`() throws {
    let port = try Ports.one()
    let door = try Socket(.router, in: try Context())
    try door.bind("tcp://127.0.0.1:\(port)")
    let proxy = try TCPProxy(to: port)
    proxy.mode = .reset
    let line = try HostLine(
        to: try HostID("b"), at: "tcp://127.0.0.1:\(proxy.port)", in: try Context(), Access())
    let end = ContinuousClock.now + patience
    while line.source != nil {
        try #require(.now < end, "the line is not given up")
        let heard = try line.receive()
        #expect(heard == nil)
        _ = try wait(for: [line.source].compactMap(\.self), atMost: .milliseconds(50))
    }
    // It is not made again at once.
    let isSent = try line.send([1])
    #expect(!isSent && line.source == nil)

    proxy.mode = .open
    var heard: [[UInt8]]?
    while heard == nil {
        try #require(.now < end, "nothing is said any more")
        _ = try line.send([2])
        _ = try wait(for: [door.source], atMost: .milliseconds(50))
        heard = try door.receive()
    }
    #expect(heard?.last == [2])
}
