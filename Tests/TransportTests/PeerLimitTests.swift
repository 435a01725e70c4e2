import CZMQ
import Foundation
import TestSupport
import Testing

@testable import Transport

/// A socket of libzmq as a program in another language has it, with none of our limits.
private func raw(_ type: Int32, to endpoint: String, in context: Context) throws -> SocketHandle {
    let socket = try SocketHandle(type: type, context: context)
    try socket.set(ZMQ_LINGER, 0)
    try socket.connect(endpoint)
    return socket
}

/// Answers each question with so many bytes, until so many questions were answered or refused.
private func answer(_ router: borrowing Socket, _ questions: Int, bytes: Int) throws -> (done: Int, full: Int) {
    var (done, full) = (0, 0)
    let body = [UInt8](repeating: 7, count: bytes)
    let deadline = ContinuousClock.now + patience
    while done + full < questions, .now < deadline {
        _ = try wait(for: [router.source], atMost: .milliseconds(100))
        while let parts = try router.receive() {
            if try router.send(parts[0], body) == .done { done += 1 } else { full += 1 }
        }
    }
    return (done, full)
}

@Test func `a peer that asks and does not read fills no more memory than its share`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    let context = try Context()
    let router = try Socket(.router, in: context)
    try router.bind(endpoint)
    let silent = try raw(ZMQ_DEALER, to: endpoint, in: context)
    try silent.set(ZMQ_RCVHWM, 1)
    for number in 0..<400 { #expect(silent.send([UInt8(number & 0xFF)], flags: 0) > 0) }
    let (done, full) = try answer(router, 400, bytes: 300_000)
    #expect(done + full == 400 && full > 300)
    #expect(router.unreadBytes <= UnreadBytes.mostOfPeer && router.unreadBytes > 0)
    // A peer that reads is answered all the same.
    let reader = try raw(ZMQ_DEALER, to: endpoint, in: context)
    for _ in 0..<20 {
        #expect(reader.send([1], flags: 0) == 1)
        #expect(try answer(router, 1, bytes: 300_000).done == 1)
        #expect(try reader.receiveMessage(0)?.parts[0].count == 300_000)
    }
}

