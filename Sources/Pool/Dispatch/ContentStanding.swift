import Wire

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

extension ContentStanding {
    /// - Parameter forgotten: of each shard, as the journal knows it.
    init(forgotten: [Int], in edition: EditionDesk?) {
        self.forgotten = forgotten.reduce(0, +)
        guard let edition else {
            mostInOneFile = forgotten.max() ?? 0
            return
        }
        for file in edition.files {
            let count = edition.jobs.map.shards(of: file).reduce(0) { $0 + forgotten[Int($1.number)] }
            let lost = edition.leases.files[file].unavailable
            unavailable += lost
            mostInOneFile = max(mostInOneFile, count - lost)
        }
    }
}
