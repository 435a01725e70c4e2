import Foundation
import HTTP
import Storage
import TestSupport
import Testing

@testable import Gateway

private let hash = String(repeating: "ab", count: 32)

@Test func `says whether it lives, and whether it is ready`() throws {
    let ready = try RunningFront(health: Health([.init("cache", nil), .init("posts", nil, isOnlyTold: true)]))
    #expect(try ready.curl("/livez").status == 200)
    let answer = try ready.curl("/readyz")
    #expect(answer.status == 200 && answer.head.contains("cache-control: no-store"))
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"ok"}"#)
    #expect(
        try ready.askOperators("/readyz").body == #"{"status":"ok","checks":{"cache":true,"posts":true},"reasons":{}}"#)
    let waiting = try RunningFront(health: Health([.init("cache", "nothing was ever laid out")]))
    let refused = try waiting.curl("/readyz")
    #expect(refused.status == 503 && String(decoding: refused.body, as: UTF8.self) == #"{"status":"waiting"}"#)
    #expect(try waiting.askOperators("/readyz").body.contains("nothing was ever laid out"))
    #expect(try waiting.curl("/livez").status == 200)
}

@Test func `events that are not taken are told, and readers are sent here all the same`() throws {
    let busy = Health.Check("posts", "draining", isOnlyTold: true)
    let front = try RunningFront(health: Health([.init("cache", nil), busy]))
    let answer = try front.curl("/readyz")
    #expect(answer.status == 200)
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"degraded"}"#)
    let reasoned = try front.askOperators("/readyz")
    #expect(
        reasoned.status == 200
            && reasoned.body
                == #"{"status":"degraded","checks":{"cache":true,"posts":false},"reasons":{"posts":"draining"}}"#
    )
    #expect(try front.askOperators("/readyz?for=posts").status == 503)
    #expect(try front.curl("/readyz?for=posts").status == 503)
    let unknown = try front.curl("/readyz?for=")
    #expect(unknown.status == 400 && String(decoding: unknown.body, as: UTF8.self).contains("for: '' is not posts"))
    // A slip of the pen is not taken for ready.
    for slip in ["for=post", "fro=posts", "for=posts&for=posts"] {
        let answer = try front.curl("/readyz?\(slip)")
        #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains(slip.prefix(3)))
    }
}

@Test func `partitions without an owner are told, and readers and other events are sent here all the same`() throws {
    let posts = Health.Check("posts", nil, isOnlyTold: true)
    let front = try RunningFront(health: Health([.init("cache", nil), posts, .partitions(closed: [1, 3])]))
    let answer = try front.curl("/readyz")
    #expect(answer.status == 200)
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"degraded"}"#)
    #expect(try front.curl("/readyz?for=posts").status == 200)
    let told = try front.askOperators("/readyz").body
    #expect(told.contains(#""partitions":false"#) && told.contains("no owner of the partitions 1, 3, whose events"))
    #expect(told.contains("forme cluster status"))
    let one = Health.Check.partitions(closed: [0])
    #expect(one.reason?.contains("no owner of partition 0,") ?? false)
    #expect(Health.Check.partitions(closed: []) == Health.Check("partitions", nil, isOnlyTold: true))
}

@Test func `figures are not told at the port of clients, which names the place of them`() throws {
    let front = try RunningFront()
    let answer = try front.curl("/metrics")
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(answer.status == 404 && text.contains("figures are at the port for operators: --metrics HOST:PORT"))
    #expect(!text.contains("forme_gateway_"))
    #expect(try front.askOperators("/metrics").body.contains("forme_gateway_windows 0\n"))
}

