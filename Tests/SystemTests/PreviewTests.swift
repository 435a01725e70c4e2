import Foundation
import TestSupport
import Testing

@Test(.waits)
func `what is written is seen as it will stand when it is posted, on every screen, by who may post it`() throws {
    let folder = try TemporaryFolder()
    let tokens = folder.file("tokens")
    #expect(try run(["token", "keys", "make", "--keys", tokens]).code == 0)
    func token(_ words: String...) throws -> String {
        try run(["token", "make", "--keys", tokens, "--conversation", "c"] + words).output.trimmingCharacters(
            in: .whitespacesAndNewlines)
    }
    try "{ http: { tokens: '\(tokens)' } }".write(
        toFile: folder.file("forme.json5"), atomically: true, encoding: .utf8)
    let port = try Ports.five()
    let service = try Command([
        "serve", "--data", folder.path, "--workers", "1", "--config", folder.file("forme.json5"), "--http",
        "127.0.0.1:\(port)",
    ])
    try waitUntil { try curl(port, "/readyz?for=posts").status == 200 }
    let reading = try token("--read", "--subject", "ada")
    let person = try token("--read", "--write", "--subject", "ada")
    let backend = try token("--read", "--write", "--backend")
    func ask(_ path: String, _ token: String, _ body: String? = nil) throws -> (status: Int, body: String) {
        let sent = body.map { ["-d", $0, "-H", "Content-Type: application/json"] } ?? []
        return try curl(port, "/v1/conversations/c\(path)", ["-H", "Authorization: Bearer \(token)"] + sent)
    }
    func row(_ text: String, _ word: String) throws -> NSMutableDictionary {
        let told = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let body = try #require(told[word] as? [String: Any], "\(text.prefix(200))")
        let row = try #require(body["row"] as? [String: Any] ?? (body["rows"] as? [[String: Any]])?.last)
        let copy = NSMutableDictionary(dictionary: row)
        // Nobody can know the number of a row before the message is posted.
        copy.removeObject(forKey: "row")
        return copy
    }
    let first = #"{"conversation":"c","message":"m0","order":0,"sender":"ben","time":1700000000000,"text":"Hi"}"#
    #expect(try ask("/events", backend, first).status == 200)
    try waitUntil { try ask("/window?target=390@3", reading).body.contains(#""message":"m0""#) }

    // One screen of the style, and one that nobody foresaw.
    let screens = ["390@3", "347@2.5"]
    let page = try String(contentsOf: Project.file("Sources/Wire/Wire.docc/Kinds.md"), encoding: .utf8)
    let bodies = page.components(separatedBy: "```json\n").dropFirst().map {
        $0.components(separatedBy: "\n```")[0].replacing("\n", with: " ")
    }
    for (number, body) in bodies.enumerated() {
        let draft =
            #""message":"m\#(number + 1)","order":\#(number + 1),"sender":"ada","time":1700000060000,"body":\#(body)}"#
        let previews = try screens.map { try ask("/preview?target=\($0)&with=body&as=ada", backend, "{" + draft) }
        #expect(previews.map(\.status) == [200, 200], "\(previews)")
        #expect(try ask("/events", backend, #"{"conversation":"c","# + draft).status == 200)
        for (screen, preview) in zip(screens, previews) {
            let window = "/window?target=\(screen)&with=body&as=ada&count=1"
            try waitUntil { try ask(window, backend).body.contains(#""message":"m\#(number + 1)""#) }
            #expect(try row(preview.body, "preview") == row(ask(window, backend).body, "window"), "\(body)")
        }
    }

    let own = try ask("/preview?target=390@3", person, #"{"text":"See you at nine"}"#)
    #expect(own.status == 200 && own.body.contains(#""variant":"own""#))
    #expect(try ask("/preview?target=390@3", reading, #"{"text":"See you at nine"}"#).status == 403)
    #expect(try ask("/events", reading, first).status == 403)
    let ordered = try ask("/preview?target=390@3", person, #"{"text":"x","order":1}"#)
    #expect(ordered.status == 400 && ordered.body.contains("order: is for backends"))
    let wrong = try ask("/preview?target=390@3", person, #"{"body":{"kind":"photo","photo":{"width":"wide"}}}"#)
    #expect(wrong.status == 400 && wrong.body.contains(#""detail":"body: "#))

    // In a stream, as clients have it.
    func fetch(_ name: String, _ token: String, _ draft: String) throws -> (code: Int32, output: String) {
        try token.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        let said = try run([
            "fetch", "c", "--http", "http://127.0.0.1:\(port)", "--token", folder.file(name), "--draft", draft,
        ])
        return (said.code, said.output + said.errors)
    }
    let told = try fetch("person", person, "See you at nine")
    #expect(told.code == 0 && told.output.contains("draft") && told.output.contains("own"), "\(told)")
    #expect(try fetch("reading", reading, "See you at nine").code != 0)
    let refused = try fetch("person", person, #"{"text":"x","status":"read"}"#)
    #expect(refused.code != 0 && refused.output.contains("status: is for backends"), "\(refused)")
    // Nothing of all this was posted.
    #expect(try ask("/window?target=390@3", reading).body.contains("See you at nine") == false)

    // A running gateway takes up the limits of drafts.
    try "{ http: { tokens: '\(tokens)' }, limits: { textBytes: 10 } }".write(
        toFile: folder.file("forme.json5"), atomically: true, encoding: .utf8)
    kill(service.process.processIdentifier, SIGHUP)
    try waitUntil {
        let long = try ask("/preview?target=390@3", person, #"{"text":"See you at nine"}"#)
        return long.status == 400 && long.body.contains("body: expected texts of at most 10 bytes")
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
