import Gateway
import Operations
import Storage
import Transport
import Wire

extension Command {
    static let gateway = Command(
        name: "gateway",
        summary: "answers clients from the cache",
        usage: """
            usage: forme gateway [OPTIONS]

            \(Place.usage)
            \(Stop.usage)
            """
    ) { words in
        let arguments = try Arguments(words, of: "gateway", options: Place.options, switches: [Stop.name])
        let place = try Place(arguments)
        try place.folder.create()
        let stop = try Stop(arguments)
        let access = try place.listening()
        try Reload(arguments, of: place, door: access.door).atSignal()
        var loop = try GatewayLoop(in: place.folder, at: place.endpoints, access: access)
        ServiceManager.current.ready("listening at \(place.endpoints.fetch)")
        try loop.run(until: stop.sources)
    }
}
