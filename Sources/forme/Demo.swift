import Daemons
import FormeClientZMQ
import Foundation
import MessageLayout
import Storage
import Wire

extension Command {
    static let demo = Command(
        name: "demo",
        summary: "shows the whole of it: 100 messages, 4 targets, 2 workers, in a folder of its own",
        usage: """
            usage: forme demo [--fonts FILE]

            Starts forme serve on a new folder, posts 100 messages in many scripts, waits until every one is laid out for
            \(TargetOption.standard), prints the models, stops everything and removes the folder.
            """
    ) { words in
        let arguments = try Arguments(words, of: "demo", options: [FontOption.name])
        let fonts = arguments.text(FontOption.name).map { ["--\(FontOption.name)", $0] } ?? []
        let path = NSTemporaryDirectory() + "forme-demo-\(ProcessInfo.processInfo.processIdentifier)"
        let folder = DataFolder(path)
        try folder.create()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let leash = try Leash()
        let service = try ChildProcess(
            arguments: ["serve", "--data", path, "--supervised"] + fonts, standardInput: leash)
        defer { service.end() }
        try Demo(endpoints: Endpoints(folder: path), service: service).run()
    }
}

/// The road of a message, from event to printed model.
private struct Demo {
    let endpoints: Endpoints
    let service: ChildProcess
    private static let count = 100

    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let conversation = try ConversationID("demo")
        var producer = try Client(endpoints.events)
        let hints = try ReadyHints(endpoints.ready)
        var reader = try Client(endpoints.fetch)

        let events = try (0..<Self.count).map { try Sample.event($0, in: conversation) }
        let texts = Dictionary(uniqueKeysWithValues: events.map { ($0.message, $0.body) })
        let receipt = try producer.post(events, within: .seconds(20))
        let posted = clock.now
        let targets = TargetOption.standard.split(separator: ",").compactMap { TargetOption.target(String($0)) }
        let pages = try targets.map { target in
            try waitForAll(Query(conversation: conversation, target: target), hints, &reader)
        }
        let ready = clock.now

        for (target, rows) in zip(targets, pages) {
            print("\n\(TargetOption.text(target)) — \(rows.count) messages")
            print(ModelText.heading)
            for row in rows { print(try ModelText.table(row, text: texts[row.position.message])) }
        }
        print(
            """

            \(receipt.accepted) events on disk \(start.duration(to: posted).milliseconds) ms after the start of the \
            service; \(pages.map(\.count).reduce(0, +)) models readable \
            \(posted.duration(to: ready).milliseconds) ms later
            """)
    }

    /// Reads again whenever the coordinator hints at something new, and now and then in case a hint was lost.
    private func waitForAll(
        _ query: Query, _ hints: borrowing ReadyHints, _ reader: inout Client
    ) throws -> [StoredModel] {
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
