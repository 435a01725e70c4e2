import TestSupport
import Testing

@testable import Flood

@Test func `percentiles are exact to a hundredth, whatever was measured`() {
    forEachSeed(20) { random in
        var histogram = Histogram()
        let widest = UInt64(1) << UInt64.random(in: 1...40, using: &random)
        let values = (0..<Int.random(in: 1...3000, using: &random)).map { _ in
            UInt64.random(in: 0...widest, using: &random) >> UInt64.random(in: 0...20, using: &random)
        }
        for value in values { histogram.record(value) }
        let sorted = values.sorted()
        return [0, 1, 50, 90, 99, 99.9, 100].allSatisfy { percent in
            let rank = max(1, Int((percent / 100 * Double(sorted.count)).rounded(.up)))
            let exact = sorted[rank - 1]
            let told = histogram.percentile(percent)
            return told >= exact && Double(told - exact) <= Double(exact) * Histogram.error
        } && histogram.percentile(100) == sorted.last && histogram.count == UInt64(values.count)
    }
}

@Test func `two histograms together are the histogram of both`() {
    forEachSeed(10) { random in
        var (a, b, both) = (Histogram(), Histogram(), Histogram())
        for _ in 0..<200 {
            let value = UInt64.random(in: 0...1 << 45, using: &random)
            if Bool.random(using: &random) { a.record(value) } else { b.record(value) }
            both.record(value)
        }
        a.merge(b)
        return a.count == both.count && a.percentile(50) == both.percentile(50) && a.greatest == both.greatest
    }
}

@Test func `nothing measured has percentiles of zero, and what is too long counts as the longest`() {
    var histogram = Histogram()
    #expect(histogram.percentile(99) == 0 && histogram.mean == 0)
    histogram.record(.max)
    #expect(histogram.percentile(50) == Histogram.limit && histogram.greatest == .max)
}

@Test func `layouts of the first seconds and of the last minute are told apart`() {
    var measures = Measures()
    for second in 0..<100 {
        let now = RunTime(seconds: Double(second) + 0.5)
        measures.ready(UInt64(second) * 1_000_000 + 1, due: now, at: now)
    }
    measures.finish()
    let (first, last) = (measures.readyFirst, measures.readyLast)
    #expect(first.count == 20 && last.count == 60 && measures.ready.count == 100)
    #expect(first.greatest == 19_000_001 && last.greatest == 99_000_001)
    // The last minute begins with the second of number 40.
    #expect(last.percentile(1) >= 40_000_001 && last.percentile(1) < 41_000_000)
}

@Test func `constant arrivals are as far apart as the rate says`() {
    var arrivals = Arrivals(.constant, rate: 1000)
    let moments = (0..<2000).map { _ in arrivals.take(at: RunTime(seconds: 100))! }
    #expect(moments.first == .start && moments[1000] == RunTime(seconds: 1))
    #expect(zip(moments, moments.dropFirst()).allSatisfy { 999_999...1_000_001 ~= $1.nanoseconds(since: $0) })
}

@Test func `arrivals of many people have the rate, and the spread, of a Poisson process`() {
    var arrivals = Arrivals(.poisson, rate: 1000, seed: 5)
    var gaps: [Double] = []
    var last = RunTime.start
    for _ in 0..<50_000 {
        let moment = arrivals.take(at: RunTime(seconds: 1000))!
        gaps.append(Double(moment.nanoseconds(since: last)) / 1e9)
        last = moment
    }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let deviation = (gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)).squareRoot()
    #expect(abs(mean - 0.001) < 0.00002 && abs(deviation - 0.001) < 0.00003)
}

@Test func `a burst brings the events of a second in its first fifth`() {
    var arrivals = Arrivals(.burst, rate: 500)
    let moments = (0..<1500).map { _ in arrivals.take(at: RunTime(seconds: 10))!.seconds }
    #expect(moments.allSatisfy { $0 - $0.rounded(.down) < 0.2001 })
    #expect(moments.count { $0 < 1 } == 500 && moments.count { 1..<2 ~= $0 } == 500)
}

@Test func `what is not due yet is not taken, and what waited keeps the time at which it was due`() {
    var arrivals = Arrivals(.constant, rate: 10, from: RunTime(seconds: 1))
    #expect(arrivals.take(at: RunTime(seconds: 0.9)) == nil && arrivals.next == RunTime(seconds: 1))
    #expect(arrivals.take(at: RunTime(seconds: 5)) == RunTime(seconds: 1))
    #expect(arrivals.take(at: RunTime(seconds: 5)) == RunTime(seconds: 1.1))
}

@Test(arguments: [3.0, 900, 30_000, 123_456])
func `a search ends within a twentieth below what a service bears`(capacity: Double) {
    for start in [10.0, 1000, 50_000] {
        var search = CapacitySearch(from: start)
        var tries = 0
        while let rate = search.next {
            search.tried(isBorne: rate <= capacity)
            tries += 1
        }
        #expect(search.borne! <= capacity && search.borne! >= capacity / 1.051)
        #expect(tries < 30)
    }
}

@Test func `a service that bears nothing ends the search without a rate`() {
    var search = CapacitySearch(from: 100)
    while search.next != nil { search.tried(isBorne: false) }
    #expect(search.borne == nil && search.refused! < 2)
}

@Test(arguments: [
    "ipc:///tmp/x/events.ipc", "tcp://127.0.0.1:7300", "tcp://127.8.9.1:1", "tcp://localhost:7300", "tcp://[::1]:7300",
])
func `this machine may be flooded`(endpoint: String) {
    #expect(LoadTarget.refusal(of: endpoint, owned: nil) == nil)
}

@Test(arguments: ["tcp://10.0.0.5:7300", "tcp://127.0.0.1.example.org:7300", "tcp://0.0.0.0:1", "tcp://[fe80::1]:9"])
func `another machine may not be flooded, unless somebody says by name that it is theirs`(endpoint: String) throws {
    let refusal = try #require(LoadTarget.refusal(of: endpoint, owned: nil))
    let host = LoadTarget.host(of: endpoint)
    #expect(refusal.contains("--i-own-this-host \(host)"))
    #expect(LoadTarget.refusal(of: endpoint, owned: host) == nil)
    #expect(LoadTarget.refusal(of: endpoint, owned: "10.0.0.6") != nil)
}
