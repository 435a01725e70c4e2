import Console
import FormeClientZMQ
import Foundation
import JSON
import Pool
import Wire

struct StatusCommand: Command {
    let name = "status"
    let summary = "shows workers, lanes, editions and shards of a running service"
    let usage = """
        usage: forme status [OPTIONS]

          --watch              again every second, in place, until interrupted
          --json               what the coordinator says, as it says it
        \(Place.usage)

        The first line is "all is well", or what keeps messages from being accepted or shown. Where the content of messages is not
        kept for ever (retention.content), it says how many have nothing but their layouts, and how many of them a lost file of
        shards/ would cost at most. Then how many are unavailable: lost so, or given up as retention.layouts says.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: "status", options: Place.options, switches: ["watch", "json"])
        let place = try Place(arguments)
        let endpoint = place.endpoints.operators
        let client = try OperatorClient(endpoint, access: place.calling(endpoint, as: "operator"))
        repeat {
            let (bytes, answer) = try client.ask(.status, within: .seconds(5))
            if let error = answer["error"]?.string { throw Failure(.failed, "the coordinator refuses: \(error)") }
            if arguments.has("watch") { print("\u{1B}[H\u{1B}[2J", terminator: "") }
            if arguments.has("json") {
                print(String(decoding: bytes, as: UTF8.self))
            } else {
                print(StatusText.text(of: answer["status"] ?? .null))
            }
            fflush(nil)
        } while try arguments.has("watch") && client.rest(.seconds(1))
    }
}

/// The status for people.
enum StatusText {
    static func text(of status: JSONValue) -> String {
        [
            verdict(status), workers(status), elsewhere(status), turnedAway(status), lanes(status), editions(status),
            content(status),
            targets(status),
            shards(status), counters(status),
        ]
        .compactMap(\.self).joined(separator: "\n\n")
    }

    /// Each trouble is a line of its own.
    private static func verdict(_ status: JSONValue) -> String? {
        let troubles = (status["troubles"]?.array ?? []).compactMap(\.string)
        return troubles.isEmpty ? status["verdict"]?.string : troubles.joined(separator: "\n")
    }

    private static func workers(_ status: JSONValue) -> String {
        let workers = status["workers"]?.array ?? []
        guard !workers.isEmpty else { return "no worker is there" }
        return table(
            ["worker", "edition", "engine", "shards", "jobs in hand", "credits", "silent for"],
            workers.map { worker in
                let edition = String((worker["edition"]?.string ?? "").prefix(8))
                let silence = worker["silent_ms"].map { "\(number($0)) ms" } ?? ""
                return [
                    number(worker["process"]) + (worker["leaving"]?.bool == true ? " (leaving)" : ""), edition,
                    String((worker["engine"]?.string ?? "").prefix(8)),
                    number(worker["shards"]), number(worker["lent_jobs"]), number(worker["credits"]), silence,
                ]
            })
    }

    /// Workers of other hosts; nil where there are none.
    private static func elsewhere(_ status: JSONValue) -> String? {
        let workers = (status["workers"]?.array ?? []).filter { $0["elsewhere"] != nil }
        guard !workers.isEmpty else { return nil }
        return table(
            ["elsewhere", "host", "rows asked for", "looked at"],
            workers.map { worker in
                [
                    number(worker["process"]), String(worker["machine"]?.string?.prefix { $0 != "/" } ?? ""),
                    number(worker["elsewhere"]?["rows_asked"]), number(worker["elsewhere"]?["rows_checked"]),
                ]
            })
    }

    private static func turnedAway(_ status: JSONValue) -> String? {
        let lines = (status["turned_away"]?.array ?? []).map { worker in
            let host = worker["machine"]?.string?.prefix { $0 != "/" } ?? ""
            return "turned away: process \(number(worker["process"])) of \(host), as \(worker["reason"]?.string ?? "")"
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private static func lanes(_ status: JSONValue) -> String {
        table(
            ["lane", "open", "waiting", "oldest"],
            (status["lanes"]?.array ?? []).map { lane in
                let oldest = lane["oldest_ms"]?.number == nil ? "-" : "\(number(lane["oldest_ms"])) ms"
                let name = (lane["lane"]?.string ?? "") + (lane["paused"]?.bool == true ? " (paused)" : "")
                return [name, number(lane["open"]), number(lane["waiting"]), oldest]
            })
    }

    private static func editions(_ status: JSONValue) -> String? {
        let editions = status["editions"]?.array ?? []
        guard !editions.isEmpty else { return nil }
        return table(
            ["edition", "state", "undone", "shards to walk"],
            editions.map { edition in
                let id = edition["edition"]?.string ?? ""
                let name = edition["name"]?.string ?? ""
                return [
                    name == id ? id : "\(name) \(id)", edition["state"]?.string ?? "", number(edition["undone"]),
                    number(edition["shards_to_walk"]),
                ]
            })
    }

    /// What a lost file would cost, and what lost files have cost; nil where all content is kept.
    private static func content(_ status: JSONValue) -> String? {
        func count(_ name: String) -> Int { status["content"]?[name]?.number?.integer ?? 0 }
        let (forgotten, lost) = (count("forgotten"), count("unavailable"))
        guard forgotten > 0 || lost > 0 else { return nil }
        var lines: [String] = []
        if forgotten > lost {
            lines.append(
                "\(forgotten - lost) messages are kept as layouts alone, as retention.content says: a lost file of shards/ costs up "
                    + "to \(count("most_in_one_file")) of them")
        }
        if lost > 0 {
            lines.append(
                "\(lost) messages are unavailable: files of shards/ that had their layouts were lost, or retention.layouts gave them up"
            )
        }
        return lines.joined(separator: "\n")
    }

    private static func targets(_ status: JSONValue) -> String? {
        let targets = status["targets"]
        let prepared = (targets?["prepared"]?.array ?? []).compactMap(\.string)
        let others = [("added", "added"), ("asked_for", "asked for")].flatMap { key, state in
            (targets?[key]?.array ?? []).map { one in
                let byHand = one["by_hand"]?.bool == true ? ", by hand" : ""
                return [one["target"]?.string ?? "", state + byHand, number(one["asked"])]
            }
        }
        guard !prepared.isEmpty || !others.isEmpty else { return nil }
        let list = "laid out for \(prepared.joined(separator: " "))"
        return others.isEmpty ? list : list + "\n\n" + table(["other screens", "state", "asked for lately"], others)
    }

    /// Of the edition that is served.
    private static func shards(_ status: JSONValue) -> String? {
        let served = status["editions"]?.array?.first { $0["state"]?.string == "served" }
        guard let shards = served?["shards"]?.array else { return nil }
        return table(
            ["shard", "waiting", "worker", "done through"],
            shards.map { shard in
                let holder = shard["holder"]?.number == nil ? "-" : number(shard["holder"])
                return [
                    number(shard["shard"]) + (shard["blocked"]?.bool == true ? " (blocked)" : ""),
                    number(shard["waiting"]), holder, number(shard["through"]),
                ]
            })
    }

    private static func counters(_ status: JSONValue) -> String {
        let since = (status["since_start"]?.object?.members ?? []).map {
            "\($0.key.replacingOccurrences(of: "_", with: " ")) \(number($0.value))"
        }
        let speed = status["speed"]?.number == nil ? [] : ["speed \(number(status["speed"])) jobs/s"]
        let draining = status["draining"]?.bool == true ? ["draining"] : []
        return (since + speed + draining).joined(separator: " · ")
    }

    private static func table(_ heading: [String], _ rows: [[String]]) -> String {
        Columns.aligned([heading] + rows, left: [0, 1])
    }

    private static func number(_ value: JSONValue?) -> String { value?.number.map { "\($0)" } ?? "" }
}
