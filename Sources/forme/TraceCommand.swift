import Console
import Foundation
import JSON
import Operations

struct TraceCommand: Command {
    let name = "trace"
    let summary = "says under which id a message is followed, and what was done with it when"
    let usage = """
        usage: forme trace CONVERSATION MESSAGE [--revision N] [--from FILE] [--one-in N]

          --revision N         of its text (default: 1)
          --from FILE          prints its spans of a file that forme serve --traces FILE has written
          --one-in N           says whether it is among the one of so many that are followed

        The id is made of conversation, message and revision, and the same in every process, on every host and in every release. A
        collector of OpenTelemetry finds the trace by it.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: name, operands: 2, options: ["revision", "from", "one-in"])
        guard arguments.operands.count == 2 else { throw arguments.refusal("trace takes a CONVERSATION and a MESSAGE") }
        let revision = try arguments.integer("revision", in: 0 ... .max, default: 1)
        let trace = TraceID(
            conversation: arguments.operands[0], message: arguments.operands[1], revision: UInt64(revision))
        print(trace.text)
        if arguments.text("one-in") != nil {
            let count = try arguments.integer("one-in", in: 1...1_000_000_000, default: 1)
            print(trace.isOne(in: count) ? "followed" : "not followed")
        }
        guard let path = arguments.text("from") else { return }
        let spans = try RecordedSpan.spans(of: trace.text, in: path)
        guard let first = spans.first else {
            throw Failure(
                .failed, "\(path) has no span of it; is it one of those that are followed, and was it written since?")
        }
        let rows = spans.map { span in
            [
                span.name, span.daemon, String(format: "%.3f", Double(span.start - first.start) / 1e6),
                String(format: "%.3f", Double(span.end - span.start) / 1e6),
            ]
        }
        print(Columns.aligned([["span", "process", "after ms", "took ms"]] + rows, left: [0, 1]))
    }
}

/// A span of a file, as the processes of a service write it.
private struct RecordedSpan {
    var name: String
    var daemon: String
    /// Nanoseconds since 1970.
    var start: Int
    var end: Int

    /// The spans of one trace, in the order in which they began. A line that a full disk has cut is passed over, with
    /// the one that was written behind it.
    static func spans(of trace: String, in path: String) throws -> [RecordedSpan] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(.inputOutput, "\(path) cannot be read; name a file that forme serve --traces FILE writes")
        }
        var (found, broken): ([RecordedSpan], Int) = ([], 0)
        for line in data.split(separator: 0x0A) where line.range(of: Data(trace.utf8)) != nil {
            let request: JSONValue
            do throws(JSONError) { request = try JSONValue.parse(Array(line)) } catch {
                broken += 1
                continue
            }
            for resource in request["resourceSpans"]?.array ?? [] {
                let attributes = resource["resource"]?["attributes"]?.array ?? []
                let name = attributes.first { $0["key"]?.string == "service.instance.id" }?["value"]?["stringValue"]?
                    .string
                for scope in resource["scopeSpans"]?.array ?? [] {
                    found += (scope["spans"]?.array ?? []).compactMap { RecordedSpan($0, of: name ?? "", trace) }
                }
            }
        }
        if broken > 0 {
            StandardError.write("\(path): \(broken) lines about it are broken; their spans are not shown\n")
        }
        return found.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    private init?(_ json: JSONValue, of daemon: String, _ trace: String) {
        guard json["traceId"]?.string == trace, let name = json["name"]?.string,
            let start = (json["startTimeUnixNano"]?.string).flatMap({ Int($0) }),
            let end = (json["endTimeUnixNano"]?.string).flatMap({ Int($0) }), end >= start
        else { return nil }
        (self.name, self.daemon, self.start, self.end) = (name, daemon, start, end)
    }
}
