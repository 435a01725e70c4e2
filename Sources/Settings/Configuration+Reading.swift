package import JSON
import Transport
import Wire

extension Configuration {
    /// The sentence that accepts sockets without keys on a network: nobody writes it by accident.
    package static let plainAccepted = "I accept that anyone on this network can read and write every message"
    static let plainRefused = "refused"

    /// - Parameter name: of the file, for errors: `config/forme.json5:3:14: workers: expected 1...256, found 0`.
    package init(_ bytes: [UInt8], from name: String) throws(JSONError) {
        self = try JSONDocument(name: name, bytes: bytes, dialect: .json5).read { (root) throws(JSONError) in
            try Configuration(root)
        }
    }

    /// The file that is used where no other is named, and only where it is there.
    package static let standardFile = "config/forme.json5"
    /// The file of a service that a package installed.
    package static let installedFile = "/etc/forme/forme.json5"

    package init(reading path: String) throws {
        try self.init(TrustedFile.read(path, .open), from: path)
    }

    private init(_ root: JSONReader) throws(JSONError) {
        let fields = try root.object(knownKeys: [
            "data", "listen", "workers", "remotes", "metrics", "style", "fonts", "durability", "shards", "files",
            "memory",
            "targets",
            "limits",
            "retention",
            "security", "http", "log", "traces", "cluster",
        ])
        if let field = fields.optional("data") { data = try field.path() }
        if let field = fields.optional("listen") { listen = try Listening(field) }
        if let field = fields.optional("remotes") {
            let text = try field.string()
            guard text == "off" || Listening.Place.isAddress(text, ports: 1) else {
                throw field.mismatch(expected: "'off' or HOST:PORT, such as '10.0.0.1:7400'")
            }
            remotes = text == "off" ? nil : text
        }
        if let field = fields.optional("metrics") {
            let text = try field.string()
            guard text == "off" || Self.isOfThisMachine(text) else {
                throw field.mismatch(
                    expected: "'off' or HOST:PORT of this machine, such as '127.0.0.1:9464', as it asks for no token")
            }
            metrics = text == "off" ? nil : text
        }
        if let field = fields.optional("workers") { workers = try field.integer(in: 1...256) }
        if let field = fields.optional("style") { style = try field.path() }
        if let field = fields.optional("fonts") { fonts = try field.path() }
        if let field = fields.optional("durability") { durability = try field.word() }
        if let field = fields.optional("shards") { shards = try field.integer(in: 1...256) }
        files = try fields.optional("files")?.integer(in: 1...256) ?? shards
        if let field = fields.optional("memory") { memory = try field.integer(in: 64...1 << 20) }
        if let field = fields.optional("targets") { targets = try Targets(field) }
        if let field = fields.optional("limits") { limits = try Bounds(field) }
        if let field = fields.optional("retention") { retention = try Retention(field) }
        if let field = fields.optional("security") { security = try Protection(field) }
        if let field = fields.optional("http") { http = try Web(field) }
        if let field = fields.optional("log") { log = try Logging(field) }
        if let field = fields.optional("traces") { traces = try Tracing(field) }
        if let field = fields.optional("cluster"), field.value.string != "off" { cluster = try ClusterSettings(field) }
    }

    /// Whether only this machine can reach the address.
    package static func isOfThisMachine(_ address: String) -> Bool {
        Listening.Place.isAddress(address, ports: 1) && Locality("tcp://\(address)") == .loopback
    }
}

extension Listening {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        guard reader.value.object != nil else {
            let place = try Place(reader, ports: 5)
            self = .everywhere(place)
            return
        }
        let fields = try reader.object(knownKeys: ["events", "workers", "ready", "fetch", "operators"])
        func place(_ name: String) throws(JSONError) -> Place {
            guard let field = fields.optional(name) else { return .folder }
            return try Place(field, ports: 1)
        }
        self = .each(
            events: try place("events"), workers: try place("workers"), ready: try place("ready"),
            fetch: try place("fetch"), operators: try place("operators"))
    }
}

extension Listening.Place {
    fileprivate init(_ reader: JSONReader, ports: Int) throws(JSONError) {
        switch reader.value.string ?? "" {
        case "folder": self = .folder
        case let text where Self.isAddress(text, ports: ports): self = .address(text)
        case let text where Self.isAddress(text, ports: 1):
            throw reader.mismatch(expected: "a port of 65531 at most, as five are taken from it on")
        default: throw reader.mismatch(expected: "'folder' or HOST:PORT, such as '127.0.0.1:7300'")
        }
    }

