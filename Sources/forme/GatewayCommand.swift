import Console
import FormeLayout
import Gateway
import MessageLayout
import Operations
import Pool
import Rows
import Settings
import Shaping
import Storage
import Transport
import Wire

struct GatewayCommand: Command {
    let name = "gateway"
    let summary = "answers clients from the cache"
    let usage = """
        usage: forme gateway [OPTIONS]

        \(Place.usage)
        \(StyleOption.usage)
        \(FontOption.usage)
        \(MetricsOption.usage)
        \(TracesOption.usage)
          --http HOST:PORT     answers over HTTP, too (default: that of the configuration, off)
          --pages              with a chat in the browser at / (default: that of the configuration, off)
        \(PageFolder.usage)
          --watch              with pages that say what is wrong with a style that is worked on (forme serve --watch)
        \(Stop.usage)

        The style says how rows are dressed; the workers' style says how they are laid out. For screens that this does not name,
        the gateway lays rows out itself, of what workers have measured: by the style of the edition that is served, which the folder
        keeps, and with that edition's fonts, which this machine has to have.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "gateway",
            options: Place.options + TracesOption.names
                + [StyleOption.name, FontOption.name, "http", MetricsOption.name, PageFolder.name],
            switches: ["pages", StyleWatch.name, Stop.name])
        let place = try Place(arguments)
        try place.refuseRoot()
        try place.enterFolder()
        try FolderFormats.refuseNewer(in: place.folder)
        let stop = try Stop(arguments)
        place.beginTraces(name)
        defer { Traces.end() }
        let access = try place.listeningAsGateway()
        let drafts = try Mailbox<IngestLimits>()
        try Reload(arguments, of: place, door: access.door) { drafts.post(IngestLimits($0)) }.atSignal()
        let style = try StyleFiles.open(place.configuration.style)
        var limits = WindowLimits(memory: place.configuration.memory << 20)
        limits.drafts = IngestLimits(place.configuration)
        var loop = try GatewayLoop(
            in: place.folder, at: place.endpoints, access: access, calling: place.hearing(as: KeyFolder.gatewayName),
            style: style.decoration(),
            source: LayoutSource(style, fonts: FontOption.loader(place.configuration.fonts)()),
            sources: { LayoutSource(kept: $0, in: place) },
            limits: limits, changes: drafts,
            memoryCeiling: place.configuration.memoryCeiling, web: place.web(), metrics: place.configuration.metrics)
        ServiceManager.current.ready("listening at \(place.endpoints.fetch)")
        try loop.run(until: stop.sources)
    }
}

extension LayoutSource {
    /// The source of layouts in an edition that the folder keeps; nil where it cannot be laid out here.
    fileprivate init?(kept edition: EditionID, in place: Place) {
        do {
            guard let json = try EditionFolder(place.folder).edition(edition) else { return nil }
            let (style, fonts) = try CompiledEdition(json: json).openHere(
                besides: FontOption.families(place.configuration.fonts))
            try self.init(of: edition, style, fonts: FontList(fonts))
        } catch {
            Log("gateway").warning(
                "an edition is shown on its own screens only, as it cannot be laid out here",
                ["edition": "\(edition)", "reason": "\(Failure(error).sentence)"])
            return nil
        }
    }

    private init(of edition: EditionID, _ style: StyleSheet, fonts: FontList) throws {
        self.init(edition: edition, style: style, texts: try StyleTexts(style, fonts: fonts)) {
            var layouter = try RowLayouter(style: style, fonts: fonts)
            return DraftLayouter { (message) throws(Objection) in
                let row = try layouter.row(of: message)
                return DraftLayouter.Row(
                    role: RowRole(template: row.template, joinsSeries: row.joinsSeries), layout: row.layout,
                    measured: row.measured)
            }
        }
    }

    fileprivate init(_ style: StyleSheet, fonts: FontList) throws {
        let edition = Edition(name: style.name, style: style, environment: LayoutEnvironment(fonts: fonts))
        try self.init(of: try edition.id, style, fonts: fonts)
    }
}
