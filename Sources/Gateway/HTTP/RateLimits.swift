/// A limit on a rate: a burst at once, and then one in every interval.
package struct RateLimit: Equatable, Sendable {
    package let burst: Int
    package let every: Duration

    /// - Parameter perSecond: on average, after the burst.
    package init(burst: Int, perSecond: Int) {
        precondition(burst > 0 && perSecond > 0)
        self.burst = burst
        every = .nanoseconds(1_000_000_000 / Int64(perSecond))
    }
}

/// The token buckets of many keys under one limit, of at most `capacity` keys at a time.
///
/// Each key has one number: the time at which its bucket will be full again. It needs no clock of its own, and a key
/// whose bucket is full is as good as forgotten.
package struct RateLimits<Key: Hashable & Sendable>: Sendable {
    private let limit: RateLimit
    private let capacity: Int
    private var fullAt: [Key: Duration] = [:]

    package init(_ limit: RateLimit, capacity: Int = 16384) {
        self.limit = limit
        self.capacity = capacity
    }

    package var count: Int { fullAt.count }

    /// The time to wait until there is one in the bucket; nil where there is.
    package func wait(_ key: Key, at now: Duration) -> Duration? {
        let wait = max(fullAt[key] ?? now, now) + limit.every - limit.every * limit.burst - now
        return wait <= .zero ? nil : wait
    }

    /// Takes one from the bucket, or returns the time to wait until there is one.
    package mutating func take(_ key: Key, at now: Duration) -> Duration? {
        let full = max(fullAt[key] ?? now, now)
        let wait = full + limit.every - limit.every * limit.burst - now
        guard wait <= .zero else { return wait }
        guard makeRoom(for: key, at: now) else { return limit.every }
        fullAt[key] = full + limit.every
        return nil
    }

    private mutating func makeRoom(for key: Key, at now: Duration) -> Bool {
        guard fullAt.count >= capacity, fullAt[key] == nil else { return true }
        fullAt = fullAt.filter { $0.value > now }
        return fullAt.count < capacity
    }
}
