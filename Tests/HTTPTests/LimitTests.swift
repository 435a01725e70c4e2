import Glibc
import HTTP
import TestSupport
import Testing

@Test func `a head that is too large is refused, and one below the limit is not`() throws {
    let stage = try Stage { $0.head = 8 << 10 }
    #expect(try stage.get("/", ["X": String(repeating: "y", count: 8 << 10)]).status == 200)
    #expect(try stage.get("/", ["X": String(repeating: "y", count: 20 << 10)]).status == 431)
    #expect(try stage.get("/" + String(repeating: "y", count: 20 << 10)).status == 414)
}

@Test func `a body that will be too large is refused before it is sent`() throws {
    let stage = try Stage { $0.body = 1000 }
    let client = try stage.client()
    try client.send(head("POST", "/", ["Content-Length": "1001", "Expect": "100-continue"]))
    let refusal = try client.reply()
    #expect(refusal.status == 413 && refusal.text.contains("a body has at most 1000 bytes here"), "\(refusal.text)")
    try client.waitForClose()
    #expect(try stage.reply(to: head("POST", "/", ["Content-Length": "99999999999999999999999"])).status == 413)
    let whole = head("POST", "/", ["Content-Length": "1000"]) + String(repeating: "x", count: 1000)
    #expect(try stage.reply(to: whole).status == 200)
    #expect(stage.requests.count == 1)
}

@Test func `a client that waits to be told to go on is told`() throws {
    let stage = try Stage()
    let client = try stage.client()
    try client.send(head("POST", "/", ["Content-Length": "3", "Expect": "100-continue"]))
    #expect(try client.reply().status == 100)
    try client.send("abc")
    #expect(try client.reply().status == 200)
}

