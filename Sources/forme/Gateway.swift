import Gateway
import Storage

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
        var loop = try GatewayLoop(in: place.folder, at: place.endpoints)
        try loop.run(until: stop.sources)
    }
}
