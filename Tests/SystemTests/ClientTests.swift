import FormeClient
import FormeClientZMQ
import Foundation
import TestSupport
import Testing
import Wire

private func line(_ id: String, order: Int, text: String = "Hi", revision: Int = 1) -> String {
    #"{"conversation": "c", "message": "\#(id)", "order": \#(order), "sender": "ada", "time": 1700000000000, "#
        + #""revision": \#(revision), "text": "\#(text)"}"# + "\n"
}

/// A service that speaks HTTP, and asks for tokens.
private struct Service {
    let folder: TemporaryFolder
    let port: Int
    let token: String
    let command: Command

    init() throws {
        folder = try TemporaryFolder()
        let tokens = folder.file("tokens")
        #expect(try run(["token", "keys", "make", "--keys", tokens]).code == 0)
        token = try run(["token", "make", "--keys", tokens, "--conversation", "c", "--read"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try token.write(toFile: folder.file("token"), atomically: true, encoding: .utf8)
        try "{ http: { tokens: '\(tokens)' } }".write(
            toFile: folder.file("forme.json5"), atomically: true, encoding: .utf8)
        port = try Ports.five()
        command = try Command([
            "serve", "--data", folder.path, "--workers", "1", "--config", folder.file("forme.json5"), "--http",
            "127.0.0.1:\(port)",
        ])
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

    func post(_ events: String) throws { #expect(try run(["post", "--data", folder.path], input: events).code == 0) }

    /// Waits until all rows of the conversation are there: a window opens where some are pending, too.
    func waitForRows(_ count: Int) throws {
        try waitUntil {
            try run(["fetch", "c", "--data", folder.path, "--count", "\(count)"]).output
                .split(separator: "\n").dropFirst().count == count
        }
    }

    func killGateway() throws {
        let gateway = try #require(
            children(of: command.process.processIdentifier).first { $0.command == "gateway" })
        kill(gateway.id, SIGKILL)
    }

    func stop() throws {
        command.process.terminate()
        #expect(try command.finish().code == 0)
    }
}

private let screen = Screen(width: 390, height: 844, scale: 3)

/// A window, as soon as something is laid out.
private func opened(_ client: ChatClient, around place: Place = .newest) async throws -> OpenWindow {
    let deadline = ContinuousClock.now + patience
    while true {
        do { return try await client.open("c", on: screen, as: Reader(own: "ada"), around: place) } catch {
            guard .now < deadline else { throw error }
        }
    }
}

extension OpenWindow {
    fileprivate func wait(until isSo: (Update) -> Bool) async throws -> Update {
        for try await update in updates where isSo(update) { return update }
        throw WindowError.closed
    }

    /// Asks for the place of a message until it has this rank: it may not be laid out when it is asked for first.
    fileprivate func wait(for message: String, at rank: Int) async throws {
        let deadline = ContinuousClock.now + patience
        while true {
            let found = try await position(of: message)
            if case .there(let place) = found, place.rank == rank { return }
            try #require(ContinuousClock.now < deadline, "\(found)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

@Test(.waits, arguments: ["socket", "HTTP"])
func `a client follows a conversation through edits and a gateway that is killed, and what is seen stays where it is`(
    over transport: String
) async throws {
    let service = try Service()
    try service.post(
        (1...200).map { line("m\($0)", order: $0, text: String(repeating: "word ", count: $0 % 40)) }.joined())
    let patience = Patience(answer: .seconds(60))
    let token = service.token
    let client =
        transport == "HTTP"
        ? ChatClient(HTTPTransport(service.url) { token }, patience: patience)
        : ChatClient(ZMQTransport(Endpoints(folder: service.folder.path).fetch), patience: patience)
    try service.waitForRows(200)
    let open = try await opened(client, around: .message("m100"))
    var shown = try await open.wait { $0.isWhole }.window
    var viewport = Viewport(height: screen.pixelHeight)
    viewport.show(shown)
    await open.look(viewport)
    #expect(try await open.page(.older) > 0)
    let paged = try await open.wait { $0.window.count > shown.count }.window
    viewport.follow(from: shown, to: paged)
    shown = paged
    let anchor = viewport.anchor(in: shown)
    let before = try #require(shown.y(of: anchor)) - viewport.top

    // A row above the screen, and not the first one of the window.
    let edited = try #require(shown.indices.first { shown[$0].y > shown.loaded.lowerBound }.map { shown[$0].message })
    let order = Int(edited.dropFirst()) ?? 0
    try service.post(line(edited, order: order, text: String(repeating: "longer ", count: 60), revision: 2))
    let changed = try await open.wait { !$0.changes.isEmpty }.window
    viewport.follow(from: shown, to: changed)
    shown = changed
    #expect(try #require(shown.y(of: anchor)) - viewport.top == before)
    guard case .there(let place) = try await open.position(of: "m200") else {
        Issue.record("not there")
        return
    }
    #expect(place.rank == 199)

    try service.killGateway()
    try service.post(line("m201", order: 201) + line("m0", order: 0))
    try await open.wait(for: "m201", at: 201)
    let after = await open.window
    viewport.follow(from: shown, to: after)
    #expect(try #require(after.y(of: anchor)) - viewport.top == before)
    #expect(after.indices.allSatisfy { after[$0].hasBody })
    let frames = RowFrames()
    #expect(frames.frames(of: after[after.count / 2]).contains { !$0.lines.isEmpty })
    await open.close()
    try service.stop()
}

@Test(.waits, arguments: ["socket", "HTTP"])
func `a text of more than a hundred screens comes screen by screen, and is printed whole`(
    over transport: String
) async throws {
    let service = try Service()
    let body = LongMessage.mixed.body
    try service.post(
        #"{"conversation": "c", "message": "m1", "order": 1, "sender": "ada", "time": 1700000000000, "revision": 1, "#
            + #""body": \#(body)}"# + "\n")
    let patience = Patience(answer: .seconds(60))
    let token = service.token
    let client =
        transport == "HTTP"
        ? ChatClient(HTTPTransport(service.url) { token }, patience: patience)
        : ChatClient(ZMQTransport(Endpoints(folder: service.folder.path).fetch), patience: patience)
    try service.waitForRows(1)
    let small = Screen(width: 390, height: Double(LongMessage.screen) / 3, scale: 3)
    let open = try await client.open("c", on: small, around: .message("m1"))
    let frames = RowFrames()
    func lines(_ window: Window) -> [TextLine] {
        frames.frames(of: window[0], isExpanded: true).max { $0.lines.count < $1.lines.count }?.lines ?? []
    }
    let first = try await open.wait { $0.isWhole }.window
    let whole = try await open.whole()
    let all = lines(whole)
    #expect(Array(all.prefix(lines(first).count)) == lines(first) && all.count > 2000)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.rect.top + $0.rect.height == $1.rect.top })
    #expect(whole[0].y == first[0].y && whole[0].height == first[0].height)
    await open.close()

    let words = ["fetch", "c", "--data", service.folder.path, "--screen", "\(LongMessage.screen)"]
    let json = try run(words + ["--json"]).output
    #expect(json.contains("\"expanded\":") && !json.contains("\"excerpt\":") && json.utf8.count > 50 * 2000)
    #expect(try run(words + ["--svg", "-"]).output.hasPrefix("<svg"))
    try service.stop()
}

@Test(.waits) func `windows are fetched and followed over HTTP with a token, and not without`() throws {
    let service = try Service()
    try service.post(line("a", order: 1))
    let place = ["--http", service.url.absoluteString, "--target", "390@3"]
    let known = place + ["--token", service.folder.file("token")]
    try waitUntil { try run(["fetch", "c"] + known).output.contains("a") }
    #expect(try run(["fetch", "c"] + place).code == 77)
    #expect(try run(["fetch", "d"] + known).code == 77)
    #expect(try run(["fetch", "c", "--http", "nowhere"]).code == 2)
    #expect(try run(["fetch", "c", "--token", "x"]).code == 2)
    let tail = try Command(["tail", "c", "--changes", "1"] + known)
    // It may need a while to be there.
    var order = 2
    try waitUntil {
        try service.post(line("b\(order)", order: order))
        order += 1
        return !tail.process.isRunning
    }
    if tail.process.isRunning { kill(tail.process.processIdentifier, SIGKILL) }
    let said = try tail.finish()
    #expect(said.code == 0 && said.output.contains("insert at") && said.output.contains("b"))
    try service.stop()
    #expect(try run(["fetch", "c"] + known).code == 69)
}

@Test(.waits) func `over HTTP and over the socket the same is shown, on any screen and to any reader`() async throws {
    let service = try Service()
    try service.post(
        (1...60).map { line("m\($0)", order: $0, text: String(repeating: "word ", count: $0 % 40)) }.joined())
    try service.waitForRows(60)
    let token = service.token
    let transports: [any GatewayTransport] = [
        HTTPTransport(service.url) { token }, ZMQTransport(Endpoints(folder: service.folder.path).fetch),
    ]
    let tokyo = try #require(TimeZone(secondsFromGMT: 9 * 3600))
    let reader = Reader(own: "ada", timeZone: tokyo, clock: .hours12, isDirect: true, isSelecting: true)
    for screen in [
        Screen(width: 390.5, height: 844, scale: 3), Screen(width: 411, height: 800, scale: 2.625, textScale: 1.3),
        Screen(width: 390, height: 844, scale: 3, isMirrored: true),
    ] {
        var windows: [Window] = []
        for transport in transports {
            let open = try await ChatClient(transport, patience: Patience(answer: .seconds(60)))
                .open("c", on: screen, as: reader)
            windows.append(try await open.wait { $0.isWhole }.window)
            await open.close()
        }
        #expect(windows[0] == windows[1] && windows[0].count == 50)
    }
    try service.stop()
}

@Test(.waits)
func `a client knows where words are that were drawn, and what is touched, over HTTP and over the socket`()
    async throws
{
    let service = try Service()
    let words = "The word \u{5e9}\u{5dc}\u{5d5}\u{5dd} means peace, and so on, for two lines at least, as it goes on"
    try service.post((1...3).map { line("m\($0)", order: $0, text: words) }.joined())
    try service.waitForRows(3)
    let token = service.token
    let transports: [any GatewayTransport] = [
        HTTPTransport(service.url) { token }, ZMQTransport(Endpoints(folder: service.folder.path).fetch),
    ]
    var answers: [[TextPlaces]] = []
    for (number, transport) in transports.enumerated() {
        let open = try await ChatClient(transport, patience: Patience(answer: .seconds(60))).open("c", on: screen)
        let (window, frames) = (try await open.wait { $0.isWhole }.window, RowFrames())
        let row = window[number]
        let text = try #require(frames.frames(of: row).first { $0.text?.path == "text" })
        let asked = TextQuestion(node: text.node, ranges: text.lines.map(\.range) + [7..<11], carets: [9, 13])
        let found = try await open.places(of: [asked], in: row)
        let (rects, carets) = (found[0].ranges.map(\.rects), found[0].carets)
        #expect(text.lines.count > 1 && found[0].path == "text" && found[0].length == words.utf16.count)
        for (line, rect) in zip(text.lines, rects) {
            #expect(rect.count == 1 && rect[0].top == line.rect.top && rect[0].height == line.rect.height)
            #expect(rect[0].left == Double(line.rect.left) && 0..<1 ~= Double(line.rect.width) - rect[0].width)
        }
        // A selection into the other direction is in two pieces, and a caret between them has two places.
        let pieces = try #require(rects.last)
        #expect(pieces.count == 2 && carets[0].upstream != nil && carets[0].downstream?.isRightToLeft == true)
        let touch = (x: Int32(pieces[1].left + pieces[1].width / 2), y: pieces[1].top + pieces[1].height / 2)
        let hit = try await open.hit(x: touch.x, y: touch.y, in: row)
        #expect(hit.node == text.node && hit.isInside && 9..<11 ~= hit.grapheme.lowerBound)
        answers.append(found)
        try service.post(line("m\(number + 1)", order: number + 1, text: "Other words", revision: 2))
        _ = try await open.wait { $0.window[number] != row }
        await #expect(throws: WindowError.rowChanged) { try await open.places(of: [asked], in: row) }
        await open.close()
    }
    #expect(
        answers[0].map(\.ranges).map { $0.map { $0.rects.map(\.width) } }
            == answers[1].map(\.ranges).map { $0.map { $0.rects.map(\.width) } })
    try service.stop()
}

@Test(.waits, arguments: [["fetch", "c"], ["tail", "c"], ["list"]])
func `a token file that cannot be read, or holds no token, is told before a gateway is asked`(words: [String]) throws {
    let place = try TemporaryFolder()
    try Data().write(to: URL(filePath: place.file("empty")))
    try Data([0, 0xFF, 0x80, 10]).write(to: URL(filePath: place.file("binary")))
    for (name, reason) in [("nope", "cannot be read"), ("empty", "holds no token"), ("binary", "holds no token")] {
        let result = try run(words + ["--http", "http://127.0.0.1:9", "--token", place.file(name)])
        #expect(result.code == 74 && result.errors.contains(reason), "\(result.errors)")
    }
    let folder = try run(words + ["--http", "http://127.0.0.1:9", "--token", place.path])
    #expect(folder.code == 74 && folder.errors.contains("cannot be read"), "\(folder.errors)")
}
