import Operations
import Pool
import Transport
import Wire

private let log = Log("gateway")

/// What a gateway tells the coordinator: wishes. Nobody waits for an answer, and one that is lost is not told again: what it is
/// about comes in its turn, or is told again when more is known. And the one thing it asks, twice a second: how things are.
final class CoordinatorLine {
    private let socket: Socket
    private var health: PoolHealth?
    private var heardAt: ContinuousClock.Instant?
    private var askedAt: ContinuousClock.Instant?
    /// When the edition that is served last had workers.
    private var workedAt: ContinuousClock.Instant?
    /// What was logged last of whether events are taken.
    private var told: String?

    /// Why events are answered busy while nobody takes them.
    static let absence = "no coordinator"

    private static let pause: Duration = .milliseconds(500)
    /// After which a coordinator that does not answer is not there.
    private static let patience: Duration = .milliseconds(1500)
    /// One that is started again needs a moment; what is posted meanwhile is laid out then.
    private static let workerPatience: Duration = .seconds(5)

    init(to endpoint: String, _ access: Access) throws {
        // In a context of its own: those who call have no door.
        socket = try Socket(
            .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
    }

    /// Becomes readable when something was answered.
    var source: Source { socket.source }

    /// Readers wait for these messages.
    func urge(_ messages: [MessageKey]) throws {
        var rest = messages[...]
        while !rest.isEmpty {
            _ = try tell(.urge(Array(rest.prefix(OperatorRequest.mostUrged))))
            rest = rest.dropFirst(OperatorRequest.mostUrged)
        }
    }

    /// Readers asked for these screens.
    func want(_ targets: [WantedTarget]) throws {
        if !targets.isEmpty { _ = try tell(.wanted(targets)) }
    }

    /// Readers found these shards damaged.
    /// - Returns: whether it was told.
    func suspect(_ shards: [ShardOfEdition]) throws -> Bool { try tell(.suspect(shards)) }

    private func tell(_ request: OperatorRequest) throws -> Bool { try socket.send(parts: [request.json]) == .done }

    /// Hears what was answered, and asks again when it is time.
    func turn(at now: ContinuousClock.Instant) throws {
        while let parts = try socket.receive() {
            guard let health = parts.last.flatMap({ PoolHealth(answer: $0) }) else { continue }
            (self.health, heardAt) = (health, now)
            if health.servedWorkers ?? 0 > 0 { workedAt = now }
        }
        guard askedAt.map({ now >= $0 + Self.pause }) ?? true else { return }
        // Not connected: it is asked as soon as it is.
        if try tell(.health) { askedAt = now }
        note(state(at: now).busy)
    }

    private func note(_ busy: String?) {
        guard let told else { return self.told = busy ?? "" }
        guard told != busy ?? "" else { return }
        if let busy {
            log.warning("events are answered busy", ["reason": "\(busy)"])
        } else {
            log.info("events are taken")
        }
        self.told = busy ?? ""
    }

    /// Why events are answered busy, and why what is taken is not laid out; nil where it is.
    func state(at now: ContinuousClock.Instant) -> (busy: String?, idle: String?, figures: PoolHealth?) {
        guard let health, let heardAt, now - heardAt < Self.patience else { return (Self.absence, nil, nil) }
        let isWorked = workedAt.map { now - $0 < Self.workerPatience } ?? false
        let idle = health.servedWorkers == nil ? "no worker has come yet" : "the edition that is served has no worker"
        return (health.busy?.rawValue, isWorked ? nil : idle, health)
    }
}