    /// Whether there is a host, and room for so many ports from the named one on.
    package static func isAddress(_ text: String, ports: Int) -> Bool {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let port = Int(text[text.index(after: colon)...])
        else { return false }
        return port > 0 && port + ports - 1 <= Int(UInt16.max)
    }
}

extension Configuration.Tracing {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["target", "oneIn"])
        if let field = fields.optional("target") {
            let text = try field.string()
            guard text == "off" || Self.isTarget(text) else {
                throw field.mismatch(
                    expected: "'off', a file, or http://HOST:PORT of this machine, such as 'http://127.0.0.1:4318'")
            }
            target = text == "off" ? nil : text
        }
        if let field = fields.optional("oneIn") { oneIn = try field.integer(in: 1...1_000_000_000) }
    }
}

extension ClusterSettings {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        guard reader.value.object != nil else {
            throw reader.mismatch(expected: "'off' or { name: …, host: …, engine: […], hosts: { … } }")
        }
        let fields = try reader.object(knownKeys: ["name", "host", "engine", "hosts", "certificates", "partitions"])
        var engine: [String] = []
        for node in try fields.required("engine").elements() { engine.append(try node.string()) }
        let listed = try fields.required("hosts")
        guard let members = listed.value.object else { throw listed.mismatch(expected: "{ NAME: 'HOST:PORT', … }") }
        var hosts: [String: String] = [:]
        let addresses = try listed.object(knownKeys: members.members.map(\.key))
        for member in members.members { hosts[member.key] = try addresses.required(member.key).string() }
        self.init(
            name: try fields.required("name").string(), host: try fields.required("host").string(), engine: engine,
            hosts: hosts, certificates: try fields.optional("certificates").map(Certificates.init),
            partitions: try fields.optional("partitions")?.integer(in: 1...Self.mostPartitions) ?? 1)
        if let objection { throw reader.mismatch(expected: "a cluster that can be: \(objection)") }
    }
}

extension ClusterSettings.Certificates {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["authority", "certificate", "key"])
        self.init(
            authority: try fields.required("authority").path(), certificate: try fields.required("certificate").path(),
            key: try fields.required("key").path())
    }
}

extension Configuration.Targets {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["added", "askedOften"])
        if let field = fields.optional("added") { added = try field.integer(in: 0...Limits.addedTargets) }
        if let field = fields.optional("askedOften") { askedOften = try field.integer(in: 1...1_000_000_000) }
    }
}

extension Configuration.Bounds {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: [
            "messageBytes", "textBytes", "eventsPerRequest", "conversationsPerConnection", "eventsInFlight",
        ])
        func read(_ name: String, upTo most: Int, _ value: inout Int) throws(JSONError) {
            if let field = fields.optional(name) { value = try field.integer(in: 1...most) }
        }
        // Frames, rows and decoders are made for these; less can be chosen, more cannot.
        try read("messageBytes", upTo: Limits.body, &messageBytes)
        try read("textBytes", upTo: Limits.body, &textBytes)
        try read("eventsPerRequest", upTo: Limits.eventsPerRequest, &eventsPerRequest)
        try read("conversationsPerConnection", upTo: 1 << 24, &conversationsPerConnection)
        try read("eventsInFlight", upTo: 1 << 20, &eventsInFlight)
    }
}

extension Configuration.Retention {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["content", "layouts"])
        if let field = fields.optional("content") { content = try Content(field) }
        if let field = fields.optional("layouts") { layouts = try Layouts(field) }
    }
}

extension Configuration.Retention.Content {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        switch reader.value.string {
        case "forever": self = .forever
        case "none after layout": self = .noneAfterLayout
        case _ where reader.value.object != nil:
            self = .days(try reader.object(knownKeys: ["days"]).required("days").integer(in: 1...36_500))
        default: throw reader.mismatch(expected: "'forever', 'none after layout' or { days: … }")
        }
    }
}

