import Console
import Daemons
import FormeLayout
import Operations
import Settings
import Storage
import Transport
import Wire

struct ServeCommand: Command {
    let name = "serve"
    let summary = "runs a coordinator, workers and a gateway, and keeps them running"
    let usage = """
        usage: forme serve [OPTIONS]

          --workers N          how many workers (default: that of the configuration, 2)
          --http HOST:PORT     the gateway answers over HTTP, too (default: that of the configuration, off)
          --pages              with a chat in the browser at / (default: that of the configuration, off)
        \(PageFolder.usage)
        \(StyleWatch.usage)
        \(RemoteDoorOption.usage)
        \(MetricsOption.usage)
        \(TracesOption.usage)
        \(ClusterOption.usage)
        \(Place.usage)
        \(StyleOption.usage)
        \(FontOption.usage)
        \(Stop.usage)

        Each is a process. One that ends is started again; one that does not stay up ends the service. SIGHUP has the
        configuration and the list of keys read again. Where the style or a font is another than before, all is laid out anew
        behind what people write, and shown when it is done; until then, some workers stay with what is shown.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "serve",
            options: Place.options
                + [
                    StyleOption.name, FontOption.name, "workers", "http", PageFolder.name, RemoteDoorOption.name,
                    MetricsOption.name,
                ] + TracesOption.names + ClusterOption.names,
            switches: ["pages", StyleWatch.name, Stop.name])
        let place = try Place(arguments)
        let check = StartCheck(place: place)
        let look = try check.files()
        let own = look.edition
        _ = try place.listening()
        if try place.prepareFolder() {
            Log("serve").warning(
                "closed the folder to others, who could enter it", ["folder": "\(place.folder.path)"])
        }
        try check.claims()
        // The edition is kept before any process works for it.
        try EditionFolder(place.folder).keep(own.json, of: own.id)

        let supervised = place.words + ["--\(Stop.name)"]
        let common = supervised + arguments.words(TracesOption.names)
        let crew = WorkerCrew(
            place.folder, own: own.id, count: place.configuration.workers,
            words: common + arguments.words([FontOption.name]), fonts: look.families)
        let start = String(UInt64.random(in: 0 ... .max), radix: 16)
        var children = [
            ["coordinator"] + common + arguments.words([RemoteDoorOption.name] + ClusterOption.names)
                + ["--edition", own.id.text, "--start", start]
        ]
        if place.configuration.security.gatewayGroup == nil {
            children.append(
                ["gateway"] + common
                    + arguments.words([
                        StyleOption.name, FontOption.name, "http", MetricsOption.name, PageFolder.name,
                    ])
                    + ["pages", StyleWatch.name].filter { arguments.has($0) }.map { "--\($0)" })
        }
        if place.configuration.http.listen != nil {
            // Short tests and trials are over by then; with pages, however, readers have fonts to fetch.
            let wait = place.configuration.http.pages ? "3" : "30"
            children.append(["webfonts"] + supervised + arguments.words([FontOption.name]) + ["--wait", wait])
        }
        var supervisor = try Supervisor(children, crew: crew.plan)
        let reload = Reload(arguments, of: place)
        // Behind the supervisor, so that its thread takes no signal.
        if place.isWatched { try StyleWatch(place, own: own.id, fonts: look.fonts).start() }
        try supervisor.run(until: arguments.has(Stop.name) ? [.standardInput] : [], reload: reload.now)
    }
}
