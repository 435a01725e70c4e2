import Console
import Daemons
import FormeClientZMQ
import Settings
import Storage
import Transport
import Wire

/// Another gateway over the same cache, on TCP, where both sides prove who they are and everything is encrypted.
final class SecureGateway {
    let access: Access
    /// The keys that `forme-baseline-floor` needs to speak with it, or to be like it.
    let environment: [String: String]
    private let gateway: FreshGateway
    var endpoint: String { gateway.endpoint }

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
        gateway = try FreshGateway(over: folder, ["--keys", keys] + looks)
    }
}
