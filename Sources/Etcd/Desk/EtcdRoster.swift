import Pool

/// Choice of the node that is asked: always the same one, until it fails.
struct EtcdRoster: Equatable, Sendable {
    let urls: [String]
    private var current = 0
    /// Until when a node that failed is not asked.
    private var resting: [Moment]

    /// Rest of a node that failed; so often, at most, is one asked that refuses.
    static let rest = Duration.milliseconds(200)
    /// Rest of a node that is not of this etcd.
    static let longRest = Duration.seconds(10)

    init(_ urls: [String]) {
        self.urls = urls
        resting = urls.map { _ in .start }
    }

    /// Nil where all rest.
    func choice(at now: Moment) -> Int? {
        urls.indices.map { (current + $0) % urls.count }.first { resting[$0] <= now }
    }

    /// When one of them may be asked.
    var wakes: Moment { resting.min()! }

    mutating func fail(_ node: Int, for time: Duration, at now: Moment) {
        resting[node] = max(resting[node], now + time)
        if node == current { current = (current + 1) % urls.count }
    }
}
