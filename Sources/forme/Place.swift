import Foundation
import Storage
import Transport
import Wire

/// Which Forme a command belongs to: the folder of its files, and the addresses of its sockets.
struct Place {
    static let options = ["data", "listen"]
    static let usage = """
          --data FOLDER        the folder of journal and cache (default: ./forme-data)
          --listen HOST:PORT   four TCP ports from PORT on, instead of sockets in the folder; nothing is encrypted
        """

    let folder: DataFolder
    let endpoints: Endpoints
    /// The options that lead another process to the same place.
    let words: [String]

    init(_ arguments: Arguments) throws {
        let path = URL(filePath: arguments.text("data") ?? "forme-data").path
        folder = DataFolder(path)
        if let address = arguments.text("listen") {
            guard let endpoints = Endpoints(hostAndPort: address) else {
                throw arguments.refusal("--listen takes HOST:PORT, such as 127.0.0.1:7300, not '\(address)'")
            }
            self.endpoints = endpoints
            words = ["--data", path, "--listen", address]
        } else {
            endpoints = Endpoints(folder: path)
            words = ["--data", path]
        }
    }
}

/// What makes a daemon stop: a signal, and the end of its supervisor.
struct Stop {
    static let name = "supervised"
    static let usage = "  --supervised         stop, too, when standard input closes (forme serve gives this)"

    private let signals: Signals
    let sources: [Source]

    init(_ arguments: Arguments) throws {
        signals = try Signals([SIGTERM, SIGINT])
        sources = [signals.source] + (arguments.has(Self.name) ? [.standardInput] : [])
    }
}
