import Glibc
package import Operations
package import Wire

/// Everything that an operator chooses, in one value: the settings of `config/forme.json5`, or the defaults without
/// it.
///
/// Paths are as on the command line: from the folder in which the service is started.
package struct Configuration: Equatable, Sendable {
    package var data = "forme-data"
    package var listen = Listening.everywhere(.folder)
    /// `HOST:PORT` where workers of other hosts come in, beside those of this one; nil where none do.
    package var remotes: String?
    /// `HOST:PORT` of this machine where the operator reads figures; nil where nobody does.
    package var metrics: String?
    package var workers = 2
    package var style = "config/styles/bubble.json5"
    package var fonts = "config/fonts.json5"
    package var durability = Durability.full
    /// The number of shards of a new folder; an existing one keeps its number.
    package var shards = Configuration.standardShards
    /// The most files of an edition that is made from now on; as many as `shards` where nothing is said.
    package var files = Configuration.standardShards
    /// Megabytes of all caches of a gateway together.
    package var memory = 512
    package var targets = Targets()
    package var limits = Bounds()
    package var retention = Retention()
    package var security = Protection()
    package var http = Web()
    package var log = Logging()
    package var traces = Tracing()
    /// Other hosts that have the same messages; nil where this is the only one.
    package var cluster: ClusterSettings?

    package init() {}

    /// One shard for each processor, so that each worker that there is room for has one. Every shard in which
    /// something happens costs a batch and a transaction of its own in a turn.
    package static let standardShards = shards(forProcessors: sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    static func shards(forProcessors count: Int) -> Int { min(max(2, count), 64) }

    /// The number of shards of a new folder: in a cluster, each partition of the log has as many.
    package var newShards: Int {
        let partitions = cluster?.partitions ?? 1
        return (shards + partitions - 1) / partitions * partitions
    }
    /// The most files of a new edition: as many as shards, unless there are to be fewer.
    package var newFiles: Int { files == shards ? newShards : files }

    /// Bytes above which a process of the service defends itself (`MemoryGuard`): the size of its caches, and as much
    /// again and 128 MiB for its work.
    package var memoryCeiling: Int { (2 * memory + 128) << 20 }

    /// The settings of a gateway's HTTP.
    package struct Web: Equatable, Sendable {
        /// `HOST:PORT`, the host as a number; nil where HTTP is not spoken.
        package var listen: String?
        /// The folder of the keys of tokens; nil where nobody is asked for one.
        package var tokens: String?
        /// Files in PEM form; nil where a proxy in front speaks TLS, or nobody does.
        package var certificate: String?
        package var certificateKey: String?
        /// Origins whose pages may read the answers.
        package var origins: [String] = []
        /// Whether all connections come from a proxy of the operator's, which speaks TLS.
        package var proxy = false
        /// Addresses and networks of the proxies whose X-Forwarded-For is believed; no other's is. Where there are
        /// none, the proxy has to limit addresses.
        package var proxies: [String] = []
        /// Whether tokens and messages may cross a network as they are, where there is no certificate and no proxy.
        package var mayBePlain = false
        /// The rights of other machines without a token.
        package var open = Openness.nothing
        package var connections = 10_000
        /// Nil means 256 or, behind a proxy that is not named, as many as `connections`.
        package var connectionsPerAddress: Int?
        /// Seconds from the start of a connection, the handshake of TLS included, to the end of its first head.
        package var firstHeadSeconds = 10
        /// Streams of one reader, who is known by the key and the subject of the tokens.
        package var streamsPerSubject = 64
        /// Days from the issue of a token to its expiry, at most.
        package var tokenDays = 366
        /// Whether the pages for people are sent: a chat in the browser, and one that compares layouts with the
        /// browser's own.
        package var pages = false

        package enum Openness: Equatable, Sendable, CaseIterable {
            case nothing, reading, everything
        }
    }

    /// The moment from which an event counts as kept.
    package enum Durability: String, CaseIterable, Sendable {
        /// When the kernel has it: it survives the end of every process, and not the loss of power.
        case process
        /// When the disk has it.
        case full
    }

    /// Screens that messages are laid out for besides those of the style, because readers ask for them.
    package struct Targets: Equatable, Sendable {
        /// The most of them; 0 for none.
        package var added = 4
        /// The number of readers who ask for a screen within about an hour before it is added.
        package var askedOften = 20
    }

    package struct Bounds: Equatable, Sendable {
        /// Bytes of one message as JSON.
        package var messageBytes = Limits.body
        /// Bytes of the texts in it as UTF-8.
        package var textBytes = Limits.body
        package var eventsPerRequest = 256
        package var conversationsPerConnection = 1 << 20
        /// Events that are accepted and not laid out; more are answered `busy`.
        package var eventsInFlight = 16_384
    }

    package struct Retention: Equatable, Sendable {
        package var content = Content.forever
        package var layouts = Layouts()

        /// The time for which the content of messages is kept.
        package enum Content: Equatable, Sendable {
            case forever
            case days(Int)
            case noneAfterLayout
        }

        /// The limits within which layouts are kept; nil means no limit. They can be made again from content that is
        /// kept.
        package struct Layouts: Equatable, Sendable {
            package var days: Int?
            package var messages: Int?
            package var megabytes: Int?
        }
    }

    package struct Protection: Equatable, Sendable {
        /// The folder of the service's key and of the list of those who may come in.
        package var keys: String?
        /// The file of the key that this process shows when it calls others.
        package var key: String?
        package var mayBePlain = false
        /// The group of a gateway that another user runs: it may read the folder, and `forme serve` starts no gateway.
        package var gatewayGroup: String?
    }

    /// Messages that are followed through all processes.
    package struct Tracing: Equatable, Sendable {
        /// A file, or a collector of this machine, to which spans go; nil where no message is followed.
        package var target: String?
        /// One message of so many is followed.
        package var oneIn = 100

        /// Whether spans may go to a target: into a file, or over HTTP no farther than this machine.
        package static func isTarget(_ text: String) -> Bool {
            guard let target = TraceTarget(text) else { return false }
            return target.address.map(Configuration.isOfThisMachine) ?? !text.isEmpty
        }
    }

    package struct Logging: Equatable, Sendable {
        package var format = Log.Format.logfmt
        package var level = Log.Level.info
    }
}

/// The addresses of the five sockets of a service.
package enum Listening: Equatable, Sendable {
    /// All together: in the folder of the data, or on five ports in a row.
    case everywhere(Place)
    /// Each for itself.
    case each(events: Place, workers: Place, ready: Place, fetch: Place, operators: Place)

    package enum Place: Equatable, Sendable {
        case folder
        /// As `HOST:PORT`.
        case address(String)
    }

    package func endpoints(folder: String) -> Endpoints {
        var endpoints = Endpoints(folder: folder)
        switch self {
        case .everywhere(.folder): break
        case .everywhere(.address(let text)):
            guard let ports = Endpoints(hostAndPort: text) else {
                preconditionFailure("\(text) was read as an address")
            }
            endpoints = ports
        case .each(let events, let workers, let ready, let fetch, let operators):
            for (place, socket) in [
                (events, \Endpoints.events), (workers, \.workers), (ready, \.ready), (fetch, \.fetch),
                (operators, \.operators),
            ] {
                if case .address(let text) = place { endpoints[keyPath: socket] = "tcp://\(text)" }
            }
        }
        return endpoints
    }
}
