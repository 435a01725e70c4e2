import Daemons
import FormeClientZMQ
import Foundation
import JSON
import MessageLayout
import Names
import Storage
import Wire

extension Command {
    static let demo = Command(
        name: "demo",
        summary: "shows the whole of it: 100 messages, every target of a style, 2 workers, in a folder of its own",
        usage: """
            usage: forme demo [OPTIONS]

            \(StyleOption.usage)
            \(FontOption.usage)

            Starts forme serve on a new folder, posts 100 messages in many scripts and of many kinds, waits until every one is
            laid out for every target of the style, prints what a few of the targets get, opens the conversation at three
            widths, follows it while somebody writes, stops everything and removes the folder.
            """
    ) { words in
        let looks = [StyleOption.name, FontOption.name]
        let arguments = try Arguments(words, of: "demo", options: looks)
        let style = try StyleOption.style(arguments)
        let path = NSTemporaryDirectory() + "forme-demo-\(ProcessInfo.processInfo.processIdentifier)"
        let folder = DataFolder(path)
        try folder.create()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let leash = try Leash()
        let service = try ChildProcess(
            arguments: ["serve", "--data", path, "--listen", "folder", "--supervised"] + arguments.words(looks),
            standardInput: leash)
        defer { service.end() }
        try Demo(style: style, endpoints: Endpoints(folder: path)).run()
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
        var reader = try Client(endpoints.fetch)

        let events = try (0..<Self.count).map { try Sample.event($0, in: conversation) }
        let accepted = try producer.post(events, within: .seconds(20)).count { $0 == .accepted }
        let posted = clock.now
        let pages = try style.targets.enumerated().map { number, target in
            let variant = UInt8(number % style.variants.count)
            return try waitForAll(Query(conversation: conversation, target: target, variant: variant), hints, &reader)
        }
        let ready = clock.now

        let abouts = try Dictionary(uniqueKeysWithValues: events.map { ($0.message, try about($0)) })
        for number in Set([0, pages.count / 2, pages.count - 1]).sorted() {
            let variant = style.variants[number % style.variants.count]
            print("\n\(style.targets[number].text), \(variant) — \(pages[number].count) messages")
            print(ModelText.heading)
            for row in pages[number] { print(try ModelText.table(row, about: abouts[row.position.message])) }
        }
        print(
            """

            \(accepted) events on disk \(start.duration(to: posted).milliseconds) ms after the start of the \
            service; \(pages.map(\.count).reduce(0, +)) layouts for \(pages.count) targets readable \
            \(posted.duration(to: ready).milliseconds) ms later
            """)
        try showWindows(of: conversation, &producer)
    }

    /// The same conversation on three screens, and what they are told when somebody writes.
    private func showWindows(of conversation: ConversationID, _ producer: inout Client) throws {
        let targets = style.targets
        for target in [targets[0], targets[targets.count / 2], targets[targets.count - 1]] {
            let opening = WindowOpening(
                window: WindowID(1), conversation: conversation, target: target,
                reader: WindowReader(own: try SenderID("ada")), count: 5, screen: 2532)
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

    /// The kind of a message, and the first that it says.
    private func about(_ event: MessageEvent) throws -> String {
        let body = try JSONValue.parse(event.body?.content ?? [])
        let words = ["kind", "text", "caption", "question"].compactMap { body[$0]?.string }
        return words.prefix(2).compactMap { $0.split(separator: "\n").first }.joined(separator: ": ")
    }

    /// Reads again whenever the coordinator hints at something new, and now and then in case a hint was lost.
    private func waitForAll(
        _ query: Query, _ hints: borrowing ReadyHints, _ reader: inout Client
    ) throws -> [StoredRow] {
        let deadline = ContinuousClock.now + .seconds(60)
        while .now < deadline {
            let rows = try reader.fetchAll(query, within: .seconds(5))
            if rows.count == Self.count { return rows }
            try hints.wait(atMost: .milliseconds(250))
        }
        throw Failure(.failed, "not everything was laid out in a minute; the messages of the service are above")
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
