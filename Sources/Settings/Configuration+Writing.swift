package import JSON
import Operations

extension Configuration {
    /// The whole configuration, defaults included; reading it gives the same configuration again.
    package var json: JSONValue {
        .fields([
            ("data", .string(data)),
            ("listen", listen.json), ("remotes", .string(remotes ?? "off")),
            ("metrics", .string(metrics ?? "off")),
            ("workers", .integer(workers)),
            ("style", .string(style)),
            ("fonts", .string(fonts)),
            ("durability", .string(durability.rawValue)),
            ("shards", .integer(shards)), ("files", .integer(files)), ("memory", .integer(memory)),
            ("targets", .fields([("added", .integer(targets.added)), ("askedOften", .integer(targets.askedOften))])),
            (
                "limits",
                .fields([
                    ("messageBytes", .integer(limits.messageBytes)),
                    ("textBytes", .integer(limits.textBytes)),
                    ("eventsPerRequest", .integer(limits.eventsPerRequest)),
                    ("conversationsPerConnection", .integer(limits.conversationsPerConnection)),
                    ("eventsInFlight", .integer(limits.eventsInFlight)),
                ])
            ),
            ("retention", .fields([("content", retention.content.json), ("layouts", retention.layouts.json)])),
            (
                "security",
                .fields([
                    ("keys", security.keys.map(JSONValue.string)),
                    ("key", security.key.map(JSONValue.string)),
                    ("plainTransport", .string(security.mayBePlain ? Self.plainAccepted : Self.plainRefused)),
                    ("gatewayGroup", security.gatewayGroup.map(JSONValue.string)),
                ])
            ),
            (
                "http",
                .fields([
                    ("listen", .string(http.listen ?? "off")),
                    ("tokens", http.tokens.map(JSONValue.string)),
                    ("certificate", http.certificate.map(JSONValue.string)),
                    ("certificateKey", http.certificateKey.map(JSONValue.string)),
                    ("origins", .array(http.origins.map(JSONValue.string))),
                    ("proxy", .bool(http.proxy)),
                    ("proxies", .array(http.proxies.map(JSONValue.string))),
                    ("plainTransport", .string(http.mayBePlain ? Web.plainAccepted : Self.plainRefused)),
                    ("withoutTokens", .string(http.open.words)),
                    ("connections", .integer(http.connections)),
                    ("connectionsPerAddress", http.connectionsPerAddress.map(JSONValue.integer)),
                    ("firstHeadSeconds", .integer(http.firstHeadSeconds)),
                    ("streamsPerSubject", .integer(http.streamsPerSubject)),
                    ("tokenDays", .integer(http.tokenDays)),
                    ("pages", .bool(http.pages)),
                ])
            ),
            (
                "traces",
                .fields([("target", .string(traces.target ?? "off")), ("oneIn", .integer(traces.oneIn))])
            ),
            ("cluster", cluster.map(\.json) ?? .string("off")),
            ("log", .fields([("format", .string(log.format.rawValue)), ("level", .string(log.level.rawValue))])),
        ])
    }
}

extension ClusterSettings {
    fileprivate var json: JSONValue {
        .fields([
            ("name", .string(name)), ("host", .string(host)), ("engine", .array(engine.map(JSONValue.string))),
            ("hosts", .fields(hosts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            ("partitions", .integer(partitions)),
            (
                "certificates",
                certificates.map {
                    .fields([
                        ("authority", .string($0.authority)), ("certificate", .string($0.certificate)),
                        ("key", .string($0.key)),
                    ])
                }
            ),
        ])
    }
}

extension Listening {
    fileprivate var json: JSONValue {
        switch self {
        case .everywhere(let place): place.json
        case .each(let events, let workers, let ready, let fetch, let operators):
            .fields([
                ("events", events.json), ("workers", workers.json), ("ready", ready.json), ("fetch", fetch.json),
                ("operators", operators.json),
            ])
        }
    }
}

extension Listening.Place {
    fileprivate var json: JSONValue {
        switch self {
        case .folder: .string("folder")
        case .address(let text): .string(text)
        }
    }
}

extension Configuration.Retention.Content {
    fileprivate var json: JSONValue {
        switch self {
        case .forever: .string("forever")
        case .days(let days): .fields([("days", .integer(days))])
        case .noneAfterLayout: .string("none after layout")
        }
    }
}

extension Configuration.Retention.Layouts {
    fileprivate var json: JSONValue {
        guard self != Self() else { return .string("forever") }
        return .fields([
            ("days", days.map(JSONValue.integer)), ("messages", messages.map(JSONValue.integer)),
            ("megabytes", megabytes.map(JSONValue.integer)),
        ])
    }
}

extension JSONValue {
    /// An object of the members that have a value.
    fileprivate static func fields(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(JSONObject(members.compactMap { key, value in value.map { JSONObject.Member(key, $0) } }))
    }

    fileprivate static func integer(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}

extension Configuration.Web.Openness {
    fileprivate var words: String {
        switch self {
        case .nothing: Configuration.plainRefused
        case .reading: Configuration.Web.readingAccepted
        case .everything: Configuration.plainAccepted
        }
    }
}
