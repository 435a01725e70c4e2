import HTTP
import TestSupport
import Testing

@testable import struct HTTP.StreamBuffer
@testable import class HTTP.UnreadPieces

private let head200 = Response(200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"])

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Test func `a stream arrives piece by piece, as it is sent`() throws {
    let stage = try Stage(answer: { _ in
        var head = head200
        head.body = .bytes(bytes(": welcome\n\n"))
        return .stream(head)
    })
    let client = try stage.client()
    try client.send(head("GET", "/"))
    try client.waitForBytes(": welcome\n\n")
    for number in 1...3 {
        #expect(stage.server.send(stage.requests[0].id, bytes("data: \(number)\n\n")) == .done)
        try client.waitForBytes("data: \(number)\n\n")
    }
    #expect(!client.isClosed)
    stage.server.end(stage.requests[0].id)
    try client.waitForBytes("0\r\n\r\n")
    #expect(stage.ended == [stage.requests[0].id])
    #expect(stage.server.send(stage.requests[0].id, [1]) == .gone)
}

@Test func `a stream may be opened later`() throws {
    let stage = try Stage(answer: { _ in .later })
    let client = try stage.client()
    try client.send(head("GET", "/"))
    try stage.until { stage.requests.count == 1 }
    let isThere = stage.server.stream(stage.requests[0].id, head200)
    #expect(isThere)
    #expect(stage.server.send(stage.requests[0].id, bytes("data: early\n\n")) == .done)
    try client.waitForBytes("data: early\n\n")
    #expect(stage.server.load.waiting == 0)
}

@Test func `what a stream begins with comes before what is sent to it, and its end after both`() throws {
    let stage = try Stage(answer: { _ in .later })
    let client = try stage.client()
    try client.send(head("GET", "/"))
    try stage.until { stage.requests.count == 1 }
    var head = head200
    head.body = .bytes(bytes(": welcome\n\n"))
    let isThere = stage.server.stream(stage.requests[0].id, head)
    #expect(isThere)
    #expect(stage.server.send(stage.requests[0].id, bytes("data: early\n\n")) == .done)
    stage.server.end(stage.requests[0].id)
    try client.waitForBytes("0\r\n\r\n")
    let answer = String(decoding: client.received, as: UTF8.self)
    let welcome = try #require(answer.firstRange(of: ": welcome"))
    let early = try #require(answer.firstRange(of: "data: early"))
    #expect(welcome.upperBound <= early.lowerBound)
}

@Test func `what a stream begins with may be larger than what may wait for its reader`() throws {
    let stage = try Stage {
        $0.backlog = 1000
    } answer: { _ in
        var head = head200
        head.body = .bytes([UInt8](repeating: UInt8(ascii: "w"), count: 5000) + bytes("\n\n"))
        return .stream(head)
    }
    let client = try stage.client()
    try client.send(head("GET", "/"))
    try client.waitForBytes("www\n\n")
    #expect(stage.server.send(stage.requests[0].id, bytes("data: first\n\n")) == .done)
    try client.waitForBytes("data: first\n\n")
    // A later piece may be larger, too, where its reader has taken all before.
    let long = [UInt8](repeating: UInt8(ascii: "l"), count: 5000) + bytes("\n\n")
    #expect(stage.server.send(stage.requests[0].id, long) == .done)
    try client.waitForBytes("lll\n\n")
}

@Test func `a reader that falls behind is dropped, and others are not`() throws {
    let stage = try Stage {
        $0.backlog = 100_000
    } answer: { _ in
        .stream(head200)
    }
    let slow = try RawClient(port: stage.server.port, receiving: 4096, on: stage)
    try slow.send(head("GET", "/"))
    let quick = try stage.client()
    try quick.send(head("GET", "/"))
    try stage.until { stage.requests.count == 2 }
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
    var sent = 0
    var last = Sent.done
    while last == .done, sent < 1000 {
        last = stage.server.send(stage.requests[0].id, piece)
        #expect(stage.server.send(stage.requests[1].id, piece) == .done)
        sent += 1
        try stage.until {
            quick.read()
            return quick.received.count { $0 == UInt8(ascii: "x") } >= sent * piece.count
        }
    }
    #expect(last == .slow)
    #expect(sent > 10 && sent < 100)
    #expect(stage.server.send(stage.requests[0].id, piece) == .gone)
    try stage.until { stage.ended == [stage.requests[0].id] }
    #expect(stage.server.send(stage.requests[1].id, bytes("data: still here\n\n")) == .done)
    try quick.waitForBytes("still here")
}

/// A piece with bytes of its own in memory.
private func piece(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "x"), count: count) }

extension Stage {
    /// Readers of streams that read nothing.
    fileprivate func idleStreams(_ count: Int) throws -> [RawClient] {
        let readers = try (0..<count).map { _ in
            let reader = try RawClient(port: server.port, receiving: 4096, on: self)
            try reader.send(head("GET", "/"))
            return reader
        }
        try until { requests.count == count }
        return readers
    }
}

@Test func `what readers leave unread has one limit together, and the stream that has most of it ends`() throws {
    let stage = try Stage {
        ($0.backlog, $0.backlogs) = (8 << 20, 8 << 20)
    } answer: { _ in
        .stream(head200)
    }
    let readers = try stage.idleStreams(3)
    let streams = stage.requests.map(\.id)
    #expect(stage.server.send(streams[0], piece(5 << 20)) == .done)
    #expect(stage.server.send(streams[1], piece(2 << 20)) == .done)
    #expect(stage.server.send(streams[2], bytes("data: here\n\n")) == .done)
    stage.turn()
    #expect(stage.ended.isEmpty)
    #expect(stage.server.send(streams[1], piece(2 << 20)) == .done)
    #expect(stage.server.send(streams[0], bytes("data: more\n\n")) == .gone)
    try stage.until { stage.ended == [streams[0]] }
    // The one that is told something may be the one that has most.
    #expect(stage.server.send(streams[2], piece(6 << 20)) == .slow)
    #expect(stage.server.send(streams[1], bytes("data: still here\n\n")) == .done)
    #expect(readers.count == 3)
}

