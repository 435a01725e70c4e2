import CZMQ
import Foundation
import TestSupport
import Testing

@testable import Transport

/// A router that listens, and a dealer that found it, on a socket in a folder of their own.
private struct Pair: ~Copyable {
    let folder: TemporaryFolder
    let router: Socket
    let dealer: Socket
    let endpoint: String

    init(frameLimit: Int = 1000) throws {
        let folder = try TemporaryFolder()
        let context = try Context()
        let endpoint = "ipc://" + folder.file("socket")
        let router = try Socket(.router, in: context, frameLimit: frameLimit)
        let dealer = try Socket(.dealer, in: context, frameLimit: frameLimit)
        try router.bind(endpoint)
        try dealer.connect(endpoint)
        self.folder = folder
        self.router = router
        self.dealer = dealer
        self.endpoint = endpoint
    }

    func received(_ socket: borrowing Socket) throws -> [[UInt8]]? {
        _ = try wait(for: [socket.source], atMost: patience)
        return try socket.receive()
    }
}

@Test func `a dealer is heard by a router, and answered by name`() throws {
    let pair = try Pair()
    #expect(try pair.dealer.waitUntilWritable(atMost: patience))
    #expect(try pair.dealer.send([1, 2, 3]) == .done)
    let heard = try #require(try pair.received(pair.router))
    #expect(heard.count == 2 && heard[1] == [1, 2, 3])
    #expect(try pair.router.send(heard[0], []) == .done)
    #expect(try pair.received(pair.dealer) == [[]])
}

@Test func `a peer that is not there is reported, not waited for`() throws {
    let pair = try Pair()
    #expect(try pair.router.send([9, 9, 9], [1]) == .gone)
    let context = try Context()
    let alone = try Socket(.dealer, in: context)
    try alone.connect("ipc://" + pair.folder.file("nobody"))
    #expect(try alone.send([1]) == .full)
    #expect(try alone.waitUntilWritable(atMost: .zero) == false)
}

@Test func `a peer that has gone is reported when it is spoken to`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    let router = try Socket(.router, in: try Context())
    try router.bind(endpoint)
    var name: [UInt8] = []
    do {
        let dealer = try Socket(.dealer, in: try Context())
        try dealer.connect(endpoint)
        #expect(try dealer.waitUntilWritable(atMost: patience) && dealer.send([1]) == .done)
        _ = try wait(for: [router.source], atMost: patience)
        name = try #require(try router.receive())[0]
    }
    let deadline = ContinuousClock.now + patience
    while try router.send(name, [1]) != .gone, .now < deadline {
        _ = try wait(for: [router.source], atMost: .milliseconds(10))
    }
    #expect(ContinuousClock.now < deadline)
}

@Test func `an endpoint in use is taken, and its owner keeps it`() throws {
    let pair = try Pair()
    let other = try Socket(.router, in: try Context())
    #expect(throws: TransportError.taken(endpoint: pair.endpoint)) { try other.bind(pair.endpoint) }
    #expect(try pair.dealer.waitUntilWritable(atMost: patience) && pair.dealer.send([1]) == .done)
    #expect(try pair.received(pair.router)?[1] == [1])
}

@Test func `the socket file of a process that was killed is no obstacle`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    #expect(FileManager.default.createFile(atPath: folder.file("socket"), contents: nil))
    let router = try Socket(.router, in: try Context())
    #expect(throws: Never.self) { try router.bind(endpoint) }
}

@Test func `it is told at once where nobody listens, also where a file was left behind`() throws {
    let pair = try Pair()
    #expect(nobodyListens(at: pair.endpoint) == false)
    #expect(nobodyListens(at: "ipc://" + pair.folder.file("nobody")))
    #expect(FileManager.default.createFile(atPath: pair.folder.file("left"), contents: nil))
    #expect(nobodyListens(at: "ipc://" + pair.folder.file("left")))
    // Nobody knows without a call.
    #expect(nobodyListens(at: "tcp://127.0.0.1:1") == false)
}

