import Console
import Daemons
import Glibc
import Settings
import Storage
import Transport
import Wire

struct WorkerCommand: Command {
    let name = "worker"
    let summary = "lays out what the coordinator hands it, into the cache"
    let usage = """
        usage: forme worker [OPTIONS]

        \(Place.usage)
        \(WorkerOption.usage)
        \(Stop.usage)

        Any number may run, for what the service lays out: one with another style is turned away, with 2 and a sentence. One that is told
        to stop finishes what it has taken.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "worker", options: Place.options + WorkerOption.options,
            switches: [Stop.name] + WorkerOption.switches)
        let place = try Place(arguments)
        let task = try WorkerOption.task(arguments, place)
        // Who posts or reads is waiting; a row may come a moment later.
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
    /// Of all shards together.
    fileprivate init(_ configuration: Configuration) {
        let layouts = configuration.retention.layouts
        self.init(
            age: layouts.days.map { Int64($0) * 86_400_000 }, rows: layouts.messages,
            bytes: layouts.megabytes.map { Int64($0) << 20 })
    }
}
