import Console
import Foundation
import JSON
import Pool
import Wire

struct StatusCommand: Command {
    let name = "status"
    let summary = "says whether all is well with a running service, and what it does"
    let usage = """
        usage: forme status [OPTIONS]

          --watch              again every second, in place, until interrupted
          --all                every worker, screen and file, on as many lines as that takes
          --json               the coordinator's answer, as it is
          --prometheus         the figures of coordinator and workers, as Prometheus reads them
        \(Place.usage)

        The first line is "all is well", or what keeps messages from being accepted or shown. The rest fits a screen of \(StatusPage.rows)
        lines: workers, lanes, editions (with the share of each that is laid out, and how long the rest takes at the rate of the last
        minute), how long events take until they are answered and until they are readable, memory, disk, and what was counted since the
        coordinator began. While rows are extended for screens that were added, it says how far that is, too. Where the content of messages is not kept for ever (retention.content), it says how many
        have nothing but their layouts, and how many of them a lost file of shards/ would cost at most. Then how many are unavailable: lost
        so, or given up as retention.layouts says.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "status", options: Place.options, switches: ["watch", "all", "json", "prometheus"])
        guard ["all", "json", "prometheus"].count(where: arguments.has) < 2 else {
            throw arguments.refusal("--all, --json and --prometheus exclude each other")
        }
        var task = try OperatorTask(arguments)
        var (screen, before) = (InPlace(), nil as (status: JSONValue, at: ContinuousClock.Instant)?)
        repeat {
            let request: OperatorRequest = arguments.has("prometheus") ? .health : .status
            let (bytes, answer) = try task.answer(to: request, within: .seconds(5))
            let now = ContinuousClock.now
            let status = answer["status"] ?? .null
            let lines: [String]
            if arguments.has("json") {
                lines = [String(decoding: bytes, as: UTF8.self)]
            } else if arguments.has("prometheus") {
                lines = [try metrics(of: bytes)]
            } else {
                let earlier = before.map { (status: $0.status, seconds: (now - $0.at) / .seconds(1)) }
                lines = page(StatusPage(status, before: earlier), isWhole: arguments.has("all"))
            }
            before = (status, now)
            // A status for a program is printed line by line.
            if arguments.has("watch"), TerminalSize.output != nil {
                print(screen.showing(lines), terminator: "")
            } else {
                print(lines.joined(separator: "\n"))
            }
            fflush(nil)
        } while try arguments.has("watch") && task.rest(.seconds(1))
    }

    private func page(_ page: StatusPage, isWhole: Bool) -> [String] {
        let size = TerminalSize.output
        // The last row of a terminal is left for the next input.
        let rows = size.map { $0.rows - 1 } ?? StatusPage.rows
        return page.lines(rows: isWhole ? nil : rows, columns: size?.columns, .output)
    }

    private func metrics(of answer: [UInt8]) throws -> String {
        guard let health = PoolHealth(answer: answer) else {
            throw Failure(.failed, "the coordinator's answer is none that this build reads")
        }
        var text = MetricsText(of: "pool")
        health.write(to: &text)
        return String(text.text.dropLast())
    }
}