/// libzmq 4.3.4 ended the process where it was to send a heartbeat on such a connection.
@Test(arguments: ["ipc", "tcp"])
func `a peer that says more than is heard, and hangs up, harms nobody`(transport: String) throws {
    let folder = try TemporaryFolder()
    let router = try Socket(.router, in: Context())
    try router.bind(transport == "ipc" ? "ipc://" + folder.file("socket") : "tcp://127.0.0.1:*")
    let endpoint = try router.lastEndpoint()
    do {
        let talker = try raw(ZMQ_DEALER, to: endpoint, in: Context())
        try talker.set(ZMQ_SNDHWM, 0)
        // Its own heartbeats make the router count on them.
        try talker.set(ZMQ_HEARTBEAT_IVL, 100)
        try talker.set(ZMQ_HEARTBEAT_TTL, 1000)
        for _ in 0..<20_000 { #expect(talker.send([UInt8](repeating: 1, count: 100), flags: 0) == 100) }
        _ = try wait(for: [router.source], atMost: patience)
    }
    // This is longer than heartbeats are waited for, and nobody takes the messages.
    poll(nil, 0, 3000)
    let peer = try raw(ZMQ_DEALER, to: endpoint, in: Context())
    #expect(peer.send([2], flags: 0) == 1)
    let deadline = ContinuousClock.now + patience
    var heard: [UInt8]?
    while heard != [2], .now < deadline {
        _ = try wait(for: [router.source], atMost: .milliseconds(100))
        while heard != [2], let parts = try router.receive() { heard = parts.last }
    }
    #expect(heard == [2])
}

@Test func `a peer that reads at last is answered again`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    let context = try Context()
    let router = try Socket(.router, in: context)
    try router.bind(endpoint)
    let peer = try raw(ZMQ_DEALER, to: endpoint, in: context)
    try peer.set(ZMQ_RCVHWM, 1)
    for _ in 0..<60 { #expect(peer.send([1], flags: 0) == 1) }
    let done = try answer(router, 60, bytes: 1_000_000).done
    for _ in 0..<done { #expect(try peer.receiveMessage(0)?.parts[0].count == 1_000_000) }
    #expect(peer.send([1], flags: 0) == 1)
    #expect(try answer(router, 1, bytes: 1_000_000).done == 1)
    #expect(try peer.receiveMessage(0)?.parts[0].count == 1_000_000)
    let deadline = ContinuousClock.now + patience
    while router.unreadBytes > 0, .now < deadline { poll(nil, 0, 1) }
    #expect(router.unreadBytes == 0)
}

@Test func `what a service does not take fills no more memory of its caller than it may`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    let (context, most) = (try Context(), 4 << 20)
    // Of such large frames a router takes sixteen before they are received.
    let router = try Socket(.router, in: context, frameLimit: 4 << 20)
    try router.bind(endpoint)
    let caller = try Socket(.steadyDealer, in: context, mostUnsent: most)
    try caller.connect(endpoint)
    #expect(try caller.waitUntilWritable(atMost: patience))
    let body = [UInt8](repeating: 7, count: 300_000)
    var done = 0
    for _ in 0..<300 {
        if try caller.send([1], body) == .done { done += 1 } else { poll(nil, 0, 1) }
        #expect(caller.unsentBytes <= most)
    }
    #expect(done >= most / body.count && done < 100)
    // A short message is not counted, and a service that goes on takes everything.
    #expect(try caller.send([2]) == .done)
    var heard = 0
    let deadline = ContinuousClock.now + patience
    while heard < done + 1, .now < deadline {
        _ = try wait(for: [router.source], atMost: .milliseconds(100))
        while try router.receive() != nil { heard += 1 }
    }
    #expect(heard == done + 1)
    while caller.unsentBytes > 0, .now < deadline { poll(nil, 0, 1) }
    #expect(try caller.send([1], body) == .done)
}

@Test func `a message of more parts than anybody needs is left out, and the next one is heard`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    let context = try Context()
    let router = try Socket(.router, in: context)
    try router.bind(endpoint)
    let peer = try raw(ZMQ_DEALER, to: endpoint, in: context)
    for number in 0..<5000 { #expect(peer.send([1], flags: number < 4999 ? ZMQ_SNDMORE : 0) == 1) }
    #expect(peer.send([2], flags: 0) == 1)
    _ = try wait(for: [router.source], atMost: patience)
    var heard = try router.receive()
    let deadline = ContinuousClock.now + patience
    while heard == nil, .now < deadline {
        _ = try wait(for: [router.source], atMost: .milliseconds(100))
        heard = try router.receive()
    }
    #expect(heard?.last == [2])
}

@Test(arguments: ["ipc", "tcp"])
func `a subscriber with very many subscriptions is cut off, and others go on hearing`(transport: String) throws {
    let folder = try TemporaryFolder()
    let context = try Context()
    let publisher = try Socket(.publisher, in: context, frameLimit: 512)
    try publisher.bind(transport == "ipc" ? "ipc://" + folder.file("socket") : "tcp://127.0.0.1:*")
    let endpoint = try publisher.lastEndpoint()
    let honest = try Socket(.subscriber, in: context)
    try honest.connect(endpoint)
    let greedy = try raw(ZMQ_SUB, to: endpoint, in: context)
    for number in 0..<2000 {
        try greedy.set(ZMQ_SUBSCRIBE, bytes: Array("\(number)".utf8) + [UInt8](repeating: 1, count: 100))
    }
    var cut: [CutPeer] = []
    let deadline = ContinuousClock.now + patience
    var isHeard = false
    while cut.isEmpty || !isHeard, .now < deadline {
        _ = try wait(for: [publisher.source, honest.source], atMost: .milliseconds(20))
        cut += try publisher.tend()
        _ = try publisher.send([9])
        while try honest.receive() != nil { isHeard = !cut.isEmpty }
    }
    #expect(isHeard && cut.first?.reason == .tooManySubscriptions(limit: Visitors.mostSubscriptions))
    #expect(cut.first?.address.hasPrefix(transport == "ipc" ? "process \(getpid())" : "127.0.0.1:") == true)
}

/// A peer that speaks ZMTP by hand, as libzmq lets no message leave before its last part is there.
private final class HandMadePeer {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    init(port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0)
        let mechanism = Array("NULL".utf8) + [UInt8](repeating: 0, count: 16)
        #expect(
            say([0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0] + mechanism + [UInt8](repeating: 0, count: 32)))
        var greeting = [UInt8](repeating: 0, count: 64)
        try #require(unsafe recv(descriptor, &greeting, 64, Int32(MSG_WAITALL)) == 64)
        let ready = [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6] + Array("DEALER".utf8)
        #expect(say([4, UInt8(ready.count)] + ready))
    }

    deinit { close(descriptor) }

    /// False when the connection was ended.
    func say(_ bytes: [UInt8]) -> Bool {
        unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// A part that another follows.
    func part(_ count: Int) -> Bool {
        let length = (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        return say([3] + length + [UInt8](repeating: 7, count: count))
    }
}

@Test func `where memory is short, the peer from which most came is cut off`() throws {
    let context = try Context()
    let router = try Socket(.router, in: context)
    try router.bind("tcp://127.0.0.1:*")
    let endpoint = try router.lastEndpoint()
    let honest = try raw(ZMQ_DEALER, to: endpoint, in: context)
    #expect(honest.send([1], flags: 0) == 1)
    let endless = try HandMadePeer(port: try #require(UInt16(endpoint.split(separator: ":").last ?? "")))
    var cut: [CutPeer] = []
    var sent = 0
    while cut.isEmpty, sent < 1000, endless.part(100_000) {
        sent += 1
        if sent.isMultiple(of: 50) { cut = router.cutBusiest(atLeast: 4 << 20) }
    }
    guard case .tooMuch(let bytes) = cut.first?.reason else {
        Issue.record("nobody was cut off: \(cut) after \(sent) parts")
        return
    }
    #expect(cut.count == 1 && bytes >= 4 << 20)
    while endless.part(100_000), sent < 2000 { sent += 1 }
    #expect(sent < 2000)
    // A peer that asked before is still answered.
    #expect(try answer(router, 1, bytes: 5).done == 1)
    #expect(try honest.receiveMessage(0)?.parts[0].count == 5)
}
