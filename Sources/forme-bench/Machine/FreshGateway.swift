import Console
import Daemons
import Storage
import Wire

/// A gateway over the same cache that has just started, so nothing of it is in its memory.
final class FreshGateway {
    let endpoint: String
    private let leash: Leash
    private let gateway: ChildProcess

    /// - Parameter looks: options of `forme gateway`.
    init(over folder: DataFolder, _ looks: [String]) throws {
        // A service has five ports in a row, of which a gateway takes one.
        let address = "127.0.0.1:\(try FreePort.find())"
        guard let endpoints = Endpoints(hostAndPort: address) else { throw Failure(.failed, "no port is free") }
        endpoint = endpoints.fetch
        let leash = try Leash()
        gateway = try ChildProcess(
            program: BuiltProgram.forme(),
            arguments: ["gateway", "--data", folder.path, "--listen", address, "--supervised"] + looks,
            standardInput: leash)
        self.leash = leash
    }

    deinit { gateway.end() }
}
