import Console
import Daemons
import FormeClientZMQ
import Settings
import Storage
import Transport
import Wire

/// Another gateway over the same cache, on TCP, where both sides prove who they are and everything is encrypted.
final class SecureGateway {
    let endpoint: String
    let access: Access
    /// The keys that `forme-baseline-floor` needs to speak with it, or to be like it.
    let environment: [String: String]
    private let leash: Leash
    private let gateway: ChildProcess

    /// - Parameter looks: options of `forme gateway`.
    init(over folder: DataFolder, _ looks: [String]) throws {
        let keys = folder.path + "/keys"
        _ = try BuiltProgram.run(BuiltProgram.forme(), ["keys", "make", "--keys", keys])
        _ = try BuiltProgram.run(
            try BuiltProgram.forme(), ["keys", "make", "--keys", keys, "--name", "bench", "--role", "operator"])
        // A gateway has a pair of its own.
        let server = try KeyFile(reading: KeyFolder(keys).gateway).pair
        let client = try KeyFile(reading: KeyFolder(keys).client("bench"))
        guard let credentials = client.credentials else { throw Failure(.failed, "the keys name no service") }
        access = Access(credentials: credentials)
        environment = [
            "CURVE_SERVER": "\(server.publicKey)", "CURVE_SERVER_SECRET": server.secretKey.revealed(),
            "CURVE_PUBLIC": "\(client.pair.publicKey)", "CURVE_SECRET": client.pair.secretKey.revealed(),
        ]
        // A service has five ports in a row, of which a gateway takes one.
        let address = "127.0.0.1:\(try FreePort.find())"
        guard let endpoints = Endpoints(hostAndPort: address) else { throw Failure(.failed, "no port is free") }
        endpoint = endpoints.fetch
        let leash = try Leash()
        gateway = try ChildProcess(
            program: BuiltProgram.forme(),
            arguments: ["gateway", "--data", folder.path, "--listen", address, "--keys", keys, "--supervised"] + looks,
            standardInput: leash)
        self.leash = leash
    }

    deinit { gateway.end() }
}
