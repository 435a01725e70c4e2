import Wire

/// Requests that wait for the turn of their partition that is on its way, where those of other partitions are heard
/// meanwhile.
struct HeldRequests {
    private var all: [HeardRequest] = []
    /// The events and the bytes of all of them.
    private var (events, bytes) = (0, 0)

    private static let most = 8192
    private static let mostBytes = Forwarding.mostBytes

    /// - Returns: false where there is no room.
    mutating func hold(_ one: HeardRequest) -> Bool {
        let size = one.size
        guard events + one.request.events.count <= Self.most, bytes + size <= Self.mostBytes else { return false }
        all.append(one)
        (events, bytes) = (events + one.request.events.count, bytes + size)
        return true
    }

    mutating func takeAll() -> [HeardRequest] {
        defer { (all, events, bytes) = ([], 0, 0) }
        return all
    }
}
