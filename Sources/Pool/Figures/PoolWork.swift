import JSON
package import Wire

/// The work of a pool: counts since its coordinator started, and long work that is under way.
package struct PoolWork: Equatable, Sendable {
    /// The batches that were lent to workers.
    package var batches = 0
    /// The files that workers hold now.
    package var leases = 0
    /// The times that a worker brought a file of layouts to the disk.
    package var syncs = 0
    /// The workers of this machine that `forme serve` started again after they had ended.
    package var restarts = 0
    package var journal = JournalTimes()
    package var editions: [EditionShare] = []
    /// The extension of the served rows for screens that were added; nil where there are none, or nothing is known.
    package var screens: WorkShare?

    package struct EditionShare: Equatable, Sendable {
        package var edition: String
        package var work: WorkShare

        package init(edition: String, work: WorkShare) { (self.edition, self.work) = (edition, work) }
    }

    package init() {}

    package func share(of edition: String) -> WorkShare? { editions.first { $0.edition == edition }?.work }
}

/// The times that a journal took to write turns, and to empty its write-ahead log.
package struct JournalTimes: Equatable, Sendable {
    package var commits = Latencies()
    package var checkpoints = Latencies()

    package init() {}
}

// The work as the coordinator says it, among its figures.
extension PoolWork {
    func writeMembers(to json: inout JSONWriter) {
        for (name, count) in [
            ("batches", batches), ("leases", leases), ("syncs", syncs), ("workers_restarted", restarts),
        ] {
            json.key(name)
            json.integer(count)
        }
        for (name, times) in [("journal_commits", journal.commits), ("journal_checkpoints", journal.checkpoints)] {
            json.key(name)
            json.object { times.writeMembers(to: &$0) }
        }
        json.key("editions")
        json.array {
            for one in editions {
                $0.object {
                    $0.key("edition")
                    $0.string(one.edition)
                    one.work.writeMembers(to: &$0)
                }
            }
        }
        json.key("screens")
        if let screens { json.object { screens.writeMembers(to: &$0) } } else { json.null() }
    }

    /// Reads the work; a missing member is as at the start.
    init(_ json: JSONValue) {
        self.init()
        func count(_ name: String) -> Int { json[name]?.number?.integer ?? 0 }
        (batches, leases, syncs) = (count("batches"), count("leases"), count("syncs"))
        restarts = count("workers_restarted")
        journal.commits = Latencies(json["journal_commits"]) ?? journal.commits
        journal.checkpoints = Latencies(json["journal_checkpoints"]) ?? journal.checkpoints
        editions = (json["editions"]?.array ?? []).compactMap { one in
            guard let edition = one["edition"]?.string, let work = WorkShare(one) else { return nil }
            return EditionShare(edition: edition, work: work)
        }
        screens = WorkShare(json["screens"])
    }
}

// The work for Prometheus.
extension PoolWork {
    func write(to text: inout MetricsText) {
        text.add("batches_total", .counter, "Batches that were lent to workers.", batches)
        text.add("leases", .gauge, "Files of layouts that workers hold now.", leases)
        text.add("syncs_total", .counter, "Times that a worker brought a file of layouts to the disk.", syncs)
        text.add(
            "workers_restarted_total", .counter,
            "Workers of this machine that came again after forme serve had started them anew.", restarts)
        text.add(
            "journal_commit_seconds", "From the beginning of a turn's commit to its end, with the wait for the disk.",
            [(labels: [], times: journal.commits)])
        text.add(
            "journal_checkpoint_seconds", "How long it took to empty the write-ahead log of the journal.",
            [(labels: [], times: journal.checkpoints)])
        text.add(
            "edition_done_ratio", .gauge, "The share of an edition that is laid out.",
            editions.map { .init([("edition", $0.edition)], $0.work.done) })
        text.add(
            "edition_left_seconds", .gauge, "How long the rest of an edition takes, where that is known.",
            editions.compactMap { one in one.work.seconds.map { .init([("edition", one.edition)], $0) } })
        text.add(
            "screens_done_ratio", .gauge, "The share of stored rows that are laid out for screens that were added.",
            [screens].compactMap(\.self).map { .init([], $0.done) })
        text.add(
            "screens_left_seconds", .gauge, "How long the rest of these takes, where that is known.",
            [screens?.seconds].compactMap(\.self).map { .init([], $0) })
    }
}
