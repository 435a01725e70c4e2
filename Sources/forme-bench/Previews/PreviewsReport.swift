import Console
import Flood
import FormeClientZMQ
import Foundation
import JSON
import MessageLayout
import Names
import Record
import Wire

/// Previews of messages that are being written, one for each letter that is typed: `forme-bench previews`.
struct PreviewsReport {
    struct Line {
        let name: String
        let median: Double
        let late: Double
        let longest: Double
    }

    private let previews: Int
    private let lines: [Line]

    private static let rows = 500

    init(previews: Int, looks: [String]) throws {
        let service = try BenchService { _ in looks }
        let conversation = try ConversationID("previews")
        try service.fill([conversation], rows: Self.rows)
        var lines: [Line] = []
        for (name, screen) in [("one of the style", "390@3"), ("one that nobody foresaw", "391.5@2.5")] {
            guard let target = Target(text: screen) else { throw Failure(.failed, "\(screen) is no screen") }
            let times = try Self.times(previews, on: target, in: conversation, of: service).sorted()
            lines.append(
                Line(
                    name: name, median: times[times.count / 2], late: times[times.count * 99 / 100],
                    longest: times[times.count - 1]))
        }
        (self.previews, self.lines) = (previews, lines)
    }

    /// Milliseconds from each question to its answer.
    private static func times(
        _ count: Int, on target: Target, in conversation: ConversationID, of service: BenchService
    ) throws -> [Double] {
        var link = try WindowLink(service.endpoints.fetch)
        let window = WindowID(1)
        let opened = try link.ask(
            .open(
                WindowOpening(
                    window: window, conversation: conversation, target: target, screen: WindowOpening.standardScreen,
                    wantsMessages: true, rowVersion: .newest)), within: .seconds(10))
        guard case .window = opened else { throw Failure(.failed, "the window is answered by \(opened)") }
        var times: [Double] = []
        for letters in drafts.prefix(count) {
            var json = JSONWriter()
            json.object { json in
                json.key("text")
                json.string(letters)
                json.key("sender")
                json.string("ada")
            }
            let start = ContinuousClock.now
            let answer = try link.ask(.preview(window, MessageDraft(json.bytes)), within: .seconds(10))
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            guard case .preview = answer else { throw Failure(.failed, "a draft is answered by \(answer)") }
        }
        return times
    }

    /// All texts of the flood, each as it is typed, letter by letter, again and again.
    private static var drafts: some Sequence<String> {
        sequence(first: 0) { $0 + 1 }.lazy.flatMap { number -> [String] in
            let text = Sample.texts[number % Sample.texts.count]
            return text.indices.map { String(text[...$0]) }
        }
    }
}

extension PreviewsReport {
    var table: String {
        let rows = lines.map { line in
            [line.name] + [line.median, line.late, line.longest].map { String(format: "%.1f", $0) }
        }
        return """
            \(previews) previews on each screen, one for each letter that is typed, in a conversation of \(Self.rows); milliseconds

            \(Columns.aligned([["screen", "median", "p99", "longest"]] + rows, left: [0]))
            """
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("previews")
            json.integer(previews)
            for (line, screen) in zip(lines, ["prepared", "unforeseen"]) {
                for (name, time) in [("median", line.median), ("p99", line.late), ("longest", line.longest)] {
                    json.key("\(screen)_\(name)_microseconds")
                    json.integer(Int(time * 1000))
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
