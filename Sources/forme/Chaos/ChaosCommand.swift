import Chaos
import Console
import Foundation
import Transport

struct ChaosCommand: Command {
    let name = "chaos"
    let summary = "runs a service of its own while everything happens to it, and checks that it kept every word"
    let usage = """
        usage: forme chaos [OPTIONS]

          --seconds N          for so long (default: 60)
          --kills N            processes that are killed in that time (default: two in three seconds)
          --seed N             decides what happens when (default: 1)
          --rate R             events a second (default: 500)
          --conversations C    how many (default: 200)
          --workers N          of the service (default: 2)
          --disk FOLDER        where data goes: a small file system of its own, which is filled up when the disk is to be
                               full. Without it, files may not grow then
        \(QuietOption.usage)
        \(StyleOption.usage)
        \(FontOption.usage)

        Workers, coordinator, gateway and the supervisor of a service are killed and stopped, also in the middle of a
        transaction, its disk fills up, its shards are damaged or lost and its clock jumps, while a flood posts and reads. Then all
        heals. Ends with 0 when everything that was acknowledged was found, nothing else was, and all files are sound.
        Else logs and data are kept, and it is said where.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "chaos",
            options: [
                "seconds", "kills", "seed", "rate", "conversations", "workers", "disk", StyleOption.name,
                FontOption.name,
            ],
            switches: [QuietOption.name])
        let seconds = try arguments.integer("seconds", in: 5...1_000_000, default: 60)
        let kills = try arguments.integer(
            "kills", in: ChaosPlan.leastKills...1_000_000, default: max(ChaosPlan.leastKills, seconds * 2 / 3))
        let seed = UInt64(try arguments.integer("seed", in: 0 ... .max, default: 1))
        var load = ChaosRun.Load()
        load.rate = try arguments.integer("rate", in: 1...1_000_000, default: load.rate)
        load.conversations = try arguments.integer("conversations", in: 1...1_000_000, default: load.conversations)
        load.workers = try arguments.integer("workers", in: 1...256, default: load.workers)
        load.looks = arguments.words([StyleOption.name, FontOption.name])
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "forme-chaos-\(ProcessInfo.processInfo.processIdentifier)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let data = arguments.text("disk").map { URL(filePath: $0).path + "/data" } ?? folder + "/data"
        let stop = try Signals([SIGINT, SIGTERM])
        let plan = ChaosPlan(seed: seed, length: .seconds(seconds), kills: kills)
        var run = try ChaosRun(plan, load: load, in: folder, data: data, stop: stop)
        let report = try run.run { if !arguments.isQuiet { StandardError.write("\($0)\n") } }
        print(report.text)
        guard report.objections.isEmpty else {
            throw Failure(
                .failed, report.objections.joined(separator: "; ") + "; all of it is in \(folder), data in \(data)")
        }
        try FileManager.default.removeItem(atPath: folder)
    }
}

extension ChaosReport {
    /// The report for a terminal.
    var text: String {
        let rows = Mishap.Kind.allCases.map { [$0.rawValue, "\(happened[$0] ?? 0)"] }
        let seconds = Int(plan.length / .seconds(1))
        return """
            \(Columns.aligned([["mishap", "times"]] + rows))

            seed \(plan.seed), \(seconds) s, \(kills) kills; the service was started again \(restarts) times; \
            the disk: \(diskWay)
            \(acknowledged) events acknowledged, \(self.rows) rows found as they must be
            """
    }
}
