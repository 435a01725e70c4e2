import Foundation
import HTTP
import Storage
import TestSupport
import Testing

@testable import Gateway

@Test(arguments: ["forme.js", "forme-rows.js"])
func `forme.js is sent compressed in fourteen kilobytes a part, with a tag, and by its hash for ever`(name: String)
    throws
{
    let front = try RunningFront()
    let plain = try front.curl("/v1/\(name)")
    #expect(plain.status == 200 && plain.head.contains("content-type: text/javascript"))
    #expect(plain.head.contains("cache-control: no-cache") && plain.head.contains("vary: accept-encoding"))
    let packed = try front.curl("/v1/\(name)", "-H", "Accept-Encoding: gzip")
    #expect(packed.head.contains("content-encoding: gzip") && packed.body.count <= 14 << 10)
    #expect(try front.curl("/v1/\(name)", "--compressed").body == plain.body)
    let tag = try #require(packed.head.firstMatch(of: /etag: w(\S+)/)?.output.1)
    #expect(try front.curl("/v1/\(name)", "-H", "If-None-Match: W\(tag)").status == 304)

    let file = try #require(embeddedFiles.first { $0.name == name })
    let kept = try front.curl(file.path)
    #expect(kept.body == plain.body && kept.head.contains("cache-control: public, max-age=31536000, immutable"))
    #expect(try front.curl("/v1/forme/0000000000000000.js").status == 404)
    let map = try front.curl("\(file.path).map")
    let told = try #require(try JSONSerialization.jsonObject(with: map.body) as? [String: Any])
    let sources = try #require(told["sources"] as? [String])
    #expect(told["version"] as? Int == 3 && sources.count > 5 && sources.allSatisfy { $0.hasPrefix("forme/") })
}

@Test func `pages are sent where they are wanted, and may then do nothing but speak with this gateway`() throws {
    let closed = try RunningFront()
    #expect(try closed.curl("/").status == 404)
    let front = try RunningFront(pages: .embedded)
    #expect(try closed.curl("/proof").status == 404)
    #expect(try front.curl("/proof").head.contains("default-src 'none'"))
    let page = try front.curl("/")
    #expect(page.status == 200 && page.head.contains("content-type: text/html"))
    for rule in [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
        "form-action 'none'", "require-trusted-types-for 'script'",
    ] {
        #expect(page.head.contains(rule))
    }
    let text = String(decoding: page.body, as: UTF8.self)
    let files = text.matches(of: /"(\/(?:pages|v1)\/[^"]+)"/).map { String($0.output.1) }
    #expect(files.count >= 3)
    for file in files {
        let answer = try front.curl(file)
        #expect(answer.status == 200 && answer.head.contains("immutable"), "\(file)")
        if file.hasPrefix("/pages/") { #expect(try closed.curl(file).status == 404) }
    }
}

@Test func `no page has a style or a script within itself`() {
    for file in embeddedFiles where file.name.hasSuffix(".html") {
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(!text.contains("style=") && !text.contains("<style") && !text.contains("onclick"))
        #expect(text.matches(of: /<script/).count == text.matches(of: /<script type="module" src="/).count)
    }
}

@Test func `pages from a folder are as they are there, and no path leads out of it`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("demo"), withIntermediateDirectories: true)
    try "<head></head>".write(toFile: folder.file("demo/demo.html"), atomically: true, encoding: .utf8)
    try "secret".write(toFile: folder.file("outside.js"), atomically: true, encoding: .utf8)
    let front = try RunningFront(pages: .folder(path: folder.path))
    let start = try front.curl("/")
    #expect(start.status == 302 && start.head.contains("location: /web/demo/demo.html"))
    let page = try front.curl("/web/demo/demo.html")
    #expect(page.head.contains("default-src 'none'") && String(decoding: page.body, as: UTF8.self).contains("dev.js"))
    try "let a".write(toFile: folder.file("demo/a.js"), atomically: true, encoding: .utf8)
    #expect(try front.curl("/web/demo/a.js").body == Data("let a".utf8))
    let changes = try front.curl("/web/changes").body
    let told = try JSONDecoder().decode(WorkTold.self, from: changes)
    #expect(Set(told.files.keys) == ["demo/demo.html", "demo/a.js"] && told.style.isEmpty)
    for path in [
        "/web/demo/..%2Foutside.js", "/web/../outside.js", "/web/..%2F/outside.js", "/web/demo/.hidden",
        "/web/etc/a.js",
    ] {
        #expect(try front.curl(path, "--path-as-is").status != 200, "\(path)")
    }
    #expect(try RunningFront(pages: .embedded).curl("/web/demo/a.js").status == 404)
}

private struct WorkTold: Decodable {
    let files: [String: Int]
    let style: [String]
}

@Test func `pages say what is wrong with a style only where somebody works on it`() throws {
    let front = try RunningFront(pages: .watched) {
        let stage = try WindowStage()
        try StyleFaults.write(["bubble.json5:55:29: expected a value"], in: stage.folder)
        return stage
    }
    let page = try front.curl("/")
    #expect(String(decoding: page.body, as: UTF8.self).contains("/pages/dev.js"))
    #expect(page.head.contains("default-src 'none'") && page.head.contains("require-trusted-types-for 'script'"))
    #expect(try front.curl("/pages/dev.js").head.contains("text/javascript"))
    let told = try JSONDecoder().decode(WorkTold.self, from: front.curl("/web/changes").body)
    #expect(told.files.isEmpty && told.style == ["bubble.json5:55:29: expected a value"])
    for pages in [ShownPages.none, .embedded] {
        let other = try RunningFront(pages: pages)
        #expect(try other.curl("/web/changes").status == 404 && other.curl("/pages/dev.js").status == 404)
        #expect(try !String(decoding: other.curl("/").body, as: UTF8.self).contains("dev.js"))
    }
}
