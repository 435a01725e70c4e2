import Testing

@testable import Wire

@Suite struct LatenciesTests {
    @Test func `a time is counted below the first boundary that is longer`() {
        for (place, boundary) in Latencies.boundaries.enumerated() {
            for (time, counter) in [(boundary - 1, place), (boundary, place + 1)] {
                var latencies = Latencies()
                latencies.record(.microseconds(time))
                #expect(latencies.counters[counter] == 1, "\(time) µs")
                #expect(latencies.count == 1 && latencies.sum == time)
            }
        }
    }

    @Test func `what took longer than any boundary is counted at the end, and what took no time at the beginning`() {
        var latencies = Latencies()
        latencies.record(.seconds(3600), times: 3)
        latencies.record(.zero)
        latencies.record(.milliseconds(-1))
        #expect(latencies.counters.last == 3 && latencies.counters.first == 2)
        #expect(latencies.sum == 3 * 3_600_000_000)
        #expect(Latencies(counters: latencies.counters, sum: latencies.sum) == latencies)
        #expect(Latencies(counters: [1, 2], sum: 0) == nil)
    }
}
