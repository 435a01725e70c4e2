import Daemons
import Pool
import Settings
import Storage
import Transport
import Wire

extension Command {
    static let coordinator = Command(
        name: "coordinator",
        summary: "takes events, keeps them, and has them laid out",
        usage: """
            usage: forme coordinator [OPTIONS]

            \(Place.usage)
            \(Stop.usage)

            Events are acknowledged when they are on disk. After any end, a new start takes up what was not finished.
            """
    ) { words in
        let arguments = try Arguments(words, of: "coordinator", options: Place.options, switches: [Stop.name])
        let place = try Place(arguments)
        let stop = try Stop(arguments)
        let access = try place.listening()
        let changes = try Mailbox<CoordinatorLoop.Settings>()
        try Reload(arguments, of: place, door: access.door) { changes.post(.init($0)) }.atSignal()
        var loop = try CoordinatorLoop(
            in: place.folder, at: place.endpoints, access: access, settings: .init(place.configuration),
            changes: changes)
        try loop.run(until: stop.sources)
    }
}

extension CoordinatorLoop.Settings {
    fileprivate init(_ configuration: Configuration) {
        var ingest = IngestLimits()
        ingest.messageBytes = configuration.limits.messageBytes
        ingest.textBytes = configuration.limits.textBytes
        ingest.eventsPerRequest = configuration.limits.eventsPerRequest
        ingest.conversationsPerConnection = configuration.limits.conversationsPerConnection
        ingest.eventsInFlight = configuration.limits.eventsInFlight
        var dispatch = DispatchLimits()
        dispatch.jobs = configuration.limits.eventsInFlight
        dispatch.waitsForDisk = configuration.durability == .full
        dispatch.demand.targets = configuration.targets.added
        dispatch.demand.asksBefore = configuration.targets.askedOften
        self.init(journal: JournalSettings(configuration), ingest: ingest, dispatch: dispatch)
    }
}

extension JournalSettings {
    fileprivate init(_ configuration: Configuration) {
        let retention: Retention =
            switch configuration.retention.content {
            case .forever: .forever
            case .days(let count): .days(count)
            case .noneAfterLayout: .untilLaidOut
            }
        self.init(
            durability: configuration.durability == .full ? .full : .process, retention: retention,
            shards: configuration.shards)
    }
}
