/// What a loss of files would cost, and has cost: messages of which the journal keeps no content any more.
package struct ContentStanding: Equatable, Sendable {
    /// All of them. Nothing but a row is left of each, if that is.
    package var forgotten = 0
    /// Those of them that have a row in one file of the served edition, at most, in the file that has most of them: so many are
    /// unavailable when it is lost.
    package var mostInOneFile = 0
    /// Messages that have no row in the served edition, and get none until something newer is said of them: those whose row was lost
    /// without content to make another of, and those whose row `retention.layouts` gave up, with or without content.
    package var unavailable = 0
}

extension Dispatcher {
    /// - Parameter forgotten: of each shard, as the journal knows it.
    package func content(forgotten: [Int]) -> ContentStanding {
        var standing = ContentStanding()
        for (shard, count) in forgotten.enumerated() {
            let lost = servedDesk.map { editions[$0].shards[shard].unavailable } ?? 0
            standing.forgotten += count
            standing.unavailable += lost
            standing.mostInOneFile = max(standing.mostInOneFile, count - lost)
        }
        return standing
    }
}
