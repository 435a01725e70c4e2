import Foundation
import TestSupport
import Testing

@testable import HTTP

private let text = Array(String(repeating: "{\"y\": 12, \"height\": 40}, ", count: 200).utf8)

private func stage(_ response: Response) throws -> Stage {
    let compressor = Compressor()
    return try Stage(answer: { .response(response.negotiated(for: $0, compressor)) })
}

@Test func `a client that has it is told so, whatever else it has`() throws {
    var response = Response(200, "application/json", text)
    response.tag = EntityTag("abc")
    response.headers["Cache-Control"] = "no-cache"
    let stage = try stage(response)
    let first = try stage.get("/")
    #expect(first["ETag"] == "W/\"abc\"" && first.body == text)
    for list in ["W/\"abc\"", "\"abc\"", "\"x\", W/\"abc\"", "*"] {
        let again = try stage.get("/", ["If-None-Match": list])
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(again["ETag"] == "W/\"abc\"" && again["Cache-Control"] == "no-cache")
    }
    for list in ["\"abcd\"", "abc", "", "\"ab\",\"c\""] {
        #expect(try stage.get("/", ["If-None-Match": list]).status == 200)
    }
}

@Test func `what is large and text is compressed for clients that can read it`() throws {
    let stage = try stage(Response(200, "application/json", text))
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
        let reply = try stage.get("/", ["Accept-Encoding": "br, gzip"])
        #expect(reply["Content-Encoding"] == "gzip" && reply["Vary"] == "Accept-Encoding")
        #expect(reply.body.count < text.count / 5)
        #expect(try unpacked(reply.body, folder) == text)
    }
    let plain = try stage.get("/")
    #expect(plain["Content-Encoding"] == nil && plain["Vary"] == "Accept-Encoding" && plain.body == text)
}

@Test(arguments: [
    (Response(200, "application/json", Array(text.prefix(1023))), false),
    (Response(200, "font/ttf", text), false),
    (Response(404, "application/json", text), false),
    (Response(200, "text/html; charset=utf-8", text), true),
])
func `what is small, or no text, or no answer, is not compressed`(response: Response, isCompressed: Bool) throws {
    let reply = try stage(response).get("/", ["Accept-Encoding": "gzip"])
    #expect((reply["Content-Encoding"] == "gzip") == isCompressed)
}

@Test(arguments: [
    ("gzip", true), ("GZIP", true), ("br;q=1.0, gzip;q=0.8", true), ("*", true), ("x-gzip", true), ("gzip;q=0", false),
    ("gzip;q=0.000", false), ("*;q=0", false), ("*;q=1, gzip;q=0", false), ("identity", false), ("", false),
    ("gzip ; q=0.1", true), (",,;", false),
])
func `a list of codings is read as it is meant`(list: String, takes: Bool) {
    #expect(takesGzip(list) == takes)
}

private let parts: [(String, Int, String?, String?)] = [
    ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
    ("bytes=-2", 206, "89", "bytes 8-9/10"), ("bytes=5-100", 206, "56789", "bytes 5-9/10"),
    ("bytes=-100", 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", 416, nil, "bytes */10"),
    ("bytes=-0", 416, nil, "bytes */10"), ("bytes=3-2", 200, "0123456789", nil),
    ("bytes=0-1,3-4", 200, "0123456789", nil),
    ("lines=0-1", 200, "0123456789", nil), ("bytes=-", 200, "0123456789", nil),
    ("bytes=18446744073709551615-", 200, "0123456789", nil),
]

@Test(arguments: parts)
func `a part of a file is sent alone`(range: String, status: Int, body: String?, content: String?) throws {
    let folder = try TemporaryFolder()
    try "0123456789".write(toFile: folder.file("font"), atomically: true, encoding: .utf8)
    var response = Response(
        200, headers: ["Content-Type": "font/ttf"], body: .file(path: folder.file("font"), offset: 0, count: 10))
    response.tag = EntityTag("f", isStrong: true)
    let stage = try stage(response)
    let reply = try stage.get("/", ["Range": range])
    #expect(reply.status == status && reply["Content-Range"] == content)
    if let body { #expect(reply.text == body) }
    #expect(try stage.get("/", ["Range": range, "If-Range": "\"f\""]).status == status)
    #expect(try stage.get("/", ["Range": range, "If-Range": "\"g\""]).status == 200)
    let whole = try stage.get("/", ["Range": range], method: "HEAD")
    #expect(whole.status == 200 && whole["Content-Range"] == nil && whole["Content-Length"] == "10")
    #expect(whole["Accept-Ranges"] == "bytes" && whole.body.isEmpty)
}

@Test func `a file that has gone or shrunk is not found`() throws {
    let folder = try TemporaryFolder()
    try "0123".write(toFile: folder.file("font"), atomically: true, encoding: .utf8)
    for (name, count) in [("font", 5), ("nothing", 1), ("", 1)] {
        let file = Response.Body.file(path: folder.file(name), offset: 0, count: UInt64(count))
        #expect(try stage(Response(200, body: file)).get("/").status == 404)
    }
}

/// The bytes that `gzip -d` makes of these.
private func unpacked(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> [UInt8] {
    try Data(bytes).write(to: URL(filePath: folder.file("a.gz")))
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/gzip")
    process.arguments = ["-dc", folder.file("a.gz")]
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Array(text)
}
