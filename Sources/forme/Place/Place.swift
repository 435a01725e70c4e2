import Console
import Foundation
import Operations
import Settings
import Storage
import Transport
import Wire

/// The service that a command belongs to: its configuration, overridden by the options of the command.
struct Place {
    static let options = ["config", "data", "listen", "keys", "key"]
    static let usage = """
          --config FILE        the configuration (default: \(Configuration.standardFile), or else
                               \(Configuration.installedFile), where one is there)
          --data FOLDER        the folder of journal and cache (default: ./forme-data)
          --listen HOST:PORT   five TCP ports from PORT on, instead of sockets in the folder
          --keys FOLDER        the keys of a service that listens on TCP (forme help keys)
          --key FILE           the key to show to a service on TCP
        """

    let configuration: Configuration
    /// The folder from which pages are sent while they are worked on; nil where this program's own are sent.
    let webFolder: String?
    /// Whether somebody works on the style, and pages show its mistakes.
    let isWatched: Bool
    /// The options that lead another process to the same place.
    let words: [String]
    /// The command that is run there.
    let command: String

    var folder: DataFolder { DataFolder(configuration.data) }
    var endpoints: Endpoints { configuration.listen.endpoints(folder: configuration.data) }

    init(_ arguments: Arguments) throws {
        configuration = try Place.configuration(arguments)
        webFolder = try PageFolder.path(arguments)
        isWatched = arguments.has(StyleWatch.name)
        words = arguments.words(Place.options)
        command = arguments.command
        Log.use(configuration.log.format, configuration.log.level)
        try openMask()
    }

    /// The configuration, read anew at each call.
    static func configuration(_ arguments: Arguments) throws -> Configuration {
        var configuration = Configuration()
        if let file = arguments.text("config") {
            configuration = try Configuration(reading: file)
        } else if let file = [Configuration.standardFile, Configuration.installedFile].first(where: {
            FileManager.default.fileExists(atPath: $0)
        }) {
            configuration = try Configuration(reading: file)
        }
        if let path = arguments.text("data") { configuration.data = URL(filePath: path).path }
        if let address = arguments.text("listen"), address == "folder" {
            configuration.listen = .everywhere(.folder)
        } else if let address = arguments.text("listen") {
            guard Listening.Place.isAddress(address, ports: 5) else {
                if Listening.Place.isAddress(address, ports: 1) {
                    throw arguments.refusal(
                        "--listen takes five ports from PORT on, so PORT is 65531 at most; not '\(address)'")
                }
                throw arguments.refusal("--listen takes HOST:PORT, such as 127.0.0.1:7300, not '\(address)'")
            }
            configuration.listen = .everywhere(.address(address))
        }
        if let address = arguments.text(RemoteDoorOption.name) {
            guard address == "off" || Listening.Place.isAddress(address, ports: 1) else {
                throw arguments.refusal("--remotes takes HOST:PORT, such as 10.0.0.1:7400, not '\(address)'")
            }
            configuration.remotes = address == "off" ? nil : address
        }
        if let address = arguments.text(MetricsOption.name) {
            guard address == "off" || Configuration.isOfThisMachine(address) else {
                throw arguments.refusal(
                    "--metrics takes HOST:PORT of this machine, such as 127.0.0.1:9464, not '\(address)': it asks for no token"
                )
            }
            configuration.metrics = address == "off" ? nil : address
        }
        try TracesOption.read(arguments, into: &configuration.traces)
        try ClusterOption.read(arguments, into: &configuration.cluster)
        configuration.workers = try arguments.integer("workers", in: 1...256, default: configuration.workers)
        if let style = arguments.text(StyleOption.name) { configuration.style = style }
        if let fonts = arguments.text(FontOption.name) { configuration.fonts = fonts }
        (configuration.style, configuration.fonts) = (
            SharedFile.path(configuration.style), SharedFile.path(configuration.fonts)
        )
        if let address = arguments.text("http") {
            guard address == "off" || Listening.Place.isAddress(address, ports: 1) else {
                throw arguments.refusal("--http takes HOST:PORT, such as 127.0.0.1:7310, not '\(address)'")
            }
            configuration.http.listen = address == "off" ? nil : address
        }
        if arguments.has("pages") || arguments.text(PageFolder.name) != nil { configuration.http.pages = true }
        if let keys = arguments.text("keys") { configuration.security.keys = keys }
        if let key = arguments.text("key") { configuration.security.key = key }
        return configuration
    }
}

extension Place {
    private var plain: PlainTransport { configuration.security.mayBePlain ? .anywhere : .onThisMachine }

    /// The access of a process that others call.
    func listening() throws -> Access {
        guard let path = configuration.security.keys else { return Access(plain: plain) }
        return try listening(KeyFolder(path), with: KeyFolder(path).server)
    }