extension Configuration.Retention.Layouts {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        self.init()
        if reader.value.string == "forever" { return }
        guard reader.value.object != nil else {
            throw reader.mismatch(expected: "'forever' or { days: …, messages: …, megabytes: … }")
        }
        let fields = try reader.object(knownKeys: ["days", "messages", "megabytes"])
        days = try fields.optional("days")?.integer(in: 1...36_500)
        messages = try fields.optional("messages")?.integer(in: 1...1_000_000_000_000)
        megabytes = try fields.optional("megabytes")?.integer(in: 1...1_000_000_000)
    }
}

extension Configuration.Web {
    /// The sentence that accepts tokens and messages that others on the way can read.
    package static let plainAccepted = "I accept that anyone on this network can read tokens and messages on their way"
    /// The sentence that accepts readers without a token.
    package static let readingAccepted = "I accept that anyone on this network can read every message"

    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: [
            "listen", "tokens", "certificate", "certificateKey", "origins", "proxy", "proxies", "plainTransport",
            "withoutTokens", "connections", "connectionsPerAddress", "firstHeadSeconds", "streamsPerSubject",
            "tokenDays", "pages",
        ])
        if let field = fields.optional("listen"), field.value.string != "off" {
            guard let text = field.value.string, Listening.Place.isAddress(text, ports: 1) else {
                throw field.mismatch(expected: "'off' or HOST:PORT, such as '127.0.0.1:7310'")
            }
            listen = text
        }
        tokens = try fields.optional("tokens")?.path()
        certificate = try fields.optional("certificate")?.path()
        certificateKey = try fields.optional("certificateKey")?.path()
        guard (certificate == nil) == (certificateKey == nil) else {
            throw reader.mismatch(expected: "certificate and certificateKey together")
        }
        if let field = fields.optional("proxy") { proxy = try field.bool() }
        if let field = fields.optional("proxies") {
            proxies = try field.elements().map { (proxy) throws(JSONError) in try proxy.string() }
            guard proxy || proxies.isEmpty else { throw field.mismatch(expected: "none, or http.proxy: true") }
        }
        if let field = fields.optional("plainTransport") {
            mayBePlain = try field.choice([Configuration.plainRefused: false, Self.plainAccepted: true])
        }
        if let field = fields.optional("withoutTokens") {
            open = try field.choice([
                Configuration.plainRefused: .nothing, Self.readingAccepted: .reading,
                Configuration.plainAccepted: .everything,
            ])
        }
        if let field = fields.optional("connections") { connections = try field.integer(in: 16...1 << 20) }
        if let field = fields.optional("connectionsPerAddress") {
            connectionsPerAddress = try field.integer(in: 1...1 << 20)
        }
        if let field = fields.optional("firstHeadSeconds") { firstHeadSeconds = try field.integer(in: 1...30) }
        if let field = fields.optional("streamsPerSubject") { streamsPerSubject = try field.integer(in: 1...65_536) }
        if let field = fields.optional("tokenDays") { tokenDays = try field.integer(in: 1...36_500) }
        if let field = fields.optional("pages") { pages = try field.bool() }
        for origin in try fields.optional("origins")?.elements() ?? [] { origins.append(try origin.string()) }
    }
}

extension Configuration.Protection {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["keys", "key", "plainTransport", "gatewayGroup"])
        keys = try fields.optional("keys")?.path()
        key = try fields.optional("key")?.path()
        mayBePlain =
            try fields.optional("plainTransport")?.choice([
                Configuration.plainRefused: false, Configuration.plainAccepted: true,
            ]) ?? false
        gatewayGroup = try fields.optional("gatewayGroup")?.name("the name of a group")
    }
}

extension Configuration.Logging {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["format", "level"])
        if let field = fields.optional("format") { format = try field.word() }
        if let field = fields.optional("level") { level = try field.word() }
    }
}

extension JSONReader {
    /// One of the words of an enumeration.
    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>() throws(JSONError) -> Word {
        guard let word = value.string.flatMap({ Word(rawValue: $0) }) else {
            throw mismatch(expected: Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or "))
        }
        return word
    }

    fileprivate func path() throws(JSONError) -> String { try name("a path") }

    /// - Parameter sort: what the text names, in the words of an error.
    fileprivate func name(_ sort: String) throws(JSONError) -> String {
        guard let name = value.string, !name.isEmpty else { throw mismatch(expected: sort) }
        return name
    }
}
