import Console
import Foundation
import JSON
import Pool

struct TopCommand: Command {
    let name = "top"
    let summary = "shows which conversations and kinds of messages most events are about"
    let usage = """
        usage: forme top [OPTIONS]

          --watch              again every second, in place, until interrupted
          --rows N             of each list, 1 to \(PoolTop.most) (default: 8)
          --json               the coordinator's answer, as it is
        \(Place.usage)

        It is about the last minute of events, accepted or not; half is forgotten each half minute. Of more than a thousand conversations
        those that have least are not told apart. Events of kinds are those that set what a message says.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: name, options: Place.options + ["rows"], switches: ["watch", "json"])
        let rows = try arguments.integer("rows", in: 1...PoolTop.most, default: 8)
        var task = try OperatorTask(arguments)
        var screen = InPlace()
        repeat {
            let answer = try task.ask(.top)
            let lines: [String]
            if arguments.has("json") {
                var json = JSONWriter()
                json.value(answer)
                lines = [String(decoding: json.bytes, as: UTF8.self)]
            } else {
                lines = page(answer["top"] ?? .null, rows)
            }
            if arguments.has("watch"), TerminalSize.output != nil {
                print(screen.showing(lines), terminator: "")
            } else {
                print(lines.joined(separator: "\n"))
            }
            fflush(nil)
        } while try arguments.has("watch") && task.rest(.seconds(1))
    }

    private func page(_ top: JSONValue, _ rows: Int) -> [String] {
        let all = top["events"]?.number?.integer ?? 0
        guard all > 0 else { return ["no event came lately"] }
        return ["\(all) events lately"]
            + [("conversation", "conversations"), ("kind", "kinds")].flatMap { heading, key in
                [""] + table(heading, (top[key]?.array ?? []).prefix(rows))
            }
    }

    /// A table whose bars are relative to the longest one, and not to all events, as many events have no kind.
    private func table(_ heading: String, _ lines: ArraySlice<JSONValue>) -> [String] {
        func events(_ line: JSONValue) -> Int { line["events"]?.number?.integer ?? 0 }
        let most = lines.map(events).max() ?? 0
        let rows = lines.map { line in
            let bar = String(repeating: "█", count: most > 0 ? max(1, events(line) * 20 / most) : 0)
            return [name(of: line), "\(events(line))", bar]
        }
        let text = Columns.aligned([[heading, "events", ""]] + rows, left: [0, 2])
        var all = text.split(separator: "\n").map(String.init)
        all[0] = Ink.output(all[0], .strong)
        return all
    }

    /// A name for a terminal: names come from clients that post, so it has visible characters only, and not too many.
    private func name(of line: JSONValue) -> String {
        let plain = (line["name"]?.string ?? "").visible.unicodeScalars.map { Character($0) }
        return plain.count > 40 ? String(plain.prefix(39)) + "…" : String(plain)
    }
}
