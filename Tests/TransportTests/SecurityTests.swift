import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Transport

/// A router behind a door, on a port of the kernel's choice, and the keys that its list knows.
private struct House: ~Copyable {
    let router: Socket
    let endpoint: String
    let door: Door
    let pair: KeyPair
    let producer: KeyPair
    let reader: KeyPair
    let strangers: Strangers

    init() throws {
        let (pair, producer, reader) = try (KeyPair(), KeyPair(), KeyPair())
        let strangers = Strangers()
        let door = Door([
            producer.publicKey: Guest(name: "backend", role: .producer),
            reader.publicKey: Guest(name: "phones", role: .reader),
        ]) { strangers.add($0) }
        let router = try Socket(
            .router, in: try Context(), security: .curveServer(pair, door, admits: [.producer, .operator]))
        try router.bind("tcp://127.0.0.1:*")
        endpoint = try router.lastEndpoint()
        (self.pair, self.producer, self.reader) = (pair, producer, reader)
        (self.strangers, self.door) = (strangers, door)
        self.router = router
    }

    func caller(_ pair: KeyPair, knowing servers: [PublicKey]? = nil) throws -> Socket {
        let credentials = Credentials(pair: pair, servers: servers ?? [self.pair.publicKey])
        let dealer = try Socket(.dealer, in: try Context(), security: .curveClient(credentials))
        try dealer.connect(endpoint)
        return dealer
    }

    func heard(within time: Duration = patience) throws -> Socket.Message? {
        _ = try wait(for: [router.source], atMost: time)
        return try router.receiveMessage()
    }
}

private final class Strangers: Sendable {
    private let seen = Mutex<[Door.Stranger]>([])
    func add(_ stranger: Door.Stranger) { seen.withLock { $0.append(stranger) } }
    var all: [Door.Stranger] { seen.withLock { $0 } }
}

@Test func `a message says whose key it came under`() throws {
    let house = try House()
    let dealer = try house.caller(house.producer)
    #expect(try dealer.waitUntilWritable(atMost: patience) && dealer.send([1, 2]) == .done)
    let message = try #require(try house.heard())
    #expect(message.sender == Guest(name: "backend", role: .producer))
    #expect(message.parts.count == 2 && message.parts[1] == [1, 2])
    #expect(try house.router.send(message.parts[0], [3]) == .done)
    #expect(try wait(for: [dealer.source], atMost: patience) == [true])
    #expect(try dealer.receive() == [[3]])
}

@Test func `a key that is on no list is refused, and told so`() throws {
    let house = try House()
    let unknown = try KeyPair()
    let dealer = try house.caller(unknown)
    #expect(throws: TransportError.notAdmitted(endpoint: house.endpoint)) {
        _ = try dealer.waitUntilWritable(atMost: patience)
    }
    let stranger = Door.Stranger(key: unknown.publicKey, address: "127.0.0.1", guest: nil)
    #expect(house.strangers.all == [stranger])
}

@Test func `a known key in a role that the endpoint does not admit is refused, and told so`() throws {
    let house = try House()
    let dealer = try house.caller(house.reader)
    #expect(throws: TransportError.notAdmitted(endpoint: house.endpoint)) {
        _ = try dealer.waitUntilWritable(atMost: patience)
    }
    #expect(house.strangers.all.map(\.guest) == [Guest(name: "phones", role: .reader)])
}

@Test func `a service without the expected key is not spoken to, and that is told`() throws {
    let house = try House()
    let dealer = try house.caller(house.producer, knowing: [KeyPair().publicKey])
    #expect(throws: TransportError.wrongServerKey(endpoint: house.endpoint)) {
        _ = try dealer.waitUntilWritable(atMost: patience)
    }
    #expect(try house.heard(within: .zero) == nil && house.strangers.all.isEmpty)
}

@Test func `where only one of the two uses keys, nothing passes, and that is told`() throws {
    let house = try House()
    let plain = try Socket(.dealer, in: try Context())
    try plain.connect(house.endpoint)
    #expect(throws: TransportError.otherSecurity(endpoint: house.endpoint)) {
        _ = try plain.waitUntilWritable(atMost: patience)
    }
    let open = try Socket(.router, in: try Context())
    try open.bind("tcp://127.0.0.1:*")
    let endpoint = try open.lastEndpoint()
    let credentials = Credentials(pair: house.producer, servers: [house.pair.publicKey])
    let dealer = try Socket(.dealer, in: try Context(), security: .curveClient(credentials))
    try dealer.connect(endpoint)
    let error = try #require(throws: TransportError.self) { _ = try dealer.waitUntilWritable(atMost: patience) }
    #expect([.otherSecurity(endpoint: endpoint), .wrongServerKey(endpoint: endpoint)].contains(error))
}

