import Glibc
import Synchronization

/// The program that started this process and wants to hear how it is: systemd, or `forme serve`. Both listen for
/// datagrams on a socket that they name in the environment (sd_notify); where none is named, nothing is said.
package final class ServiceManager: Sendable {
    package static let current = ServiceManager(
        address: variable("NOTIFY_SOCKET"),
        watchdog: variable("WATCHDOG_PID").flatMap { pid_t($0) } ?? getpid() == getpid()
            ? variable("WATCHDOG_USEC").flatMap { Int($0) } : nil)

    private let address: String?
    /// The line with which each report to a `forme serve` begins (`NotificationInbox.address`); empty for systemd.
    private let head: String
    /// The pause between two signs of life: half of the silence that is allowed.
    private let pause: Duration?
    private let lastSign = Mutex<ContinuousClock.Instant?>(nil)
    /// True from when this process says that it is ready until it says that it stops.
    private let isReady = Atomic(false)

    /// - Parameters:
    ///   - address: a path, or a name in the abstract name space behind `@`.
    ///   - watchdog: microseconds of silence after which this process counts as hung.
    init(address: String?, watchdog: Int?) {
        let isOurs = address?.hasPrefix(NotificationInbox.prefix) ?? false
        let parts = isOurs ? (address ?? "").split(separator: "#").map(String.init) : []
        self.address = parts.first ?? address
        head = parts.count > 1 ? parts[1] + "\n" : ""
        pause = watchdog.map { .microseconds($0 / 2) }
    }

    package func ready(_ status: String) {
        isReady.store(true, ordering: .relaxed)
        say("READY=1\nSTATUS=\(line(status))")
    }

    package func status(_ status: String) { say("STATUS=\(line(status))") }

    package func stopping(_ status: String) {
        isReady.store(false, ordering: .relaxed)
        say("STOPPING=1\nSTATUS=\(line(status))")
    }

    /// Asks `forme serve` to kill one of its other children, which holds up the rest; systemd does not know the word.
    package func evict(_ process: Int32) { say("EVICT=\(process)") }

    /// Tells `forme serve` that an operator sends one of its other children away, and that none is started in its
    /// place.
    package func dismiss(_ process: Int32) { say("DISMISS=\(process)") }

    /// Asks `forme serve` to start all of its other children anew, because files that they have open were replaced.
    package func renew() { say("RENEW=1") }

    /// Tells `forme serve` that this process was sent away: it ends, and is not to be started again.
    package func dismissed() { say("DISMISSED=1") }

    /// Tells `forme serve` why this process cannot go on.
    ///
    /// - Returns: whether somebody was told; otherwise this process has to say it.
    package func failed(_ reason: String) -> Bool {
        guard address?.hasPrefix(NotificationInbox.prefix) == true else { return false }
        return say("FAILED=\(line(String(reason.prefix(2000))))")
    }

    /// The environment variable with the number of times that `forme serve` has started this process again.
    package static let restartsVariable = "FORME_RESTARTS"
    package static let restarts = variable(restartsVariable).flatMap { Int($0) } ?? 0

    /// Announces a reload; `reloaded` follows when it is done. A process that is not ready says neither: it would
    /// count as ready, and from then on as hung while it is busy with its start or its end.
    package func reloading() {
        guard isReady.load(ordering: .relaxed) else { return }
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        say("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    package func reloaded() { if isReady.load(ordering: .relaxed) { say("READY=1\nSTATUS=reloaded") } }

    /// Asks for more time to start or to stop.
    package func extend(by time: Duration) {
        say("EXTEND_TIMEOUT_USEC=\(Int(time / .microseconds(1)))")
    }

    /// A loop calls this every time it comes round; it costs a look at the clock unless a sign is due.
    package func isAlive() {
        guard let pause else { return }
        let now = ContinuousClock.now
        let isDue = lastSign.withLock { last in
            if let last, now < last + pause { return false }
            last = now
            return true
        }
        if isDue { say("WATCHDOG=1") }
    }

    private func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

    @discardableResult
    private func say(_ text: String) -> Bool {
        guard let address, var name = UnixAddress(address) else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array((head + text).utf8)
        // A receiver that is gone needs no message.
        return unsafe name.withPointer { pointer, length in
            unsafe sendto(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), pointer,
                length) == bytes.count
        }
    }
}

private func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
