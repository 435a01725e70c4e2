import Console
import FormeClientZMQ
import JSON
import Pool
import Settings
import Wire

struct ClusterCommand: Command {
    let name = "cluster"
    let summary = "says how the hosts of a cluster stand, and begins its log"
    let usage = """
        usage: forme cluster status [--json] [OPTIONS]   this host, and what it has heard of the others
               forme cluster init [--partition N] [OPTIONS]        begins the log behind the messages of this host; once, on one of them
               forme cluster check [--log] [--within S] [OPTIONS]  ends with 0 when all hosts have the same log and the same rows
               forme cluster move HOST [--partition N] [--within S] [OPTIONS]  has that host own the log; ends with 0 when it does

          --partition N        one partition of the log alone, from 0, where it has several (--partitions)
          --within S           seconds until what is not so is told, and the exit code is 1 (default: 60 for check, 10 for move)
          --log                compares logs alone: for rows every host reads all of them, some hundred thousand a second

        \(Place.usage)

        A host of a cluster has all messages, lays them out and answers readers by itself. One of them owns the log: it judges events, and the
        others forward to it what is posted there. One that is stopped hands the log over first, as forme cluster move does. When it is silent
        for three seconds another one claims the log; events are answered "busy" until then. Nothing is accepted that is not on the disks of most nodes of the engine and of the owner.
        With --partitions N the log has N parts, each with an owner: hosts share them, and one that is lost stops only those that it owned.

        Start every host so, with a folder of its own:

          forme serve --data FOLDER --cluster chat --host a \\
            --hosts a=10.0.0.1:7400,b=10.0.0.2:7400,c=10.0.0.3:7400 --engine http://10.0.0.1:2379,http://10.0.0.2:2379,http://10.0.0.3:2379

        then forme cluster init on one of them. Folders of the others are new, or copies of that one from before it was in a cluster. Beyond
        one machine hosts need keys: each makes its own (forme keys make --keys K; forme keys make --keys K --name host --role host), lets
        the others in by their names (forme keys allow --keys K --name b --role host --public KEY), and trusts their services (forme keys
        trust --key K/host.key --server KEY).
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: name, operands: 2, options: Place.options + ["within", "partition"], switches: ["json", "log"])
        let most = arguments.operands.first == "move" ? 2 : 1
        guard arguments.operands.count <= most else {
            throw arguments.refusal("'\(arguments.operands[most])' is not expected here")
        }
        var task = try OperatorTask(arguments)
        switch arguments.operands.first {
        case "status":
            let standing = try ClusterStandingText(task.ask(.cluster)["cluster"])
            print(arguments.has("json") ? standing.json.indented() : standing.table)
        case "init": try task.tell(.adopt(partition: try partition(arguments)))
        case "check": try check(&task, arguments)
        case "move": try move(&task, arguments)
        default: throw arguments.refusal("cluster takes status, init, check or move")
        }
    }

    private func partition(_ arguments: Arguments) throws -> Int? {
        guard arguments.text("partition") != nil else { return nil }
        return try arguments.integer("partition", in: 0...ClusterSettings.mostPartitions - 1, default: 0)
    }

    /// Asks for another owner, and waits until it is one.
    private func move(_ task: inout OperatorTask, _ arguments: Arguments) throws {
        guard arguments.operands.count == 2 else { throw arguments.refusal("which host is to own the log?") }
        let name = arguments.operands[1]
        let seconds = try arguments.integer("within", in: 1...3600, default: 10)
        let end = ContinuousClock.now + .seconds(seconds)
        let partition = try partition(arguments)
        let log = partition.map { "partition \($0) of the log" } ?? "the log"
        _ = try task.ask(.move(to: name, partition: partition))
        while true {
            let standing = try ClusterStandingText(task.ask(.cluster)["cluster"])
            let owner = standing.owner(of: partition)
            if owner == name { return print("\(name) owns \(log)") }
            guard .now >= end else { _ = try task.rest(.milliseconds(100)); continue }
            throw Failure(
                .failed, "\(owner ?? standing.owners) owns \(log), and \(name) has not claimed it in \(seconds) s")
        }
    }

    /// Waits until all hosts are at one record of the log and have the same rows, or says what differs.
    private func check(_ task: inout OperatorTask, _ arguments: Arguments) throws {
        let seconds = try arguments.integer("within", in: 1...3600, default: 60)
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        var ofLogs: String?
        var ofRows: String?
        while true {
            // A host that has said nothing since may have been killed, and be back with less than it had then.
            let asked = ContinuousClock.now - start
            let standing = try ClusterStandingText(task.ask(.cluster)["cluster"])
            ofLogs = standing.difference(heardWithin: asked)
            if ofLogs == nil, arguments.has("log") {
                return print("all hosts have the same log: \(standing.summary)")
            }
            if ofLogs == nil {
                let rows = try compareRows(&task, until: end)
                guard let found = rows.difference else {
                    return print("all hosts have the same log and the same \(rows.count) rows: \(standing.summary)")
                }
                // A comparison that the end cut short says less than the one before it.
                if rows.isComplete || ofRows == nil { ofRows = found }
            }
            // Each host's last word is a moment old: the end may fall where one has heard of a record and another not yet,
            // which says nothing against rows that differed.
            let found = [ofRows, ofLogs].compactMap { $0 }.joined(separator: "; since then, ")
            if .now >= end { throw Failure(.failed, found) }
            _ = try task.rest(.milliseconds(100))
        }
    }

    private func compareRows(_ task: inout OperatorTask, until end: ContinuousClock.Instant) throws -> ComparedRows {
        let number = try task.ask(.compare)["count"]?.number?.integer
        while true {
            let json = try task.ask(.cluster)["cluster"]
            let rows = ComparedRows(json, number)
            if rows.isComplete || .now >= end { return rows }
            _ = try task.rest(.milliseconds(50))
        }
    }
}

/// Rows of all hosts, as they were counted for one question.
private struct ComparedRows {
    private struct Sum: Equatable {
        var edition: String?
        var count: Int?
        var digest: String?
    }

    private let sums: [(host: String, sum: Sum)]
    private let missing: [String]

    init(_ json: JSONValue?, _ number: Int?) {
        let comparison = json?["comparison"]
        let isOurs = comparison?["number"]?.number?.integer == number
        sums = (isOurs ? comparison?["rows"]?.array ?? [] : []).map { one in
            let sum = Sum(
                edition: one["edition"]?.string, count: one["count"]?.number?.integer, digest: one["digest"]?.string)
            return (one["host"]?.string ?? "", sum)
        }
        let hosts = [json?["host"]?.string ?? ""] + (json?["others"]?.array ?? []).compactMap { $0["host"]?.string }
        let counted = Set(sums.map(\.host))
        missing = hosts.filter { !counted.contains($0) }.sorted()
    }

    var isComplete: Bool { missing.isEmpty }
    var count: Int { sums.first?.sum.count ?? 0 }

    /// A sentence about the difference between hosts; nil where they have the same rows.
    var difference: String? {
        if !missing.isEmpty { return "\(missing.joined(separator: ", ")) did not say what rows are there" }
        guard let first = sums.first else { return nil }
        for (host, sum) in sums {
            guard let count = sum.count else { return "\(host) cannot read its rows; its log says why" }
            if sum.edition != first.sum.edition {
                return "\(host) serves edition \(sum.edition ?? ""), and \(first.host) \(first.sum.edition ?? "")"
            }
            if sum != first.sum {
                return count == first.sum.count
                    ? "\(host) has other rows than \(first.host), as many as there"
                    : "\(host) has \(count) rows, and \(first.host) \(first.sum.count ?? 0)"
            }
        }
        return nil
    }
}

/// The standing of a cluster for people, from its coordinator's answer.
struct ClusterStandingText {
    private struct Host {
        var name: String
        var record: Int?
        var link: String?
        var entries: Int?
        var heardBefore: Int?
        var isLost: Bool
    }

    let json: JSONValue
    private let own: Host
    private let others: [Host]

    init(_ json: JSONValue?) throws {
        guard let json, let name = json["host"]?.string else {
            throw Failure(.failed, "the coordinator says nothing of a cluster; is its version the same as ours?")
        }
        self.json = json
        own = Self.host(json, name)
        others = (json["others"]?.array ?? []).map { Self.host($0, $0["host"]?.string ?? "") }
    }

    private static func host(_ json: JSONValue, _ name: String) -> Host {
        Host(
            name: name, record: json["record"]?.number?.integer, link: json["link"]?.string,
            entries: json["entries"]?.number?.integer, heardBefore: json["heard_before"]?.number?.integer,
            isLost: json["lost"]?.bool ?? (json["standing"]?.string == "lost"))
    }

    private var standing: String { json["standing"]?.string ?? "" }
    var owner: String? { json["owner"]?.string }

    /// The standing in each partition; none where the log has one.
    private var parts: [JSONValue] { json["partitions"]?.array ?? [] }

    /// The owner of one partition; of all, where none is named and one host owns them all.
    func owner(of partition: Int?) -> String? {
        guard let partition, !parts.isEmpty else { return owner }
        return parts.indices.contains(partition) ? parts[partition]["owner"]?.string : nil
    }

    /// The owner; where the log has several partitions, those of all.
    var owners: String {
        guard !parts.isEmpty else { return owner ?? "nobody" }
        return parts.map { $0["owner"]?.string ?? "nobody" }.joined(separator: ", ")
    }

    var summary: String { "\(own.entries ?? 0) entries, \(own.record ?? 0) records, owned by \(owners)" }

    /// A sentence about the difference between hosts; nil where they are at the same record.
    ///
    /// - Parameter time: the age from which on a host's last word says nothing of now.
    func difference(heardWithin time: Duration) -> String? {
        let patience = min(ClusterStanding.patience, Int(time / .milliseconds(1)))
        for other in others {
            if other.isLost { return "\(other.name) cannot go on from its own journal" }
            guard let record = other.record, let before = other.heardBefore, before <= patience else {
                return "\(other.name) is not heard"
            }
            if record != own.record {
                return "\(other.name) is at record \(record), and \(own.name) at \(own.record ?? 0)"
            }
            if other.link != own.link { return "\(other.name) has another log than \(own.name)" }
        }
        if own.isLost { return "\(own.name) cannot go on from its own journal" }
        guard parts.isEmpty ? owner == nil : parts.contains(where: { $0["owner"]?.string == nil }) else { return nil }
        return "\(own.name) has read no claim of the log; where nobody has begun it, forme cluster init does"
    }

    var table: String {
        let head = "cluster \(json["cluster"]?.string ?? "") · this is \(own.name), \(standing) · "
        let door = json["door"]?.string == "busy" ? " · events are answered busy" : ""
        let rows = ([own] + others).sorted { $0.name < $1.name }.map { host in
            [
                host.name,
                host.name == owner ? "owner" : host.isLost ? "lost" : host.record == nil ? "not heard" : "replica",
                host.record.map { "\($0)" } ?? "", host.entries.map { "\($0)" } ?? "",
                host.name == own.name ? "here" : host.heardBefore.map { "\(Double($0 / 100) / 10) s ago" } ?? "",
            ]
        }
        guard parts.isEmpty else {
            let hosts = rows.map { row in [row[0], owned(by: row[0]), row[2], row[3], row[4]] }
            let table = Columns.aligned([["host", "owns", "records", "entries", "heard"]] + hosts, left: [0, 1])
            return "\(head)owned by \(owners)\(door)\n\(partitions)\n\(table)"
        }
        return head + (owner.map { "owned by \($0)" } ?? "nobody owns the log") + door + "\n"
            + Columns.aligned([["host", "", "records", "entries", "heard"]] + rows, left: [0, 1])
    }

    /// A line for each partition.
    private var partitions: String {
        let rows = parts.enumerated().map { number, part in
            [
                "\(number)", part["owner"]?.string ?? "nobody", part["standing"]?.string ?? "",
                part["record"]?.number?.integer.map { "\($0)" } ?? "",
                part["entries"]?.number?.integer.map { "\($0)" } ?? "",
            ]
        }
        return Columns.aligned([["partition", "owner", "here", "records", "entries"]] + rows, left: [1, 2])
    }

    /// The partitions that a host owns, by their numbers.
    private func owned(by host: String) -> String {
        parts.indices.filter { parts[$0]["owner"]?.string == host }.map { "\($0)" }.joined(separator: " ")
    }
}