@Test func `a list that is read anew lets in whom it names, and stops whom it does not, also on standing connections`()
    throws
{
    let house = try House()
    let new = try KeyPair()
    let old = try house.caller(house.producer)
    #expect(try old.waitUntilWritable(atMost: patience) && old.send([1]) == .done)
    #expect(try house.heard()?.parts.last == [1])
    house.door.admit([new.publicKey: Guest(name: "other", role: .producer)])
    #expect(try old.send([2]) == .done)
    let dealer = try house.caller(new)
    #expect(try dealer.waitUntilWritable(atMost: patience) && dealer.send([3]) == .done)
    var heard: [[UInt8]] = []
    while heard.last != [3] {
        try #require(try wait(for: [house.router.source], atMost: patience) == [true])
        while let message = try house.router.receiveMessage() { heard.append(message.parts[1]) }
    }
    #expect(heard == [[3]])
}

@Test func `whoever knows two keys of a service goes on when it changes from one to the other`() throws {
    let (first, second, producer) = try (KeyPair(), KeyPair(), KeyPair())
    let door = Door([producer.publicKey: Guest(name: "backend", role: .producer)])
    let credentials = Credentials(pair: producer, servers: [first.publicKey, second.publicKey])
    let dealer = try Socket(.dealer, in: try Context(), security: .curveClient(credentials))
    var endpoint = "tcp://127.0.0.1:*"
    for (number, pair) in [first, second, first].enumerated() {
        let router = try Socket(.router, in: try Context(), security: .curveServer(pair, door, admits: [.producer]))
        try bindAgain(router, endpoint)
        if number == 0 {
            endpoint = try router.lastEndpoint()
            try dealer.connect(endpoint)
        }
        var heard: [[UInt8]]?
        let deadline = ContinuousClock.now + patience
        while heard == nil, .now < deadline {
            if try dealer.waitUntilWritable(atMost: .milliseconds(50)) { _ = try dealer.send([UInt8(number)]) }
            _ = try wait(for: [router.source], atMost: .milliseconds(50))
            while let parts = try router.receive() { heard = parts }
        }
        #expect(heard?.last == [UInt8(number)])
    }
}

/// Binds a port again, which is free a moment after its socket was closed.
private func bindAgain(_ socket: borrowing Socket, _ endpoint: String) throws {
    let deadline = ContinuousClock.now + patience
    while true {
        do throws(TransportError) {
            return try socket.bind(endpoint)
        } catch {
            guard case .taken = error, .now < deadline else { throw error }
            poll(nil, 0, 1)
        }
    }
}

@Test func `no message of many, in any order, is without its sender`() throws {
    let house = try House()
    var callers: [Int: KeyPair] = [:]
    var guests: [PublicKey: Guest] = [:]
    for number in 0..<8 {
        let pair = try KeyPair()
        callers[number] = pair
        guests[pair.publicKey] = Guest(name: "\(number)", role: .producer)
    }
    house.door.admit(guests)
    let (endpoint, server) = (house.endpoint, house.pair.publicKey)
    for (number, pair) in callers {
        Thread.detachNewThread {
            let credentials = Credentials(pair: pair, servers: [server])
            guard let context = try? Context(),
                let dealer = try? Socket(.dealer, in: context, security: .curveClient(credentials))
            else { return }
            try? dealer.connect(endpoint)
            for _ in 0..<500 {
                _ = try? dealer.waitUntilWritable(atMost: patience)
                _ = try? dealer.send([UInt8(number)])
            }
        }
    }
    var count = 0
    while count < 4000, try wait(for: [house.router.source], atMost: patience) == [true] {
        while let message = try house.router.receiveMessage() {
            count += 1
            #expect(message.sender?.name == "\(message.parts[1][0])")
        }
    }
    #expect(count == 4000)
}