@Test func `a font is sent under its hash, whole and in parts, to be kept for ever`() throws {
    let folder = try TemporaryFolder()
    let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) })
    try bytes.write(to: URL(filePath: folder.file("a.otf")))
    let front = try RunningFront(fonts: [hash: folder.file("a.otf")])
    let whole = try front.curl("/v1/fonts/\(hash)", "-H", "Accept-Encoding: gzip")
    #expect(whole.status == 200 && whole.body == bytes)
    for field in [
        "etag: \"\(hash)\"", "immutable", "content-type: font/otf", "accept-ranges: bytes", "content-length: 200000",
    ] {
        #expect(whole.head.contains(field))
    }
    let part = try front.curl("/v1/fonts/\(hash)", "-r", "100-199")
    #expect(
        part.status == 206 && part.body == bytes[100..<200] && part.head.contains("content-range: bytes 100-199/200000")
    )
    #expect(try front.curl("/v1/fonts/\(hash)", "-H", "If-None-Match: \"\(hash)\"").status == 304)
    #expect(try front.curl("/v1/fonts/\(hash)", "-I").head.contains("content-length: 200000"))
    #expect(try front.curl("/v1/fonts/\(hash.dropLast())c").status == 404)
}

@Test func `fonts are listed in the order in which they are asked for a character`() throws {
    let fonts = [
        ServedFont(
            family: "Letters", weight: 400, hash: hash, path: "/nowhere", bytes: 7,
            characters: CharacterRanges([0x20...0x7e, 0xa0...0xa0, 0x1f600...0x1f64f]), licence: "/nowhere"),
        ServedFont(family: "Faces", isEmoji: true, index: 2, hash: hash, path: "/nowhere"),
    ]
    let list = FontFiles(fonts).list
    guard case .bytes(let bytes) = list.body else {
        Issue.record("no list")
        return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let letters =
        #"{"family":"Letters","weight":400,"italic":false,"emoji":false,"monospaced":false,"index":0,"hash":"\#(hash)","#
        + #""bytes":7,"characters":"U+20-7E,U+A0,U+1F600-1F64F","licence":"/v1/fonts/\#(hash)/licence"}"#
    let faces =
        #"{"family":"Faces","italic":false,"emoji":true,"monospaced":false,"index":2,"hash":"\#(hash)","bytes":0,"characters":""}"#
    #expect(text.hasPrefix(#"{"fonts":[\#(letters),\#(faces)],"settings":{"css":{"white-space":"pre","#))
    let front = try RunningFront(fonts: [hash: "/nowhere"])
    let answer = try front.curl("/v1/fonts")
    #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains(hash))
    #expect(try front.curl("/v1/fonts/\(hash)").status == 404)
}

@Test func `a face is sent whole until its slices are made, and then each of these under its hash`() throws {
    let place = try TemporaryFolder()
    let folder = WebfontFolder(DataFolder(place.path), plan: 1)
    var files = FontFiles([ServedFont(family: "A", index: 2, hash: hash, path: "/nowhere")], made: folder)
    let start = ContinuousClock.now
    files.refresh(at: start)
    #expect(!"\(files.list.body)".contains("slices"))
    let slice = WebfontFolder.Slice(hash: String(repeating: "7", count: 64), bytes: 3, characters: "U+20")
    try folder.keep([1, 2, 3], [slice], of: 1, for: WebfontFolder.Face(hash: hash, index: 2))
    let before = files.list
    files.refresh(at: start + .seconds(1))
    #expect(files.list == before)
    files.refresh(at: start + .seconds(3))
    guard case .bytes(let bytes) = files.list.body else { return #expect(Bool(false)) }
    #expect(
        String(decoding: bytes, as: UTF8.self).contains(
            #""slices":[{"hash":"\#(slice.hash)","bytes":3,"characters":"U+20"}]"#))
    let sent = files.response(slice.hash)
    #expect(sent.status == 200 && sent.body.count == 3 && sent.headers["Content-Type"] == "font/woff2")
    // A slice whose file was cut short is not sent.
    try Data([1]).write(to: URL(filePath: folder.file(slice.hash)))
    #expect(files.response(slice.hash) == .notFound)
}

@Test func `the licence of a font is sent beside it, where the list names one`() throws {
    let folder = try TemporaryFolder()
    try "Copyright".write(toFile: folder.file("copyright"), atomically: true, encoding: .utf8)
    let files = FontFiles([
        ServedFont(family: "A", hash: "a", path: "/nowhere", licence: folder.file("copyright")),
        ServedFont(family: "B", hash: "b", path: "/nowhere"),
        ServedFont(family: "C", hash: "c", path: "/nowhere", licence: "/nowhere"),
    ])
    #expect(files.licence("a").status == 200 && files.licence("a").body.count == 9)
    #expect(files.licence("b") == .notFound && files.licence("c") == .notFound && files.licence("d") == .notFound)
}

@Test(arguments: [[], [0...0], [0x20...0x7e, 0xa0...0xa0], [0xf...0x10, 0xff...0x100, 0xffff...0x10ffff]])
func `characters are written as a unicode-range has them, and read back`(ranges: [ClosedRange<UInt32>]) {
    #expect(CharacterRanges(CharacterRanges(ranges).text)?.ranges == ranges)
}

@Test(arguments: ["x", "U+", "U+g", "U+2-1", "U+1-2-3", "U+110000", "1-2"])
func `what is no unicode-range is not read as one`(text: String) { #expect(CharacterRanges(text) == nil) }

@Test func `a font that is replaced stays what it was, and one that is written over is not sent`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.ttf")
    try "first".write(toFile: path, atomically: true, encoding: .utf8)
    let front = try RunningFront(fonts: [hash: path])
    try "second".write(toFile: folder.file("b.ttf"), atomically: true, encoding: .utf8)
    #expect(unsafe rename(folder.file("b.ttf"), path) == 0)
    #expect(try front.curl("/v1/fonts/\(hash)").body == Data("first".utf8))
    let other = try RunningFront(fonts: [hash: path])
    try "third, and longer".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try other.curl("/v1/fonts/\(hash)").status == 404)
}

@Test func `what is not there is not there, in the form that programs read`() throws {
    let front = try RunningFront()
    for path in ["/", "/v1", "/v1/fonts/", "/v1/fonts/\(hash)", "/v1/fonts/..%2f..%2fetc%2fpasswd", "/livez/"] {
        let answer = try front.curl(path, "--path-as-is")
        #expect(answer.status == 404 && answer.head.contains("content-type: application/problem+json"))
        #expect(
            String(decoding: answer.body, as: UTF8.self) == #"{"type":"about:blank","title":"Not found","status":404}"#
                + "\n")
    }
    let refusal = try front.curl("/livez", "-X", "DELETE")
    #expect(refusal.status == 405 && refusal.head.contains("allow: get, head, options"))
    let options = try front.curl("/livez", "-X", "OPTIONS")
    #expect(options.status == 204 && options.head.contains("allow: get, head, options"))
}

@Test func `a page of another origin is let in if it is named, also to ask first`() throws {
    let front = try RunningFront(origins: ["https://chat.example"])
    let ask = ["-X", "OPTIONS", "-H", "Access-Control-Request-Method: GET", "-H"]
    let allowed = try front.curl("/livez", ask[0], ask[1], ask[2], ask[3], ask[4], "Origin: https://chat.example")
    #expect(allowed.status == 204 && allowed.head.contains("access-control-allow-origin: https://chat.example"))
    #expect(
        try front.curl("/v1/fonts/x", "-H", "Origin: https://chat.example").head.contains("access-control-allow-origin")
    )
    #expect(
        try !front.curl("/livez", "-H", "Origin: https://evil.example").head.contains("access-control-allow-origin"))
}

@Test func `the service describes itself, with every route`() throws {
    let front = try RunningFront()
    let answer = try front.curl("/v1/openapi.json", "--compressed")
    #expect(answer.status == 200)
    let described = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    let paths = try #require(described?["paths"] as? [String: Any])
    #expect(Set(paths.keys) == Set(HTTPRoute.described.map(\.template)))
}