@Test func `what a stream begins with counts, too`() throws {
    let stage = try Stage {
        $0.backlogs = 8 << 20
    } answer: { _ in
        var head = head200
        head.body = .bytes(piece(3 << 20))
        return .stream(head)
    }
    let readers = try stage.idleStreams(3)
    try stage.until { stage.ended.count == 1 }
    for request in stage.requests where request.id != stage.ended[0] {
        #expect(stage.server.send(request.id, bytes("data: still here\n\n")) == .done)
    }
    #expect(readers.count == 3)
}

@Test func `a piece that several streams are sent counts once`() throws {
    let stage = try Stage {
        ($0.backlog, $0.backlogs) = (8 << 20, 8 << 20)
    } answer: { _ in
        .stream(head200)
    }
    let readers = try stage.idleStreams(4)
    let (streams, common) = (stage.requests.map(\.id), piece(6 << 20))
    for stream in streams { #expect(stage.server.send(stream, common) == .done) }
    stage.turn()
    #expect(stage.ended.isEmpty)
    // The share of each is a quarter, so the one that is told more has most.
    #expect(stage.server.send(streams[0], piece(3 << 20)) == .slow)
    for stream in streams.dropFirst() {
        #expect(stage.server.send(stream, bytes("data: still here\n\n")) == .done)
    }
    #expect(readers.count == 4)
}

@Test func `a reader that has gone is noticed by speaking to it`() throws {
    let stage = try Stage(answer: { _ in .stream(head200) })
    do {
        let client = try stage.client()
        try client.send(head("GET", "/"))
        try stage.until { stage.requests.count == 1 }
        try client.waitForBytes("200")
    }
    try stage.until {
        stage.server.send(stage.requests[0].id, bytes(":\n\n")) == .gone
    }
    #expect(stage.server.load.connections == 0)
}

@Test func `hundreds of readers are sent the same bytes`() throws {
    let stage = try Stage {
        $0.connections = 400
        $0.connectionsPerAddress = 400
    } answer: { _ in
        .stream(head200)
    }
    let clients = try (0..<400).map { _ in
        let client = try stage.client()
        try client.send(head("GET", "/"))
        return client
    }
    try stage.until { stage.requests.count == clients.count }
    for number in 1...3 {
        let piece = bytes("data: \(number)\n\n")
        for request in stage.requests { #expect(stage.server.send(request.id, piece) == .done) }
    }
    for client in clients { try client.waitForBytes("data: 3\n\n") }
}

@Test func `what goes into a buffer comes out of it, in order, within its limit`() {
    forEachSeed(200) { random in
        var buffer = StreamBuffer(limit: 1000)
        var kept: [UInt8] = []
        var ends: [Int] = []
        var moved: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 300)
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                let piece = (0..<Int.random(in: 0...(.random(using: &random) ? 200 : 1200), using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                // Behind the piece that is on its way.
                let behind = ends.first { $0 > moved.count }.map { kept.count - $0 }
                let fits = behind.map { $0 + piece.count <= 1000 } ?? true
                guard buffer.append(piece) == fits else { return false }
                guard fits else { continue }
                kept += piece
                ends.append(kept.count)
            } else {
                let length = Int.random(in: 0...300, using: &random)
                let count = unsafe room.withUnsafeMutableBytes {
                    unsafe buffer.move(to: UnsafeMutableRawBufferPointer(rebasing: $0[..<length]))
                }
                guard count == min(length, kept.count - moved.count) else { return false }
                moved += room[..<count]
            }
            guard buffer.count == kept.count - moved.count, buffer.isEmpty == (buffer.count == 0) else { return false }
        }
        return kept.starts(with: moved)
    }
}

@Test func `a long piece that several buffers hold counts once, and a short one for each`() {
    let unread = UnreadPieces()
    var buffers = (0..<2).map { _ in StreamBuffer(limit: 1 << 20, in: unread) }
    let (long, short) = (piece(5000), piece(100))
    for place in buffers.indices {
        let isKept = buffers[place].append(long) && buffers[place].append(short)
        #expect(isKept)
    }
    #expect(unread.bytes == 5200 && buffers.map(\.share) == [2600, 2600])
    var room = [UInt8](repeating: 0, count: 5000)
    let moved = unsafe room.withUnsafeMutableBytes { unsafe buffers[0].move(to: $0) }
    #expect(moved == 5000 && unread.bytes == 5200 && buffers.map(\.share) == [100, 5100])
    buffers[1].removeAll()
    #expect(unread.bytes == 100)
    buffers[0].removeAll()
    #expect(unread.bytes == 0)
}

@Test func `a reader who goes is noticed while nothing is said`() throws {
    let stage = try Stage(answer: { _ in .stream(Response(200)) })
    do {
        let client = try stage.client()
        try client.send(head("GET", "/"))
        try client.waitForBytes("200 OK")
        try stage.until { stage.server.rest > .zero }
    }
    try stage.until { stage.ended.count == 1 }
    #expect(stage.server.load.held == 0)
}
