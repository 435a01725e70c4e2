import Pool

/// The choice of the node that is asked: always the same one, until it fails.
struct EtcdRoster: Equatable, Sendable {
    let urls: [String]
    private var current = 0
    /// The time until which each node is not asked, as it failed.
    private var resting: [Moment]

    /// The rest of a node that failed: a node that refuses is not asked more often than this.
    static let rest = Duration.milliseconds(200)
    /// The rest of a node that is not of this etcd.
    static let longRest = Duration.seconds(10)

    init(_ urls: [String]) {
        self.urls = urls
        resting = urls.map { _ in .start }
    }

    /// Returns the node to ask; nil where all rest.
    func choice(at now: Moment) -> Int? {
        urls.indices.map { (current + $0) % urls.count }.first { resting[$0] <= now }
    }

    /// The time at which the first of them may be asked.
    var wakes: Moment { resting.min()! }

    mutating func fail(_ node: Int, for time: Duration, at now: Moment) {
        resting[node] = max(resting[node], now + time)
        if node == current { current = (current + 1) % urls.count }
    }
}
