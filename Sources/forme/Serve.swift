import Daemons
import FormeLayout
import Settings
import Storage
import Transport

extension Command {
    static let serve = Command(
        name: "serve",
        summary: "runs a coordinator, workers and a gateway, and keeps them running",
        usage: """
            usage: forme serve [OPTIONS]

              --workers N          how many workers (default: that of the configuration, 2)
              --http HOST:PORT     the gateway answers over HTTP, too (default: that of the configuration, off)
            \(Place.usage)
            \(StyleOption.usage)
            \(FontOption.usage)
            \(Stop.usage)

            Each is a process. One that ends is started again; one that does not stay up ends the service. SIGHUP has the
            configuration and the list of keys read again.
            """
    ) { words in
        let arguments = try Arguments(
            words, of: "serve",
            options: Place.options + [StyleOption.name, FontOption.name, "workers", "http"], switches: [Stop.name])
        let place = try Place(arguments)
        // Checked here, so that a mistake is told once and not by children.
        _ = try StyleFiles.open(place.configuration.style)
        _ = try place.listening()
        try place.folder.create()

        let common = place.words + ["--\(Stop.name)"]
        let looks = arguments.words([StyleOption.name, FontOption.name])
        var supervisor = try Supervisor(
            [
                ["coordinator"] + common,
                ["gateway"] + common + arguments.words([StyleOption.name, FontOption.name, "http"]),
            ]
                + Array(repeating: ["worker"] + common + looks, count: place.configuration.workers))
        let reload = Reload(arguments, of: place)
        try supervisor.run(until: arguments.has(Stop.name) ? [.standardInput] : [], reload: reload.now)
    }
}
