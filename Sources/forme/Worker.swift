import Daemons
import FormeLayout
import Settings
import Storage
import Transport
import Wire

extension Command {
    static let worker = Command(
        name: "worker",
        summary: "lays out what the coordinator hands it, into the cache",
        usage: """
            usage: forme worker [OPTIONS]

            \(Place.usage)
            \(StyleOption.usage)
            \(FontOption.usage)
            \(Stop.usage)

            Any number may run. One that is told to stop finishes what it has taken.
            """
    ) { words in
        let arguments = try Arguments(
            words, of: "worker", options: Place.options + [StyleOption.name, FontOption.name], switches: [Stop.name])
        let place = try Place(arguments)
        let style = try StyleFiles.open(place.configuration.style)
        let fonts = FontOption.loader(place.configuration.fonts)
        let stop = try Stop(arguments)
        let access = try place.calling(place.endpoints.workers, as: "worker")
        let retention = try Mailbox<ShardRetention>()
        retention.post(ShardRetention(place.configuration))
        try Reload(arguments, of: place) { retention.post(ShardRetention($0)) }.atSignal()
        var loop = try WorkerLoop(
            in: place.folder, at: place.endpoints, access: access, style: style,
            waitsForDisk: place.configuration.durability == .full, retention: retention, fonts: fonts)
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