@Test(arguments: ["", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"])
func `a request that drips is cut off, though it never stops`(start: String) throws {
    let stage = try Stage { $0.patience = .seconds(1) }
    let client = try stage.client()
    try client.send(start)
    let began = ContinuousClock.now
    var drops = 0
    try stage.until {
        client.read()
        // A drop every tenth of a second or so, each of which would make the daemon's own clock start again.
        if !client.isClosed, ContinuousClock.now - began > .milliseconds(100 * drops),
            start.hasPrefix("GET") || drops < 8
        {
            drops += 1
            client.drip(start.isEmpty ? "\r\n" : start.hasPrefix("GET") ? "X: y\r\n" : "x")
        }
        return client.isClosed
    }
    #expect(ContinuousClock.now - began < .seconds(10))
    #expect(client.isClosed && stage.requests.isEmpty)
    #expect(try stage.get("/").status == 200)
}

@Test func `a connection that does nothing is closed`() throws {
    let stage = try Stage { $0.patience = .seconds(1) }
    let client = try stage.client()
    try client.send(head("GET", "/"))
    _ = try client.reply()
    try client.waitForClose()
}

@Test func `one address may not have all connections`() throws {
    let stage = try Stage { $0.connectionsPerAddress = 3 }
    let clients = try (0..<3).map { _ in try stage.client() }
    for client in clients {
        try client.send(head("GET", "/"))
        #expect(try client.reply().status == 200)
    }
    let fourth = try stage.client()
    try fourth.waitForClose()
    try clients[0].send(head("GET", "/"))
    #expect(try clients[0].reply().status == 200)
}

@Test func `when there are too many connections, the one that has waited longest goes, and the new one is answered`()
    throws
{
    let stage = try Stage { $0.connections = 3 }
    let clients = try (0..<3).map { _ in try stage.client() }
    for client in clients {
        try client.send(head("GET", "/"))
        #expect(try client.reply().status == 200)
    }
    // The first has just asked again, so it is the second that has waited longest.
    try clients[0].send(head("GET", "/"))
    #expect(try clients[0].reply().status == 200)
    #expect(try stage.get("/").status == 200)
    try clients[1].waitForClose()
    for client in [clients[0], clients[2]] {
        try client.send(head("GET", "/"))
        #expect(try client.reply().status == 200)
    }
}

@Test func `somebody who is known stays, and strangers go first`() throws {
    let stage = try Stage { $0.connections = 2 }
    stage.vouches = true
    let known = try stage.client()
    try known.send(head("GET", "/"))
    #expect(try known.reply().status == 200)
    stage.vouches = false
    let stranger = try stage.client()
    try stranger.send(head("GET", "/"))
    #expect(try stranger.reply().status == 200)
    #expect(try stage.get("/").status == 200)
    try stranger.waitForClose()
    try known.send(head("GET", "/"))
    #expect(try known.reply().status == 200)
}

@Test func `those who are being answered stay, and the new one goes`() throws {
    let stage = try Stage({ $0.connections = 2 }, answer: { _ in .later })
    let clients = try (0..<2).map { _ in try stage.client() }
    for client in clients { try client.send(head("GET", "/")) }
    try stage.until { stage.requests.count == 2 }
    try stage.client().waitForClose()
    for request in stage.requests { stage.server.answer(request.id, Response(200)) }
    for client in clients { #expect(try client.reply().status == 200) }
}

@Test func `silence is heard sooner before the first head than after it`() throws {
    let stage = try Stage { $0.firstHead = .seconds(1) }
    let (silent, dripping, asking) = (try stage.client(), try stage.client(), try stage.client())
    try dripping.send("GET / HT")
    try asking.send(head("GET", "/"))
    #expect(try asking.reply().status == 200)
    try silent.waitForClose()
    try dripping.waitForClose()
    try asking.send(head("GET", "/"))
    #expect(try asking.reply().status == 200)
}

@Test func `connections of one address leave room for others`() throws {
    let stage = try Stage { $0.connectionsPerAddress = 4 }
    let crowd = try (0..<40).map { _ in try stage.client() }
    try stage.until {
        for client in crowd { client.read() }
        return crowd.count { $0.isClosed } == 36
    }
    #expect(stage.server.load.connections == 4)
    let other = try stage.client(from: "127.0.0.2")
    try other.send(head("GET", "/"))
    #expect(try other.reply().status == 200)
}

@Test func `what is refused at its head is refused before its body, and before it is asked for`() throws {
    let refusal = Response.problem(401, "Unauthorized")
    let stage = try Stage(admit: { $0.target.segments == ["in"] ? .body(atMost: 10) : .refused(refusal) })
    for fields in [["Content-Length": "1000000"], ["Content-Length": "1000000", "Expect": "100-continue"]] {
        let client = try stage.client()
        try client.send(head("POST", "/out", fields))
        #expect(try client.reply().status == 401)
        try client.waitForClose()
    }
    #expect(try stage.reply(to: head("POST", "/in", ["Content-Length": "11"])).status == 413)
    #expect(stage.requests.isEmpty)
    #expect(try stage.reply(to: head("POST", "/in", ["Content-Length": "3"]) + "abc").status == 200)
    #expect(stage.requests.map(\.body) == [Array("abc".utf8)])
}

@Test(arguments: ["GET", "HEAD"])
func `a request that has no body is refused with one`(method: String) throws {
    let stage = try Stage()
    let client = try stage.client()
    try client.send(head(method, "/", ["Content-Length": "5"]) + "hello" + head("GET", "/smuggled"))
    #expect(try client.reply(toHead: method == "HEAD").status == 400)
    try client.waitForClose()
    #expect(stage.requests.isEmpty)
    #expect(try stage.get("/", ["Content-Length": "0"], method: method).status == 200)
}

@Test func `bodies that have not come whole have one budget`() throws {
    let stage = try Stage { ($0.body, $0.bodies) = (1000, 1500) }
    do {
        let slow = try stage.client()
        try slow.send(head("POST", "/", ["Content-Length": "1000"]) + "x")
        stage.turn()
        #expect(try stage.reply(to: head("POST", "/", ["Content-Length": "501"])).status == 503)
        let small = head("POST", "/", ["Content-Length": "500"]) + String(repeating: "y", count: 500)
        #expect(try stage.reply(to: small).status == 200)
        #expect(try stage.reply(to: small).status == 200)
    }
    // The client that had most of it is gone.
    try stage.until { stage.server.load.connections == 0 }
    let large = head("POST", "/", ["Content-Length": "1000"]) + String(repeating: "y", count: 1000)
    #expect(try stage.reply(to: large).status == 200)
}

/// More than kernels hold for a connection whose client does not read.
private let size = 8 << 20
private let large = Response(200, "text/plain", [UInt8](repeating: UInt8(ascii: "x"), count: size))

extension Stage {
    /// Clients that ask, and read nothing of the answers for now.
    fileprivate func idleReaders(_ count: Int) throws -> [RawClient] {
        try (0..<count).map { _ in
            let client = try client()
            let before = requests.count
            try client.send(head("GET", "/"))
            try until { requests.count > before }
            return client
        }
    }
}

@Test func `answers on their way have one budget, and the one that waits longest for its client goes`() throws {
    let stage = try Stage {
        $0.answers = 20 << 20
    } answer: { _ in
        .response(large)
    }
    let idle = try stage.idleReaders(2)
    #expect(try stage.get("/").body.count == size)
    // What was taken has left its room.
    #expect(try stage.get("/").body.count == size)
    #expect(try idle[1].reply().body.count == size)
    try idle[0].waitForClose()
    #expect(idle[0].received.count < size)
}

@Test func `an answer that many are given counts once`() throws {
    let prepared = try #require(PreparedResponse(large))
    let stage = try Stage {
        $0.answers = 20 << 20
    } answer: { request in
        request.target.segments == ["own"] ? .response(large) : .prepared(prepared)
    }
    let idle = try stage.idleReaders(4)
    #expect(try stage.get("/own").body.count == size)
    for client in idle { #expect(try client.reply().body.count == size) }
}

@Test func `every answer forbids to guess what it is`() throws {
    let prepared = try #require(PreparedResponse(Response(200, "text/plain", [])))
    let stage = try Stage(answer: { request in
        switch request.target.segments.first {
        case "prepared": .prepared(prepared)
        case "stream": .stream(Response(200))
        default: .response(Response(200, "text/plain", []))
        }
    })
    for path in ["/", "/prepared"] { #expect(try stage.get(path)["X-Content-Type-Options"] == "nosniff") }
    let client = try stage.client()
    try client.send(head("GET", "/stream"))
    try client.waitForBytes("X-Content-Type-Options: nosniff\r\n")
}

@Test func `when too many answers are awaited, more requests are told to come back`() throws {
    let stage = try Stage {
        $0.waiting = 2
    } answer: { _ in
        .later
    }
    let clients = try (0..<3).map { _ in try stage.client() }
    for client in clients[..<2] { try client.send(head("GET", "/")) }
    try stage.until { stage.server.load.waiting == 2 }
    try clients[2].send(head("GET", "/"))
    let refusal = try clients[2].reply()
    #expect(refusal.status == 503 && refusal["Retry-After"] == "1")
    stage.server.answer(stage.requests[0].id, Response(200))
    #expect(try clients[0].reply().status == 200)
}

@Test func `a port in use is told as taken`() throws {
    let stage = try Stage()
    let address = "127.0.0.1:\(stage.server.port)"
    #expect(throws: HTTPError.addressTaken(address)) { try Stage { $0.address = address } }
    #expect(try stage.get("/").status == 200)
}

@Test(arguments: [
    ("nonsense", HTTPError.badAddress("nonsense")),
    ("127.0.0.1", .badAddress("127.0.0.1")),
    ("127.0.0.1:70000", .badAddress("127.0.0.1:70000")),
    ("[::1:80", .badAddress("[::1:80")),
    ("192.0.2.1:0", .addressNotHere("192.0.2.1:0")),
])
func `an address that cannot be says why`(address: String, error: HTTPError) throws {
    #expect(throws: error) { try Stage { $0.address = address } }
    #expect("\(error)".contains("\(address)") && "\(error)".contains("; "))
}

@Test func `more connections than files is an error at the start`() throws {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let count = Int(min(limit.rlim_max, 1 << 30))
    #expect(throws: HTTPError.tooFewFiles(limit: UInt64(limit.rlim_max), needed: UInt64(count + 128))) {
        try Stage { $0.connections = count }
    }
}

@Test func `listens on IPv6, too`() throws {
    let stage = try Stage { $0.address = "[::1]:0" }
    #expect(stage.server.port > 0)
}