@Test(arguments: [
    "tcp://0.0.0.0:7300", "tcp://*:7300", "tcp://192.0.2.1:7300", "tcp://forme.example:7300", "tcp://eth0:7300",
    "tcp://127.0.0.1:0;192.0.2.1:7300", "tcp://127.0.0.1.example:7300", "tcp://127.1:7300", "tcp://[::]:7300",
])
func `without keys no socket leaves this machine`(endpoint: String) throws {
    let context = try Context()
    let dealer = try Socket(.dealer, in: context)
    let router = try Socket(.router, in: context)
    #expect(throws: TransportError.unprotected(endpoint: endpoint)) { try dealer.connect(endpoint) }
    #expect(throws: TransportError.unprotected(endpoint: endpoint)) { try router.bind(endpoint) }
}

@Test func `without keys a socket leaves this machine where that was accepted`() throws {
    let router = try Socket(.router, in: try Context(), security: .plain(.anywhere))
    #expect(throws: Never.self) { try router.bind("tcp://0.0.0.0:*") }
}

@Test(arguments: ["udp://127.0.0.1:7300", "pgm://lo;239.0.0.1:7300", "ws://127.0.0.1:7300"])
func `what takes no keys is no address`(endpoint: String) throws {
    let router = try Socket(.router, in: try Context(), security: .plain(.anywhere))
    #expect(throws: TransportError.badEndpoint(endpoint)) { try router.bind(endpoint) }
}

@Test func `sockets in the file system need no keys, all others use those that are there`() throws {
    let pair = try KeyPair()
    let access = Access(server: pair, credentials: Credentials(pair: pair, servers: [pair.publicKey]))
    for (endpoint, isPlain) in [("ipc:///tmp/x", true), ("tcp://127.0.0.1:1", false), ("tcp://192.0.2.1:1", false)] {
        let both = [access.listening(at: endpoint, admits: [.reader]), access.calling(endpoint)]
        #expect(both.allSatisfy { if case .plain = $0 { isPlain } else { !isPlain } })
    }
}

@Test func `keys are written in forty characters and read again, and belong together`() throws {
    for _ in 0..<20 {
        let pair = try KeyPair()
        let (open, secret) = (pair.publicKey.description, pair.secretKey.revealed())
        #expect(open.utf8.count == 40 && PublicKey(open) == pair.publicKey)
        #expect(SecretKey(secret).flatMap { KeyPair($0) }?.publicKey == pair.publicKey)
    }
    // The example of RFC 32.
    #expect(
        PublicKey("HelloWorld" + String(repeating: "0", count: 30))?.bytes.prefix(8) == [
            0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B,
        ])
}

@Test(arguments: ["", "short", String(repeating: "#", count: 40), String(repeating: "\"", count: 40)])
func `what is no key is not read as one`(text: String) {
    #expect(PublicKey(text) == nil && SecretKey(text) == nil)
}

@Test func `a secret key is shown by nothing that shows values`() throws {
    let pair = try KeyPair()
    let credentials = Credentials(pair: pair, servers: [pair.publicKey])
    let access = Access(server: pair, credentials: credentials)
    var dumped = ""
    dump(access, to: &dumped)
    for text in [
        "\(pair)", "\(pair.secretKey)", String(reflecting: access), "\(Security.curveClient(credentials))", dumped,
    ] {
        #expect(!text.contains(pair.secretKey.revealed()))
        #expect(!text.contains(pair.secretKey.bytes.map { "\($0)" }.joined(separator: ", ")))
    }
}

@Test func `a doorkeeper refuses questions that are not what libzmq asks`() throws {
    let key = try KeyPair().publicKey
    let door = Door([key: Guest(name: "a", role: .reader)])
    let question = ["1.0", "7", "reader", "192.0.2.1", "", "CURVE"].map { Array($0.utf8) } + [key.bytes]
    func status(_ question: [[UInt8]]) -> String {
        String(decoding: Doorkeeper.answer(to: question, door)[2], as: UTF8.self)
    }
    #expect(status(question) == "200")
    #expect(Doorkeeper.answer(to: question, door)[1] == Array("7".utf8))
    for number in question.indices {
        var cut = question
        cut.remove(at: number)
        #expect(status(cut) == "400")
    }
    for (place, text) in [(2, ""), (2, "producer"), (2, "Reader"), (5, "PLAIN"), (5, "NULL"), (6, "short")] {
        var wrong = question
        wrong[place] = Array(text.utf8)
        #expect(status(wrong) == "400")
    }
}
