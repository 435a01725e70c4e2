import Chaos
import Foundation
import Transport

extension Command {
    static let chaos = Command(
        name: "chaos",
        summary: "runs a service of its own while everything happens to it, and checks that it kept every word",
        usage: """
            usage: forme chaos [OPTIONS]

              --seconds N          for so long (default: 60)
              --kills N            processes that are killed in that time (default: two in three seconds)
              --seed N             decides what happens when (default: 1)
              --rate R             events a second (default: 500)
              --conversations C    how many (default: 200)
              --workers N          of the service (default: 2)
              --folder FOLDER      where data and logs go; a folder on a small file system of its own is filled up when the
                                   disk is to be full (default: a temporary one, in which files may not grow then)
            \(StyleOption.usage)
            \(FontOption.usage)

            Workers, coordinator, gateway and the supervisor of a service are killed and stopped, also in the middle of a
            transaction, its disk fills up, its shards are damaged and its clock jumps, while a flood posts and reads. Then all
            heals. Ends with 0 when everything that was acknowledged was found, nothing else was, and all files are sound.
            Else the folder is kept, and named.
            """
    ) { words in
        let arguments = try Arguments(
            words, of: "chaos",
            options: [
                "seconds", "kills", "seed", "rate", "conversations", "workers", "folder", StyleOption.name,
                FontOption.name,
            ])
        let seconds = try arguments.integer("seconds", in: 5...1_000_000, default: 60)
        let kills = try arguments.integer(
            "kills", in: ChaosPlan.leastKills...1_000_000, default: max(ChaosPlan.leastKills, seconds * 2 / 3))
        let seed = UInt64(try arguments.integer("seed", in: 0 ... .max, default: 1))
        var load = ChaosRun.Load()
        load.rate = try arguments.integer("rate", in: 1...1_000_000, default: load.rate)
        load.conversations = try arguments.integer("conversations", in: 1...1_000_000, default: load.conversations)
        load.workers = try arguments.integer("workers", in: 1...256, default: load.workers)
        load.looks = arguments.words([StyleOption.name, FontOption.name])
        let folder = try ChaosFolder(arguments.text("folder"))
        let stop = try Signals([SIGINT, SIGTERM])
        let plan = ChaosPlan(seed: seed, length: .seconds(seconds), kills: kills)
        var run = try ChaosRun(plan, load: load, in: folder.path, stop: stop)
        let report = try run.run { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        print(report.text)
        guard report.objections.isEmpty else {
            throw Failure(.failed, report.objections.joined(separator: "; ") + ", in \(folder.path)")
        }
        try folder.remove()
    }
}

/// Where one run has its data and logs.
private struct ChaosFolder {
    let path: String

    /// - Parameter parent: where it is made; nil for the folder of temporary files.
    init(_ parent: String?) throws {
        let parent = parent.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let folder = parent.appending(path: "forme-chaos-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path) }
}

extension ChaosReport {
    /// For a terminal.
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
