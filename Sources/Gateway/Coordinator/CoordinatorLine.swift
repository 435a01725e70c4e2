import Operations
import Pool
import Transport
import Wire

private let log = Log("gateway")

/// The gateway's line to the coordinator. It sends wishes, and waits for no answer: a wish that is lost is not sent
/// again, as its subject comes in its turn, or is told again when more is known. And it asks for the coordinator's
/// health, twice a second.
final class CoordinatorLine {
    private let socket: Socket
    private var health: PoolHealth?
    private var heardAt: ContinuousClock.Instant?
    private var askedAt: ContinuousClock.Instant?
    /// The last time at which the served edition had workers.
    private var workedAt: ContinuousClock.Instant?
    /// The state that was logged last: the reason why events are answered busy, or empty where they are taken.
    private var told: String?

    /// The reason for which events are answered busy while there is no coordinator.
    static let absence = "no coordinator"

    private static let pause: Duration = .milliseconds(500)
    /// The time after which a coordinator that does not answer counts as gone.
    private static let patience: Duration = .milliseconds(1500)
    /// The time for which missing workers are not reported: a restarted one needs a moment, and lays out then what
    /// was posted meanwhile.
    private static let workerPatience: Duration = .seconds(5)

    init(to endpoint: String, _ access: Access) throws {
        // In a context of its own, without a door: a socket that calls admits nobody.
        socket = try Socket(
            .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
    }

    /// The source that becomes readable when an answer has come.
    var source: Source { socket.source }

    /// Tells that readers wait for these messages.
    func urge(_ messages: [MessageKey]) throws {
        var rest = messages[...]
        while !rest.isEmpty {
            _ = try tell(.urge(Array(rest.prefix(OperatorRequest.mostUrged))))
            rest = rest.dropFirst(OperatorRequest.mostUrged)
        }
    }

    /// Tells that readers asked for these screens.
    func want(_ targets: [WantedTarget]) throws {
        if !targets.isEmpty { _ = try tell(.wanted(targets)) }
    }

    /// Tells that readers found these shards damaged.
    /// - Returns: whether it was told.
    func suspect(_ shards: [ShardOfEdition]) throws -> Bool { try tell(.suspect(shards)) }

    private func tell(_ request: OperatorRequest) throws -> Bool { try socket.send(parts: [request.json]) == .done }

    /// Receives answers, and asks again when it is time.
    func turn(at now: ContinuousClock.Instant) throws {
        while let parts = try socket.receive() {
            guard let health = parts.last.flatMap({ PoolHealth(answer: $0) }) else { continue }
            (self.health, heardAt) = (health, now)
            if health.servedWorkers ?? 0 > 0 { workedAt = now }
        }
        guard askedAt.map({ now >= $0 + Self.pause }) ?? true else { return }
        // Where it is not connected, it asks as soon as it is.
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

    /// Returns the reason why events are answered busy, and the reason why accepted events are not laid out, each nil
    /// where there is none; and the coordinator's figures.
    func state(at now: ContinuousClock.Instant) -> (busy: String?, idle: String?, figures: PoolHealth?) {
        guard let health, let heardAt, now - heardAt < Self.patience else { return (Self.absence, nil, nil) }
        let isWorked = workedAt.map { now - $0 < Self.workerPatience } ?? false
        let idle = health.servedWorkers == nil ? "no worker has come yet" : "the edition that is served has no worker"
        return (health.busy?.rawValue, isWorked ? nil : idle, health)
    }
}