@Test(arguments: [
    ("nonsense", TransportError.badEndpoint("nonsense")),
    ("tcp://127.0.0.1:notaport", .badEndpoint("tcp://127.0.0.1:notaport")),
    (
        "ipc:///tmp/" + String(repeating: "x", count: 200),
        .pathTooLong(endpoint: "ipc:///tmp/" + String(repeating: "x", count: 200), limit: 107)
    ),
])
func `an endpoint that cannot be says why`(endpoint: String, error: TransportError) throws {
    let socket = try Socket(.router, in: try Context())
    #expect(throws: error) { try socket.bind(endpoint) }
}

@Test func `an address of another machine is told as that`() throws {
    let socket = try Socket(.router, in: try Context(), security: .plain(.anywhere))
    let endpoint = "tcp://192.0.2.1:7300"
    #expect(throws: TransportError.notHere(endpoint: endpoint)) { try socket.bind(endpoint) }
}

@Test func `a taken port is told as taken`() throws {
    let context = try Context()
    let first = try Socket(.router, in: context)
    try first.bind("tcp://127.0.0.1:*")
    let endpoint = try first.lastEndpoint()
    let second = try Socket(.router, in: context)
    #expect(throws: TransportError.taken(endpoint: endpoint)) { try second.bind(endpoint) }
}

@Test func `a peer that sends more than the limit is cut off, and others are not`() throws {
    let pair = try Pair(frameLimit: 1000)
    let greedy = try Socket(.dealer, in: try Context())
    try greedy.connect(pair.endpoint)
    #expect(try greedy.waitUntilWritable(atMost: patience))
    _ = try greedy.send([UInt8](repeating: 0, count: 1001))
    #expect(try pair.dealer.waitUntilWritable(atMost: patience) && pair.dealer.send([7]) == .done)
    #expect(try pair.received(pair.router)?[1] == [7])
}

@Test func `of a frame that is longer than is taken the length is told, and nothing else of it is kept`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    let router = try Socket(.router, in: try Context(), frameLimit: 4000, longestFrame: 1000)
    try router.bind(endpoint)
    let dealer = try Socket(.dealer, in: try Context())
    try dealer.connect(endpoint)
    #expect(try dealer.waitUntilWritable(atMost: patience))
    for (length, refused) in [(1000, nil), (1001, 1001), (4000, 4000)] as [(Int, Int?)] {
        #expect(try dealer.send([5], [UInt8](repeating: 7, count: length)) == .done)
        _ = try wait(for: [router.source], atMost: patience)
        let message = try #require(try router.receiveMessage())
        #expect(message.refused == refused && message.parts[1] == [5])
        #expect(message.parts[2].count == (refused == nil ? length : 0))
    }
}

@Test(arguments: ["ipc", "tcp"])
func `a connection that is ended for what it sent is told, and one whose peer has gone is not`(transport: String) throws
{
    let folder = try TemporaryFolder()
    let context = try Context()
    let router = try Socket(.router, in: context, frameLimit: 1000)
    let ended = try Mailbox<EndedConnection>()
    try router.watchConnections { ended.post($0) }
    try router.bind(transport == "ipc" ? "ipc://" + folder.file("socket") : "tcp://127.0.0.1:*")
    let endpoint = try router.lastEndpoint()
    for _ in 0..<20 {
        // Says something, and goes.
        let dealer = try Socket(.dealer, in: try Context())
        try dealer.connect(endpoint)
        #expect(try dealer.waitUntilWritable(atMost: patience) && dealer.send([1]) == .done)
        _ = try wait(for: [router.source], atMost: patience)
        #expect(try router.receive()?[1] == [1])
    }
    let greedy = try Socket(.dealer, in: try Context())
    try greedy.connect(endpoint)
    let tooLong = [UInt8](repeating: 0, count: 300_000)
    let deadline = ContinuousClock.now + patience
    var first: EndedConnection?
    // The peer comes again and sends the same, as peers do that nobody tells: nothing is found out of a connection that
    // ended before anybody looked at it.
    while first == nil, .now < deadline {
        guard try greedy.waitUntilWritable(atMost: .seconds(1)) else { continue }
        _ = try greedy.send(tooLong)
        if try wait(for: [ended.source], atMost: .seconds(1))[0] { first = ended.takeAll().first }
    }
    let told = try #require(first)
    #expect(told.frameLimit == 1000)
    let own = "process \(ProcessInfo.processInfo.processIdentifier) of user \(getuid())"
    #expect(transport == "ipc" ? told.peer == own : told.peer.hasPrefix("127.0.0.1:"))
}