    /// The access of a gateway, which faces the outside: it has a pair of its own, so that it reads no other secret.
    func listeningAsGateway() throws -> Access {
        guard let path = configuration.security.keys else { return Access(plain: plain) }
        let keys = KeyFolder(path)
        guard !keys.hasGateway else { return try listening(keys, with: keys.gateway) }
        Log("gateway").warning(
            "uses the keys of the service and of an operator, which the next version does not; make its own",
            ["command": "forme keys make --keys \(path) --name gateway --role gateway"])
        return try listening()
    }

    private func listening(_ keys: KeyFolder, with file: String) throws -> Access {
        let log = Log("door")
        let door = Door(try keys.guests()) { stranger in
            log.warning(
                "turned a key away",
                [
                    "key": "\(stranger.key)", "address": "\(stranger.address)",
                    "reason": stranger.isPunished
                        ? "it did harm, and is kept out for a time"
                        : stranger.guest.map { "\($0.name) is a \($0.role.rawValue)" } ?? "on no list",
                ])
        }
        return Access(server: try KeyFile(reading: file).pair, door: door, plain: plain)
    }

    /// The access of a process that calls.
    ///
    /// - Parameter name: the file of the folder of keys that is used where no key is named.
    func calling(_ endpoint: String, as name: String) throws -> Access {
        guard Access.needsKeys(endpoint) else {
            try Self.refuseForeign(endpoint)
            return Access()
        }
        guard let path = keyFile(name) else { return Access(plain: plain) }
        try refuseMissing(path, of: name)
        guard let credentials = try KeyFile(reading: path).credentials else {
            throw Failure(.usage, "\(path) names no service; add its key with forme keys trust")
        }
        return Access(credentials: credentials)
    }

    /// Refuses a key of the folder that was never made, and tells how to make it, which is known here alone.
    private func refuseMissing(_ path: String, of name: String) throws {
        guard let keys = configuration.security.keys, KeyFolder(keys).client(name) == path,
            !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: keys)
        else { return }
        throw Failure(
            .inputOutput,
            "\(path) is missing; make it with forme keys make --keys \(keys) --name \(name) --role \(name), or name a key with --key"
        )
    }

    /// Refuses a socket in a folder that this user may not open: a client would wait for it as if nobody were there.
    private static func refuseForeign(_ endpoint: String) throws {
        guard endpoint.hasPrefix("ipc://") else { return }
        let path = String(endpoint.dropFirst(6))
        guard unsafe access(path, R_OK | W_OK) != 0, errno == EACCES else { return }
        throw Failure.forbidden(path, at: path, or: "give --listen and --key")
    }

    /// The file of the key that is shown; nil where there is none. A gateway's own goes before any other.
    private func keyFile(_ name: String) -> String? {
        let keys = configuration.security.keys.map { KeyFolder($0) }
        let isGateway = name == KeyFolder.gatewayName
        if isGateway, let keys, keys.hasGateway { return keys.gateway }
        // A folder of the version before has none, and its gateway shows the operator's key.
        return configuration.security.key ?? keys?.client(isGateway ? "operator" : name)
    }
}

extension Place {
    /// The access of a process that listens to hints; nil where it has no key to show, and does without.
    ///
    /// - Parameter name: see `calling`.
    func hearing(as name: String) throws -> Access? {
        let endpoint = endpoints.ready
        if Access.needsKeys(endpoint), configuration.security.key == nil, let file = keyFile(name),
            !FileManager.default.fileExists(atPath: file)
        {
            return nil
        }
        return try calling(endpoint, as: name)
    }
}

extension Place {
    /// The access of the workers of this service. Refuses a key that the service would turn away.
    func working() throws -> Access {
        let access = try calling(endpoints.workers, as: KeyFolder.workerName)
        guard let credentials = access.credentials, let path = configuration.security.keys else { return access }
        let (keys, key) = (KeyFolder(path), credentials.pair.publicKey)
        guard try keys.guests()[key]?.role != .worker else { return access }
        throw Failure(
            .refused,
            "\(keys.allowed) has no worker with the key \(key), which workers show; allow it with forme keys allow --role worker"
        )
    }
}

/// The reasons for a daemon to stop: a signal, and the end of its supervisor.
struct Stop {
    static let name = "supervised"
    static let usage = "  --supervised         stop, too, when standard input closes (forme serve gives this)"

    private let signals: Signals
    let sources: [Source]

    init(_ arguments: Arguments) throws {
        // Where files may not grow past a limit, a write fails, and the process goes on.
        signal(SIGXFSZ, SIG_IGN)
        signals = try Signals([SIGTERM, SIGINT])
        sources = [signals.source] + (arguments.has(Self.name) ? [.standardInput] : [])
    }
}
