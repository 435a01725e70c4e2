import HTTP
import TestSupport
import Testing

/// Heads about which two programs could disagree, and so about where the next request begins.
@Test(arguments: [
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\n Content-Length: 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-: 5\r\n Length\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Enc: chunked\r\n oding\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\nHost: a\n\n",
    "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: y\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: y␀z\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX␀: y\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: y\rZ: w\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX(: y\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
    "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /  HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
    "GET\r\n\r\n",
    "GET /\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n␀X: y\r\nContent-Length: 5\r\n\r\nhello",
])
func `a head that can be read in two ways is refused, and nothing behind it is read`(text: String) throws {
    let stage = try Stage()
    let client = try stage.client()
    try client.send(text.replacing("␀", with: "\0") + head("GET", "/smuggled"))
    client.finishSending()
    try client.waitForClose()
    let answer = String(decoding: client.received, as: UTF8.self)
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400") || answer.hasPrefix("HTTP/1.0 400"), "\(answer)")
    #expect(stage.requests.isEmpty)
}

@Test(arguments: ["chunked", "Chunked", "gzip, chunked", "identity", "xchunked"])
func `a body comes with its length or not at all`(coding: String) throws {
    for other in ["", "Content-Length: 5\r\n"] {
        let stage = try Stage()
        let client = try stage.client()
        try client.send(
            "POST / HTTP/1.1\r\nHost: a\r\n\(other)Transfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n"
                + head("GET", "/smuggled"))
        #expect(try client.reply().status == 411)
        try client.waitForClose()
        #expect(stage.requests.isEmpty)
    }
}

@Test(arguments: [
    "/%", "/%4", "/%zz", "/%ff", "/%c0%af", "/%00", "/a%0Ab", "/%7F", "/?a=%", "/?%=1", "nothing", "http:///x",
])
func `a target that does not decode is refused`(target: String) throws {
    #expect(try Stage().get(target).status == 400)
}

@Test func `a head that comes byte by byte is as good as one that comes at once`() throws {
    let stage = try Stage()
    let client = try stage.client()
    let text = head("POST", "/a?b=c", ["Content-Length": "3", "X": String(repeating: "y", count: 3000)]) + "abc"
    for byte in text.utf8 {
        try client.send([byte])
        stage.turn()
    }
    #expect(try client.reply().text == "hello")
    #expect(stage.requests.first?.body == Array("abc".utf8))
}

@Test func `any bytes are answered or refused, and leave the server well`() throws {
    let stage = try Stage { $0.patience = .seconds(1) }
    var random = SplitMix64(seed: 7)
    let seeds = [
        head("POST", "/v1/a?b=c", ["Content-Length": "3", "Accept-Encoding": "gzip", "Range": "bytes=0-1"]) + "abc",
        head("GET", "/"), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}",
    ]
    for _ in 0..<400 {
        var bytes = Array(seeds.randomElement(using: &random)!.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert([0x0D, 0x0A, 0x20, 0x3A, 0].randomElement(using: &random)!, at: place)
            default: bytes.removeLast(bytes.count - place)
            }
        }
        let client = try stage.client()
        try client.send(bytes)
        client.finishSending()
        try client.waitForClose()
    }
    #expect(try stage.get("/").text == "hello")
}

/// Heads that are refused, by this module or by libmicrohttpd.
private let refusedHeads: [String] =
    [
        "", "Host: a\r\nHost: b\r\n", "Host: a\r\nHost: a\r\n", "Host: a\r\nX: y\r\n folded\r\n",
        "Host: a\r\nX: y\r\n\tfolded\r\n", "Host: a\r\nX: y\rZ: w\r\n", "Host: a\rX: y\r\n", "Host: a\nX: y\r\n",
        "Host: a\r\nX: y␀z\r\n", "Host: a␀b\r\n", "Host: a\r\nX␀: y\r\n", "Host: a\r\nX : y\r\n",
        "Host: a\r\n: y\r\n", "Host: a\r\nX y\r\n", "Host: a\r\nX: \u{7F}\r\n",
    ]
    + [
        "+2", "-1", "-0", "0x5", "2,2", "2, 2", "2 2", "2;", "2.0", "1e3", " ", "two", "٢", "99999999999999999999999",
        "18446744073709551616", "18446744073709551615", "9223372036854775808", "1048577", "2\r\nContent-Length: 2",
        "2\r\nContent-Length: 3", "2\r\nContent-Length: -3", "-2\r\nContent-Length: 2", "2␀", "\r\n 2",
    ].map { "Host: a\r\nContent-Length: \($0)\r\n" }
    + ["x", "chunked", "chunked, chunked", "gzip, chunked", "identity", "", "chunked\r\nTransfer-Encoding: x"].flatMap {
        ["Host: a\r\nTransfer-Encoding: \($0)\r\n", "Host: a\r\nContent-Length: -2\r\nTransfer-Encoding: \($0)\r\n"]
    }

@Test(arguments: refusedHeads)
func `a refusal has one head and the body that it says, and ends the connection`(fields: String) throws {
    for method in ["POST", "GET"] {
        let stage = try Stage()
        let client = try stage.client()
        let text = "\(method) / HTTP/1.1\r\n\(fields)\r\n".replacing("␀", with: "\0")
        try client.send(text + "hi" + head("GET", "/smuggled"))
        try client.waitForClose()
        #expect(stage.requests.isEmpty)
        let answer = String(decoding: client.received, as: UTF8.self)
        #expect(answer.matches(of: /HTTP\/1/).count == 1, "\(answer)")
        let reply = try client.reply()
        #expect([400, 411, 413].contains(reply.status) && reply["Connection"]?.lowercased() == "close", "\(answer)")
        #expect(client.received.isEmpty, "\(answer)")
    }
}

@Test func `a length that cannot be read is refused, and nobody else`() throws {
    let stage = try Stage()
    let others = try (0..<3).map { _ in try stage.client() }
    try others[0].send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n")
    try others[1].send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nh")
    try others[2].send(head("GET", "/"))
    #expect(try others[2].reply().status == 200)
    let wrong = try stage.client()
    for part in ["POST / HTTP/1.1\r\nHo", "st: a\r\nContent-Length: +", "2\r\n", "\r\n"] {
        try wrong.send(part)
        stage.turn()
    }
    #expect(try wrong.reply().status == 400)
    try wrong.waitForClose()
    try others[0].send("\r\nhi")
    try others[1].send("i")
    try others[2].send(head("GET", "/"))
    for other in others { #expect(try other.reply().status == 200) }
}
