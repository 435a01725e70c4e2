import Wire

/// The cost of lost files, possible and past: messages of which the journal keeps no content any more.
package struct ContentStanding: Equatable, Sendable {
    /// The number of all of them. Nothing but a row is left of each, if that is.
    package var forgotten = 0
    /// The number of those that have a row in one file of the served edition, for the file that has most of them: so
    /// many at most are unavailable when a file is lost.
    package var mostInOneFile = 0
    /// The number of messages that have no row in the served edition, and get none before a newer event: those whose
    /// row was lost without content to make another of, and those whose row `retention.layouts` gave up, with or
    /// without content.
    package var unavailable = 0
}

extension ContentStanding {
    /// - Parameter forgotten: the number for each shard, as the journal knows it.
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
