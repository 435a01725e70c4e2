import HTTP
import Testing

@Test func `a request is answered, with its length, a date and its type`() throws {
    let reply = try Stage().get("/")
    #expect(reply.status == 200 && reply.text == "hello")
    #expect(reply["Content-Length"] == "5")
    #expect(reply["Content-Type"] == "text/plain")
    #expect(reply["Date"]?.hasSuffix("GMT") == true)
}

@Test func `a request comes as a value with all that it says`() throws {
    let stage = try Stage()
    let body = String(repeating: "x", count: 100_000)
    let fields = ["X-Kind": "  some thing ", "Content-Length": "\(body.utf8.count)"]
    _ = try stage.reply(to: head("POST", "/v1/a%2Fb/%E2%82%AC?q=1+2&r=%26", fields) + body)
    let request = try #require(stage.requests.first)
    #expect(request.method == .post)
    #expect(request.target.segments == ["v1", "a/b", "€"])
    #expect(request.target.value("q") == "1 2" && request.target.value("r") == "&")
    #expect(request.headers["x-kind"] == "some thing")
    #expect(request.body == Array(body.utf8))
}

@Test func `requests that come in one packet are answered in order, on one connection`() throws {
    let stage = try Stage {
        $0.patience = .seconds(30)
    } answer: { request in
        .response(Response(200, "text/plain", Array(request.target.segments[0].utf8)))
    }
    let client = try stage.client()
    try client.send(["a", "b", "c"].map { head("GET", "/\($0)") }.joined())
    for letter in ["a", "b", "c"] { #expect(try client.reply().text == letter) }
    try client.send(head("GET", "/d"))
    #expect(try client.reply().text == "d")
    #expect(stage.server.load.connections == 1)
}

@Test func `a client that has finished sending still gets its answer`() throws {
    let stage = try Stage()
    let client = try stage.client()
    try client.send(head("GET", "/"))
    client.finishSending()
    #expect(try client.reply().text == "hello")
    try client.waitForClose()
}

@Test func `HEAD is told the length of what GET would send`() throws {
    let stage = try Stage()
    let client = try stage.client()
    try client.send(head("HEAD", "/") + head("GET", "/"))
    #expect(try client.reply(toHead: true)["Content-Length"] == "5")
    #expect(try client.reply().text == "hello")
}

@Test func `what is put off is answered later, whatever the order`() throws {
    let stage = try Stage(answer: { _ in .later })
    let clients = try (0..<3).map { _ in try stage.client() }
    for (number, client) in clients.enumerated() { try client.send(head("GET", "/\(number)")) }
    try stage.until { stage.requests.count == 3 }
    #expect(stage.server.load.waiting == 3)
    for request in stage.requests.reversed() {
        stage.server.answer(request.id, Response(200, "text/plain", Array(request.target.segments[0].utf8)))
    }
    for (number, client) in clients.enumerated() { #expect(try client.reply().text == "\(number)") }
    #expect(stage.server.load.waiting == 0)
}

@Test func `a server that was told something has its next turn at once`() throws {
    let stage = try Stage(answer: { $0.target.segments == ["s"] ? .stream(Response(200)) : .later })
    let clients = try [stage.client(), stage.client()]
    for (client, path) in zip(clients, ["/", "/s"]) { try client.send(head("GET", path)) }
    try stage.until { stage.requests.count == 2 }
    func isDue() -> Bool { stage.server.rest == .zero }
    // The stream's head leaves in one turn, and in the next it is found that there is nothing behind it yet.
    try stage.until { !isDue() }
    for request in stage.requests {
        if request.target.segments == ["s"] {
            _ = stage.server.send(request.id, [1])
        } else {
            stage.server.answer(request.id, Response(200))
        }
        #expect(isDue())
        try stage.until { !isDue() }
    }
}

@Test func `an answer to somebody who has gone is dropped`() throws {
    let stage = try Stage(answer: { _ in .later })
    do {
        let client = try stage.client()
        try client.send(head("GET", "/"))
        try stage.until { stage.requests.count == 1 }
    }
    stage.server.answer(stage.requests[0].id, Response(200))
    stage.server.answer(stage.requests[0].id, Response(200))
    try stage.until { stage.server.load.connections == 0 }
    #expect(stage.server.load.waiting == 0)
}

@Test func `a server can be let go with everything still open`() throws {
    let stage = try Stage(answer: { $0.target.segments == ["s"] ? .stream(Response(200)) : .later })
    let clients = try (0..<4).map { _ in try stage.client() }
    for (client, path) in zip(clients, ["/s", "/s", "/x", "/x"]) { try client.send(head("GET", path)) }
    try stage.until { stage.requests.count == 4 }
}

@Test func `a large answer arrives whole`() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let stage = try Stage(answer: { _ in .response(Response(200, "application/octet-stream", bytes)) })
    #expect(try stage.get("/").body == bytes)
}

@Test func `an HTTP 1.0 client is answered, and let go`() throws {
    let stage = try Stage()
    let client = try stage.client()
    try client.send("GET / HTTP/1.0\r\n\r\n")
    #expect(try client.reply().text == "hello")
    try client.waitForClose()
}
