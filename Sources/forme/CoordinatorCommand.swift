import Console
import Daemons
import FormeLayout
import Glibc
import Operations
import Pool
import Settings
import Storage
import Transport
import Wire

struct CoordinatorCommand: Command {
    let name = "coordinator"
    let summary = "takes events, keeps them, and has them laid out"
    let usage = """
        usage: forme coordinator [OPTIONS]

        \(Place.usage)
        \(RemoteDoorOption.usage)
        \(TracesOption.usage)
        \(ClusterOption.usage)
          --edition ID         an edition of the folder, to be served (forme serve gives this, and which start of it is speaking)
          --start WORD
        \(Stop.usage)

        Events are acknowledged when they are on disk. After any end, a new start takes up what was not finished.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "coordinator",
            options: Place.options + TracesOption.names + ClusterOption.names + [
                RemoteDoorOption.name, "edition", "start",
            ],
            switches: [Stop.name])
        let place = try Place(arguments)
        try place.refuseRoot()
        let stop = try Stop(arguments)
        let access = try place.listening()
        let changes = try Mailbox<CoordinatorLoop.Settings>()
        try Reload(arguments, of: place, door: access.door) { changes.post(.init($0)) }.atSignal()
        var settings = CoordinatorLoop.Settings(place.configuration)
        settings.cluster = try place.cluster()
        if let edition = arguments.text("edition") {
            settings.wanted = WantedEdition(try EditionID(edition), start: try arguments.required("start"))
        }
        place.beginTraces(name)
        defer { Traces.end() }
        let wait = RoomWait(
            in: place.folder, at: place.endpoints, access, limits: settings.ingest.request, until: stop.sources)
        do {
            guard var loop = try CoordinatorLoop.opened(at: place, access, settings, changes, wait) else { return }
            try loop.run(until: stop.sources)
        } catch let error as StorageError where error.isForWantOfRoom {
            // A host of a cluster could not keep what the log has. Its journal is closed by now, and the log is left to
            // other hosts: it may answer nothing, nor own the log. The next process begins with what is on the disk.
            if try wait.restLonger(after: error) { throw error }
        }
    }
}

extension CoordinatorLoop {
    /// Opens the coordinator as soon as the disk has room for its start.
    ///
    /// - Returns: nil when it was told to stop first.
    fileprivate static func opened(
        at place: Place, _ access: Access, _ settings: Settings, _ changes: Mailbox<Settings>, _ wait: RoomWait
    ) throws -> CoordinatorLoop? {
        while true {
            do {
                return try CoordinatorLoop(
                    in: place.folder, at: place.endpoints,
                    remote: place.configuration.remotes.map { "tcp://\($0)" }, access: access, settings: settings,
                    changes: changes,
                    names: { json in try? CompiledEdition(json: json).name }, hasJournal: wait.end)
            } catch let error as StorageError where error.isForWantOfRoom {
                guard try wait.rest(after: error) else { return nil }
            }
        }
    }
}

extension StorageError {
    fileprivate var isForWantOfRoom: Bool {
        switch self {
        case .full: true
        case .notAccessible(_, let code): [ENOSPC, EDQUOT, EFBIG].contains(code)
        default: false
        }
    }
}

extension CoordinatorLoop.Settings {
    fileprivate init(_ configuration: Configuration) {
        var dispatch = DispatchLimits()
        dispatch.jobs = configuration.limits.eventsInFlight
        dispatch.waitsForDisk = configuration.durability == .full
        dispatch.demand.targets = configuration.targets.added
        dispatch.demand.asksBefore = configuration.targets.askedOften
        self.init(
            journal: JournalSettings(configuration), ingest: IngestLimits(configuration), dispatch: dispatch,
            files: configuration.newFiles, memoryCeiling: configuration.memoryCeiling)
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
            shards: configuration.newShards)
    }
}
