import Console
import Daemons
import Flood
import FormeClientZMQ
import Foundation
import JSON
import MessageLayout
import Names
import Storage
import Transport
import Wire

struct DemoCommand: Command {
    let name = "demo"
    let summary = "shows the whole of it: 100 messages, every target of a style, 2 workers, in a folder of its own"
    let usage = """
        usage: forme demo [OPTIONS]

          --once               ends after the show, as it does where nobody sees it (no terminal)
          --http HOST:PORT     where the chat is in the browser (default: 127.0.0.1:7310, or a port behind it that is free)
        \(PageFolder.usage)
          --messages N         of the long conversation in it (default: 1000000)
        \(QuietOption.usage)
        \(StyleOption.usage)
        \(FontOption.usage)

        Starts forme serve on a new folder, posts 100 messages in many scripts and of many kinds, waits until every one is
        laid out for every target of the style, prints what a few of the targets get, opens the conversation at three
        widths and follows it while somebody writes. Then it shows a chat in the browser with twelve conversations, one of which is
        a million messages long, until it is interrupted; and stops everything and removes the folder. Meanwhile a style that is
        saved is shown within a second, or what is wrong with it.
        """

    func run(_ words: [String]) throws {
        let looks = [StyleOption.name, FontOption.name]
        let arguments = try Arguments(
            words, of: "demo", options: looks + ["http", "messages", PageFolder.name],
            switches: ["once", QuietOption.name])
        let isShown = !arguments.has("once") && isatty(STDOUT_FILENO) == 1
        let count = try arguments.integer("messages", in: 1...10_000_000, default: 1_000_000)
        let address = try arguments.text("http") ?? "127.0.0.1:\(FreePort.first(from: 7310))"
        // The signals are blocked first, as threads and processes that are made later inherit that.
        let signals = isShown ? try Signals([SIGINT, SIGTERM, SIGHUP]) : nil
        let style = try StyleOption.style(arguments)
        let path = NSTemporaryDirectory() + "forme-demo-\(ProcessInfo.processInfo.processIdentifier)"
        let folder = DataFolder(path)
        try folder.create()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let leash = try Leash()
        let service = try ChildProcess(
            arguments: ["serve", "--data", path, "--listen", "folder", "--supervised"] + arguments.words(looks)
                + (isShown
                    ? ["--http", address, "--pages", "--\(StyleWatch.name)"] + arguments.words([PageFolder.name]) : []),
            standardInput: leash)
        defer { service.end() }
        let endpoints = Endpoints(folder: path)
        try Demo(style: style, endpoints: endpoints).run()
        guard let signals else { return }
        try Showroom(
            in: path, at: address, style: StyleOption.path(arguments), messages: count, endpoints, signals
        ).serve(ProgressBar(arguments))
    }
}

/// The road of a message, from event to printed layout.
private struct Demo {
    let style: StyleSheet
    let endpoints: Endpoints
    private static let count = 100

    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let conversation = try ConversationID("demo")
        var producer = try Client(endpoints.events)
        let hints = try ReadyHints(endpoints.ready)
        var link = try WindowLink(endpoints.fetch)

        let events = try (0..<Self.count).map { try Sample.event($0, in: conversation) }
        let accepted = try producer.post(events, within: .seconds(20)).count { $0 == .accepted }
        let posted = clock.now
        let pages = try style.targets.map { target in
            try waitForAll(opening(of: conversation, target, count: Self.count), hints, &link)
        }
        let ready = clock.now

        let abouts = try Dictionary(uniqueKeysWithValues: events.map { ($0.message, try about($0)) })
        for number in Set([0, pages.count / 2, pages.count - 1]).sorted() {
            print("\n\(style.targets[number].text) — \(pages[number].count) messages")
            print(Self.line("message", "size", "lines", "what it shows"))
            for row in pages[number] { print(try Self.line(of: row, about: abouts[row.message] ?? "")) }
        }
        print(
            """

            \(accepted) events on disk \(start.duration(to: posted).milliseconds) ms after the start of the \
            service; \(pages.map(\.count).reduce(0, +)) layouts for \(pages.count) targets readable \
            \(posted.duration(to: ready).milliseconds) ms later
            """)
        try showWindows(of: conversation, &producer)
    }

    /// Shows the same conversation on three screens, and the changes that they get when somebody writes.
    private func showWindows(of conversation: ConversationID, _ producer: inout Client) throws {
        let targets = style.targets
        for target in [targets[0], targets[targets.count / 2], targets[targets.count - 1]] {
            let opening = try opening(of: conversation, target, count: 5)
            var link = try WindowLink(endpoints.fetch)
            guard case .window(let reply) = try link.ask(.open(opening), within: .seconds(5)) else { continue }
            print(
                "\n\(target.text), a window of ada's — \(reply.frame.rowsAbove) rows above, "
                    + "\(reply.frame.extent.upperBound - reply.frame.extent.lowerBound) pixels in all")
            print(WindowText.heading)
            for line in try WindowText.lines(reply) { print(line) }
            let number = Self.count + (targets.firstIndex(of: target) ?? 0)
            _ = try producer.post([Sample.event(number, in: conversation)], within: .seconds(20))
            if case .changes(let set)? = try link.next(within: .seconds(10)) {
                for line in WindowText.lines(set) { print(line) }
            }
        }
    }

    /// The kind of a message, and its first words.
    private func about(_ event: MessageEvent) throws -> String {
        let body = try JSONValue.parse(event.body?.content ?? [])
        let words = ["kind", "text", "caption", "question"].compactMap { body[$0]?.string }
        return words.prefix(2).compactMap { $0.split(separator: "\n").first }.joined(separator: ": ")
    }

    /// The opening of a window as ada reads it.
    private func opening(of conversation: ConversationID, _ target: Target, count: Int) throws -> WindowOpening {
        WindowOpening(
            window: WindowID(1), conversation: conversation, target: target,
            reader: WindowReader(own: try SenderID("ada")), count: count, screen: WindowOpening.standardScreen)
    }

    /// Opens it again whenever the coordinator hints at something new, and now and then in case a hint was lost.
    private func waitForAll(
        _ opening: WindowOpening, _ hints: borrowing ReadyHints, _ link: inout WindowLink
    ) throws -> [WindowRow] {
        let deadline = ContinuousClock.now + .seconds(60)
        while .now < deadline {
            if case .window(let reply) = try link.ask(.open(opening), within: .seconds(5)),
                reply.rows.count == Self.count
            {
                return reply.rows
            }
            try hints.wait(atMost: .milliseconds(250))
        }
        throw Failure(.failed, "not everything was laid out in a minute; the messages of the service are above")
    }

    private static func line(of row: WindowRow, about: String) throws -> String {
        guard let model = try row.body?.model() else { return line(row.message.text, "", "", about) }
        let lines = model.blocks.reduce(0) { $0 + $1.lines.count }
        return line(row.message.text, "\(model.size.width)×\(model.size.height)", "\(lines)", about)
    }

    private static func line(_ message: String, _ size: String, _ count: String, _ rest: String) -> String {
        [(message, 8), (size, 10), (count, 5)]
            .map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            .joined(separator: "  ") + "  " + rest
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
