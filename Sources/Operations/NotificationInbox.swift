import Glibc

/// The other end of `ServiceManager`: the reports of one child to the process that started it.
package final class NotificationInbox: Sendable {
    /// The address that the child finds in its environment as NOTIFY_SOCKET: the name of the socket and, behind `#`,
    /// the line with which each report begins. Every user of the machine can find the name and send to it; only this
    /// one can read the environment of the child.
    package let address: String
    private let key: String
    package let descriptor: Int32

    /// The prefix of the addresses of a `forme serve`.
    static let prefix = "@forme/"

    package enum Word: Equatable, Sendable {
        case ready
        case alive
        case stopping
        /// This process is to be killed: it holds up others.
        case evict(Int32)
        /// An operator has sent this process away.
        case dismiss(Int32)
        /// The child was sent away: it ends, and is not to be started again.
        case dismissed
        /// All others are to be started anew.
        case renew
        /// The child ends for this reason, as it cannot go on.
        case failed(String)
    }

    /// Nil where the kernel has no more sockets.
    package init?() {
        func digits() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
        let socketName = Self.prefix + "\(getpid())/\(digits())"
        key = digits() + digits()
        address = "\(socketName)#\(key)"
        let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(flags), 0)
        guard descriptor >= 0, var name = UnixAddress(socketName),
            unsafe name.withPointer({ pointer, length in unsafe bind(descriptor, pointer, length) }) == 0
        else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
    }

    deinit { close(descriptor) }

    /// The most reports that are taken at once, so that nobody who sends without an end keeps others waiting.
    private static let mostAtOnce = 1024

    /// Takes the words that came since the last call, without those that are unknown or somebody else's.
    package func takeAll() -> [Word] {
        var words: [Word] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<Self.mostAtOnce {
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            guard count >= 0 else { break }
            let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
            guard let first = lines.first, first == key else { continue }
            for line in lines.dropFirst() {
                switch line {
                case "READY=1": words.append(.ready)
                case "WATCHDOG=1": words.append(.alive)
                case "STOPPING=1": words.append(.stopping)
                case "DISMISSED=1": words.append(.dismissed)
                case "RENEW=1": words.append(.renew)
                case let line where line.hasPrefix("FAILED="): words.append(.failed(String(line.dropFirst(7))))
                case let line where line.hasPrefix("DISMISS="):
                    if let process = Int32(line.dropFirst(8)) { words.append(.dismiss(process)) }
                case let line where line.hasPrefix("EVICT="):
                    if let process = Int32(line.dropFirst(6)) { words.append(.evict(process)) }
                default: break
                }
            }
        }
        return words
    }
}
