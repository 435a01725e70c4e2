import TestSupport
import Testing

@testable import Gateway

@Test func `so many at once are let through, and then one every so often`() {
    var limits = RateLimits<String>(RateLimit(burst: 3, perSecond: 10))
    for _ in 0..<3 { #expect(limits.take("a", at: .seconds(5)) == nil) }
    #expect(limits.take("a", at: .seconds(5)) == .milliseconds(100))
    #expect(limits.take("a", at: .milliseconds(5099)) == .milliseconds(1))
    #expect(limits.take("b", at: .seconds(5)) == nil)
    #expect(limits.take("a", at: .milliseconds(5100)) == nil)
    #expect(limits.take("a", at: .milliseconds(5100)) != nil)
    for _ in 0..<3 { #expect(limits.take("a", at: .seconds(9)) == nil) }
    #expect(limits.take("a", at: .seconds(9)) != nil)
}

@Test func `nobody gets more than the rate and the burst, whenever they ask`() {
    forEachSeed(100) { random in
        let limit = RateLimit(
            burst: Int.random(in: 1...10, using: &random), perSecond: Int.random(in: 1...50, using: &random))
        var limits = RateLimits<Int>(limit)
        var now = Duration.zero
        var taken = 0
        for _ in 0..<500 {
            now += .milliseconds(Int.random(in: 0...30, using: &random))
            if limits.take(0, at: now) == nil { taken += 1 }
            guard taken <= limit.burst + Int(now / limit.every) else { return false }
        }
        return taken >= min(500, limit.burst)
    }
}

@Test func `who waits as long as they were told is let through`() {
    forEachSeed(100) { random in
        var limits = RateLimits<Int>(RateLimit(burst: 2, perSecond: 7))
        var now = Duration.zero
        for _ in 0..<50 {
            if let wait = limits.take(0, at: now) {
                now += wait
                guard limits.take(0, at: now) == nil else { return false }
            }
            now += .milliseconds(Int.random(in: 0...100, using: &random))
        }
        return true
    }
}

@Test func `no more are kept than there is room for, and the full are forgotten first`() {
    var limits = RateLimits<Int>(RateLimit(burst: 2, perSecond: 1), capacity: 10)
    for key in 0..<10 { #expect(limits.take(key, at: .zero) == nil) }
    #expect(limits.take(10, at: .zero) != nil)
    #expect(limits.take(9, at: .zero) == nil)
    #expect(limits.take(10, at: .seconds(1)) == nil)
    #expect(limits.count == 2)
}
