import Glibc

/// The other end of `ServiceManager`: the reports of one child to the process that started it.
package final class NotificationInbox: Sendable {
    /// The address that the child finds in its environment as NOTIFY_SOCKET.
    package let address: String
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
        address = Self.prefix + "\(getpid())/\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(flags), 0)
        guard descriptor >= 0, var name = UnixAddress(address),
            unsafe name.withPointer({ pointer, length in unsafe bind(descriptor, pointer, length) }) == 0
        else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Takes the words that came since the last call, without those that are unknown.
    package func takeAll() -> [Word] {
        var words: [Word] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe recv(descriptor, &bytes, bytes.count, 0), count >= 0 {
            for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
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
