import Daemons
import Operations
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
        try Reload(arguments, of: place, door: access.door).atSignal()
        var loop = try CoordinatorLoop(in: place.folder, at: place.endpoints, access: access)
        ServiceManager.current.ready("listening at \(place.endpoints.events)")
        try loop.run(until: stop.sources)
    }
}
