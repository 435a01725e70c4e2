import Console
import Daemons
import Glibc
import Operations
import Settings
import Storage
import Transport
import Wire

struct WorkerCommand: Command {
    let name = "worker"
    let summary = "lays out what the coordinator hands it, into the cache"
    let usage = """
        usage: forme worker [OPTIONS]
               forme worker --remote tcp://HOST:PORT [--key FILE] [--cache FOLDER] [--cache-megabytes N]

        \(Place.usage)
        \(WorkerOption.usage)
        \(TracesOption.usage)
        \(Stop.usage)

          --remote ENDPOINT    lays out for a coordinator of another host, which lets workers in there (its --remotes)
          --cache FOLDER       keeps its fonts there, for their owner only (default: $XDG_CACHE_HOME/forme/remote, or below ~/.cache)
          --cache-megabytes N  as many of them at most (default: 512)

        A worker with --remote needs no folder, no style and no fonts: all of it comes from the coordinator, by hash. It lays out, and a
        worker beside the folder stores what it made, after looking at some of it. A host that makes other rows is let in no more.

        Any number may run, for what the service lays out: one with another style is turned away, with 2 and a sentence. One that is told
        to stop finishes what it has taken.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "worker",
            options: Place.options + WorkerOption.options + RemoteOption.options + TracesOption.names,
            switches: [Stop.name] + WorkerOption.switches)
        let place = try Place(arguments)
        place.beginTraces(name)
        defer { Traces.end() }
        if let endpoint = arguments.text(RemoteOption.name) { return try RemoteOption.work(endpoint, arguments, place) }
        try place.refuseRoot()
        try FolderFormats.refuseNewer(in: place.folder)
        let task = try WorkerOption.task(arguments, place)
        // Clients that post or read are waiting; a row may come a moment later.
        _ = nice(arguments.has(WorkerOption.behind) ? 10 : 3)
        let stop = try Stop(arguments)
        let access = try place.calling(place.endpoints.workers, as: "worker")
        let retention = try Mailbox<ShardRetention>()
        retention.post(ShardRetention(place.configuration))
        try Reload(arguments, of: place) { retention.post(ShardRetention($0)) }.atSignal()
        var loop = try WorkerLoop(
            in: place.folder, at: place.endpoints, access: access, task: task,
            waitsForDisk: place.configuration.durability == .full, retention: retention)
        try loop.run(until: stop.sources)
    }
}

extension ShardRetention {
    /// The retention of all shards together.
    fileprivate init(_ configuration: Configuration) {
        let layouts = configuration.retention.layouts
        self.init(
            age: layouts.days.map { Int64($0) * 86_400_000 }, rows: layouts.messages,
            bytes: layouts.megabytes.map { Int64($0) << 20 })
    }
}
