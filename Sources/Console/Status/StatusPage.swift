package import JSON

/// The status of a service for people: the verdict first, then as much as fits a screen, most important first.
package struct StatusPage {
    let status: JSONValue
    /// An earlier status and its age in seconds: counts are shown with their rates then.
    let before: (status: JSONValue, seconds: Double)?

    /// Rows of the smallest screen that anybody looks at.
    package static let rows = 24

    package init(_ status: JSONValue, before: (status: JSONValue, seconds: Double)? = nil) {
        (self.status, self.before) = (status, before)
    }

    /// - Parameters:
    ///   - rows: as many lines at most; nil for all that there is to say.
    ///   - columns: longer lines are broken between words; nil where they are not.
    package func lines(rows: Int?, columns: Int?, _ ink: Ink) -> [String] {
        var blocks = [verdict(ink), workers(ink), lanes(ink), editions(ink), notes(ink)].compactMap(\.self)
        if rows == nil {
            blocks += [otherScreens(ink), shards(ink)].compactMap(\.self)
        }
        blocks = blocks.map { $0.broken(at: columns) }
        if let rows { StatusBlock.fit(&blocks, rows: rows) }
        return StatusBlock.lines(of: blocks, rows: rows, ink)
    }
}

// The parts of the page, block by block.
extension StatusPage {
    /// Each trouble is a line of its own.
    private func verdict(_ ink: Ink) -> StatusBlock {
        let troubles = (status["troubles"]?.array ?? []).compactMap(\.string)
        let verdict = troubles.isEmpty ? ink(status["verdict"]?.string ?? "", .good) : nil
        return StatusBlock(head: [verdict].compactMap(\.self), rows: troubles.map { ink($0, .bad) })
    }

    private func workers(_ ink: Ink) -> StatusBlock? {
        let workers = status["workers"]?.array ?? []
        guard !workers.isEmpty else { return StatusBlock(head: ["no worker is there"]) }
        let isAnyElsewhere = workers.contains { $0["elsewhere"] != nil }
        var heading = ["worker", "edition", "engine", "files", "in hand", "credits", "silent"]
        if isAnyElsewhere { heading += ["rows made", "looked at", "host"] }
        let rows = workers.map { worker in
            let leaving = worker["leaving"]?.bool == true ? " (leaving)" : ""
            var row = [
                number(worker["process"]) + leaving, String((worker["edition"]?.string ?? "").prefix(8)),
                String((worker["engine"]?.string ?? "").prefix(8)), number(worker["shards"]),
                number(worker["lent_jobs"]), number(worker["credits"]),
                worker["silent_ms"].map { "\(number($0)) ms" } ?? "",
            ]
            if isAnyElsewhere {
                let elsewhere = worker["elsewhere"]
                row += [
                    number(elsewhere?["rows_asked"]), number(elsewhere?["rows_checked"]),
                    elsewhere == nil ? "" : host(of: worker),
                ]
            }
            return row
        }
        return table(heading, rows, ink)
    }

    private func lanes(_ ink: Ink) -> StatusBlock {
        let lanes = status["lanes"]?.array ?? []
        var block = table(
            ["lane", "open", "waiting", "oldest"],
            lanes.map { lane in
                let oldest = lane["oldest_ms"]?.number == nil ? "-" : "\(number(lane["oldest_ms"])) ms"
                let name = (lane["lane"]?.string ?? "") + (lane["paused"]?.bool == true ? " (paused)" : "")
                return [name, number(lane["open"]), number(lane["waiting"]), oldest]
            }, ink)
        for (place, lane) in lanes.enumerated() where lane["paused"]?.bool == true {
            block.rows[place] = ink(block.rows[place], .warning)
        }
        block.isWhole = true
        return block
    }

    private func editions(_ ink: Ink) -> StatusBlock? {
        let editions = status["editions"]?.array ?? []
        guard !editions.isEmpty else { return nil }
        return table(
            ["edition", "state", "done", "undone", "shards to walk"],
            editions.map { edition in
                let id = edition["edition"]?.string ?? ""
                let name = (edition["name"]?.string ?? "").visible
                return [
                    name == id ? id : "\(name) \(id)", edition["state"]?.string ?? "", share(edition) ?? "",
                    number(edition["undone"]), number(edition["shards_to_walk"]),
                ]
            }, ink)
    }

    /// Sentences, each a line.
    private func notes(_ ink: Ink) -> StatusBlock {
        StatusBlock(
            head: content + [screens, files, times, room, counters].compactMap(\.self),
            rows: turnedAway.map { ink($0, .warning) })
    }

