import Operations
import Pool
import Replication
import Transport

private let log = Log("cluster")

/// The line on which this host calls another one, for the loop's thread alone. Where the other host refuses it, or
/// has other keys, operators must mend that there: a warning tells of it, and the line is made again now and then.
final class HostLine {
    let host: HostID
    private let address: String
    private let context: Context
    private let access: Access
    private var socket: Socket?
    private let clock = LoopClock()
    private var nextTry = Moment.start
    private var trouble: TransportError?

    private static let pause = Duration.seconds(1)

    init(to host: HostID, at address: String, in context: Context, _ access: Access) throws {
        (self.host, self.address, self.context, self.access) = (host, address, context, access)
        socket = try open()
    }

    /// Nil while there is no line.
    var source: Source? { socket?.source }

    /// - Returns: false where it was not sent.
    func send(_ bytes: [UInt8]) throws -> Bool {
        try use { socket throws(TransportError) in try socket.send(bytes) == .done } ?? false
    }

    func receive() throws -> [[UInt8]]? {
        try use { socket throws(TransportError) in
            let parts = try socket.receive()
            if parts != nil { trouble = nil }
            return parts
        } ?? nil
    }

    /// Nil where there is no line.
    private func use<Result>(_ body: (borrowing Socket) throws(TransportError) -> Result) throws -> Result? {
        guard socket != nil || clock.now >= nextTry else { return nil }
        let isNew = socket == nil
        do throws(TransportError) {
            if isNew { socket = try open() }
            return try body(socket!)
        } catch {
            // A line that cannot be made again, as file descriptors are short, is no reason to end either.
            guard isNew || error.isOfTheOther else { throw error }
            if trouble != error {
                log.warning("cannot speak to a host of the cluster", ["host": "\(host)", "reason": "\(error)"])
            }
            socket = nil
            (trouble, nextTry) = (error, clock.now + Self.pause)
            return nil
        }
    }

    private func open() throws(TransportError) -> Socket {
        let socket = try Socket(.dealer, in: context, frameLimit: LinkWord.longest, security: access.calling(address))
        try socket.connect(address)
        return socket
    }
}

extension TransportError {
    /// Whether the other end refuses, or is not the one that was meant.
    fileprivate var isOfTheOther: Bool {
        switch self {
        case .notAdmitted, .wrongServerKey, .otherSecurity: true
        default: false
        }
    }
}
