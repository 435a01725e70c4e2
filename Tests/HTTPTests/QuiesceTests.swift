import HTTP
import Testing

@Test func `a server that stops finishes what is under way, and nothing else`() throws {
    let stage = try Stage(answer: { request in
        request.target.segments == ["stream"] ? .stream(Response(200)) : .later
    })
    let idle = try stage.client()
    try idle.send(head("GET", "/"))
    try stage.until { stage.requests.count == 1 }
    stage.server.answer(stage.requests[0].id, Response(200))
    _ = try idle.reply()

    let busy = try stage.client()
    try busy.send(head("GET", "/"))
    let reader = try stage.client()
    try reader.send(head("GET", "/stream"))
    try stage.until { stage.requests.count == 3 }
    #expect(stage.server.load.connections == 3)

    stage.server.quiesce()
    try idle.waitForClose()
    try reader.waitForBytes("0\r\n\r\n")
    #expect(throws: (any Error).self) { try stage.client() }
    #expect(!busy.isClosed)
    stage.server.answer(
        stage.requests.first { $0.target.segments.isEmpty && $0.id > stage.requests[0].id }!.id, Response(200))
    let reply = try busy.reply()
    #expect(reply.status == 200 && reply["Connection"] == "close")
    try stage.until { stage.server.isQuiet }
}

@Test(arguments: [true, false])
func `a stream that is answered about when the server stops has what it begins with, and ends`(isBefore: Bool) throws {
    let stage = try Stage(answer: { _ in .later })
    let reader = try stage.client()
    try reader.send(head("GET", "/"))
    try stage.until { stage.requests.count == 1 }
    if !isBefore { stage.server.quiesce() }
    let isThere = stage.server.stream(stage.requests[0].id, Response(200, "text/plain", Array("hello".utf8)))
    #expect(isThere)
    if isBefore { stage.server.quiesce() }
    try reader.waitForBytes("hello\r\n0\r\n\r\n")
    try stage.until { stage.server.isQuiet }
}