@Test(arguments: ["ipc", "tcp"])
func `a peer that says more than is heard, and hangs up, has sent no frame that is too long`(transport: String) throws {
    let folder = try TemporaryFolder()
    let router = try Socket(.router, in: try Context(), frameLimit: 1000)
    let ended = try Mailbox<EndedConnection>()
    try router.watchConnections { ended.post($0) }
    try router.bind(transport == "ipc" ? "ipc://" + folder.file("socket") : "tcp://127.0.0.1:*")
    let count = 20_000
    do {
        let talker = try SocketHandle(type: ZMQ_DEALER, context: try Context())
        try talker.set(ZMQ_LINGER, 0)
        try talker.set(ZMQ_SNDHWM, 0)
        try talker.connect(router.lastEndpoint())
        for _ in 0..<count { #expect(talker.send([UInt8](repeating: 1, count: 500), flags: 0) == 500) }
        #expect(try wait(for: [router.source], atMost: patience) == [true])
        // Waits until nothing more fits into the buffers on its way.
        #expect(try wait(for: [ended.source], atMost: .milliseconds(500)) == [false])
    }
    // Waiting messages are heard; libzmq finds then that the peer has gone, and leaves the rest in the kernel.
    var heard = 0
    while try wait(for: [router.source], atMost: .milliseconds(500))[0] {
        while try router.receive() != nil { heard += 1 }
    }
    #expect(heard > 0 && heard < count)
    #expect(try wait(for: [ended.source], atMost: .milliseconds(500)) == [false])
}

@Test func `a mailbox wakes the loop that waits for it, with everything in order`() throws {
    let mailbox = try Mailbox<Int>()
    Thread.detachNewThread { for number in 1...3 { mailbox.post(number) } }
    var letters: [Int] = []
    while letters.count < 3, try wait(for: [mailbox.source], atMost: patience)[0] { letters += mailbox.takeAll() }
    #expect(letters == [1, 2, 3])
    #expect(try wait(for: [mailbox.source], atMost: .zero) == [false])
}

@Test func `messages of many parts outlive the connection that they came by`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://" + folder.file("socket")
    let dealer = try Socket(.steadyDealer, in: try Context())
    try dealer.connect(endpoint)
    #expect(try dealer.send([1], [2]) == .full)
    let count = 90
    do {
        let router = try Socket(.router, in: try Context())
        try router.bind(endpoint)
        #expect(try dealer.waitUntilWritable(atMost: patience) && dealer.send([0], [0]) == .done)
        _ = try wait(for: [router.source], atMost: patience)
        let heard = try #require(try router.receive())
        for number in 0..<count { #expect(try router.send(heard[0], [1], [UInt8(number)]) == .done) }
    }
    // The router is gone, and libzmq knows it before the first of these is taken.
    let deadline = ContinuousClock.now + patience
    while try dealer.waitUntilWritable(atMost: .zero), .now < deadline { poll(nil, 0, 1) }
    for number in 0..<count { #expect(try dealer.receive() == [[1], [UInt8(number)]]) }
    #expect(try dealer.receive() == nil)

    let next = try Socket(.router, in: try Context())
    try next.bind(endpoint)
    #expect(try dealer.waitUntilWritable(atMost: patience) && dealer.send([3], [4]) == .done)
}
