import FormeLayout
import Gateway
import MessageLayout
import Operations
import Settings
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
            \(StyleOption.usage)
            \(FontOption.usage)
              --http HOST:PORT     answers over HTTP, too (default: that of the configuration, off)
            \(Stop.usage)

            The style says how rows are dressed; the workers' style says how they are laid out.
            """
    ) { words in
        let arguments = try Arguments(
            words, of: "gateway", options: Place.options + [StyleOption.name, FontOption.name, "http"],
            switches: [Stop.name])
        let place = try Place(arguments)
        try place.folder.create()
        let stop = try Stop(arguments)
        let access = try place.listening()
        try Reload(arguments, of: place, door: access.door).atSignal()
        let style = try StyleFiles.open(place.configuration.style)
        var loop = try GatewayLoop(
            in: place.folder, at: place.endpoints, access: access, calling: place.hearing(as: "operator"),
            style: style.decoration, web: place.web())
        ServiceManager.current.ready("listening at \(place.endpoints.fetch)")
        try loop.run(until: stop.sources)
    }
}
