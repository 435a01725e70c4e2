/// Hits and misses of a cache: times that something was at hand when it was asked for, and times that it was not.
package struct CacheTally: Equatable, Sendable {
    package var hits: UInt64
    package var misses: UInt64

    package init(hits: UInt64 = 0, misses: UInt64 = 0) { (self.hits, self.misses) = (hits, misses) }

    package mutating func count(isHit: Bool) { if isHit { hits += 1 } else { misses += 1 } }

    package static func - (later: CacheTally, earlier: CacheTally) -> CacheTally {
        CacheTally(hits: later.hits - earlier.hits, misses: later.misses - earlier.misses)
    }
}