    private var turnedAway: [String] {
        (status["turned_away"]?.array ?? []).map { worker in
            "turned away: process \(number(worker["process"])) of \(host(of: worker)), as \((worker["reason"]?.string ?? "").visible)"
        }
    }

    /// Costs of a lost file, and of files that were lost; nothing where all content is kept.
    private var content: [String] {
        func count(_ name: String) -> Int { status["content"]?[name]?.number?.integer ?? 0 }
        let (forgotten, lost) = (count("forgotten"), count("unavailable"))
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
        return lines
    }

    private var screens: String? {
        let targets = status["targets"]
        let prepared = targets?["prepared"]?.array?.count ?? 0
        let extended = share(targets?["extension"]).map { ", \($0)" } ?? ""
        let others = [("added", "added", extended), ("asked_for", "asked for", "")].compactMap { key, word, share in
            let names = (targets?[key]?.array ?? []).compactMap { $0["target"]?.string }
            return names.isEmpty ? nil : "\(word) \(names.joined(separator: " "))\(share)"
        }
        guard prepared > 0 || !others.isEmpty else { return nil }
        return "laid out for " + (["\(prepared) screens"] + others).joined(separator: " · ")
    }

    /// The files of the edition that is served.
    private var files: String? {
        guard let files = served?["shards"]?.array else { return nil }
        let waiting = files.reduce(0) { $0 + ($1["waiting"]?.number?.integer ?? 0) }
        return "files \(files.count) · with workers \(files.count { $0["holder"]?.number != nil }) · waiting \(waiting)"
    }

    private var served: JSONValue? { status["editions"]?.array?.first { $0["state"]?.string == "served" } }

    private var counters: String {
        let since = (status["since_start"]?.object?.members ?? []).map {
            "\($0.key.replacing("_", with: " ")) \(number($0.value))\(rate(of: $0.key, $0.value))"
        }
        let speed = status["speed"]?.number == nil ? [] : ["speed \(number(status["speed"])) jobs/s"]
        let draining = status["draining"]?.bool == true ? ["draining"] : []
        return (since + speed + draining).joined(separator: " · ")
    }

    private func rate(of name: String, _ value: JSONValue) -> String {
        guard let before, let count = value.number?.integer,
            let earlier = before.status["since_start"]?[name]?.number?.integer, count > earlier, before.seconds > 0
        else { return "" }
        return " (\(Int((Double(count - earlier) / before.seconds).rounded()))/s)"
    }
}

// Blocks that are shown only where all of the status is asked for.
extension StatusPage {
    private func otherScreens(_ ink: Ink) -> StatusBlock? {
        let prepared = (status["targets"]?["prepared"]?.array ?? []).compactMap(\.string)
        let others = [("added", "added"), ("asked_for", "asked for")].flatMap { key, state in
            (status["targets"]?[key]?.array ?? []).map { one in
                let byHand = one["by_hand"]?.bool == true ? ", by hand" : ""
                return [one["target"]?.string ?? "", state + byHand, number(one["asked"])]
            }
        }
        guard !prepared.isEmpty || !others.isEmpty else { return nil }
        let list = "laid out for \(prepared.joined(separator: " "))"
        if others.isEmpty { return StatusBlock(head: [list]) }
        var block = table(["other screens", "state", "asked for lately"], others, ink)
        block.head.insert(list, at: 0)
        return block
    }

    private func shards(_ ink: Ink) -> StatusBlock? {
        guard let shards = served?["shards"]?.array else { return nil }
        return table(
            ["file", "waiting", "worker", "done through"],
            shards.map { shard in
                let holder = shard["holder"]?.number == nil ? "-" : number(shard["holder"])
                return [
                    number(shard["shard"]) + (shard["blocked"]?.bool == true ? " (blocked)" : ""),
                    number(shard["waiting"]), holder, number(shard["through"]),
                ]
            }, ink)
    }
}

extension StatusPage {
    private func table(_ heading: [String], _ rows: [[String]], _ ink: Ink) -> StatusBlock {
        let lines = Columns.aligned([heading] + rows, left: [0, 1]).split(separator: "\n").map(String.init)
        return StatusBlock(head: [ink(lines[0], .strong)], rows: Array(lines.dropFirst()), isTable: true)
    }

    /// A worker of another host says its name itself.
    private func host(of worker: JSONValue) -> String {
        String(worker["machine"]?.string?.prefix { $0 != "/" } ?? "").visible
    }

    func number(_ value: JSONValue?) -> String { value?.number.map { "\($0)" } ?? "" }
}
