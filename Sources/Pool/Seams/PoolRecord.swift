package import Names
package import Wire

/// The pool as the journal last knew it.
package struct Standing: Equatable, Sendable {
    /// The served edition, with its successor and filler; nil before the first worker ever came.
    package var service: EditionService?
    /// The progress of every edition and shard that anything was recorded of.
    package var progress: [ShardProgress]
    /// The newest job of each shard; as many as there are shards.
    package var latest: [JobNumber]
    /// Screens that rows are laid out for beside those of their style.
    package var added: [AddedTarget]
    /// The files of editions; each shard has its own where an edition has no map.
    package var maps: [EditionID: FileMap]

    package init(
        service: EditionService? = nil, progress: [ShardProgress] = [], latest: [JobNumber], added: [AddedTarget] = [],
        maps: [EditionID: FileMap] = [:]
    ) {
        (self.service, self.progress, self.latest, self.added) = (service, progress, latest, added)
        self.maps = maps
    }

    /// The editions of which anything was recorded, or that are served.
    package var editions: [EditionID] {
        Set(progress.map(\.edition)).union(service.map { [$0.current] } ?? []).sorted()
    }
}

/// The edition that is served, the one that is laid out meanwhile to take its place, and the one that fills its gaps.
/// Any other goes.
package struct EditionService: Equatable, Sendable {
    package var current: EditionID
    package var next: EditionID?
    /// The filler. It has rows that are in no other edition, and the next coordinator must find it before any worker
    /// comes.
    package var filler: EditionID?

    package init(current: EditionID, next: EditionID? = nil, filler: EditionID? = nil) {
        (self.current, self.next, self.filler) = (current, next, filler)
    }
}

/// The changes of the pool that are to be remembered, beside events.
package struct PoolRecord: Equatable, Sendable {
    /// The progress of each edition and shard in which something ended since the last record.
    package var progress: [ShardProgress] = []
    /// Jobs that are given up; each counts as done in its shard's progress.
    package var shelved: [ShelvedJob] = []
    /// Places on the shelf that are free again.
    package var unshelved: [ShelfPlace] = []
    /// The editions that are served from now on, if that changes.
    package var service: EditionService?
    /// The editions that are gone: their progress is forgotten, and so are their jobs on the shelf. One of them may
    /// have been wanted again since: what else the record says of it holds.
    package var retired: [EditionID] = []
    /// All screens that rows are laid out for beside those of their style, if others are than before.
    package var added: [AddedTarget]?

    package init() {}
    package var isEmpty: Bool {
        progress.isEmpty && shelved.isEmpty && unshelved.isEmpty && service == nil && retired.isEmpty
            && added == nil
    }
}

/// The progress of a shard in an edition.
package struct ShardProgress: Equatable, Sendable {
    package var edition: EditionID
    package var shard: Shard
    /// The job up to which all are done.
    package var through: JobNumber
    /// The jobs after `through` that are done, as ranges in order. A done job that is not named here is done again
    /// after a start.
    package var beyond: [ClosedRange<JobNumber>]
    /// The last message of those that were there before the edition, up to which all are laid out; nil when all are.
    package var walkedTo: MessageNumber?
    /// The origin of the file that this was done in; nil before one is known. Another file is laid out again.
    package var origin: ShardOrigin?
    /// The number of messages that have no row in that file, and get none before a newer event. It is said of one
    /// shard of a file only.
    package var unavailable: Int

    package init(
        edition: EditionID, shard: Shard, through: JobNumber = .zero, beyond: [ClosedRange<JobNumber>] = [],
        walkedTo: MessageNumber? = nil, origin: ShardOrigin? = nil, unavailable: Int = 0
    ) {
        (self.edition, self.shard, self.through, self.beyond) = (edition, shard, through, beyond)
        (self.walkedTo, self.origin, self.unavailable) = (walkedTo, origin, unavailable)
    }

    package func isDone(_ job: JobNumber) -> Bool { job <= through || beyond.contains { $0.contains(job) } }

    /// Whether no walk through all messages is still to come to this one.
    package func hasWalked(to message: MessageNumber) -> Bool { walkedTo.map { message <= $0 } ?? true }

    /// Whether nothing of the message is on its way into the file: it has a row there, or gets none before a newer
    /// event.
    package func isThrough(_ card: MessageCard, in file: ShardOrigin) -> Bool {
        guard origin == file, let job = card.lastJob else { return false }
        return isDone(job) && hasWalked(to: card.number)
    }
}

/// The place of a job that was given up.
package struct ShelfPlace: Hashable, Comparable, Sendable {
    package var edition: EditionID
    package var shard: Shard
    package var job: JobNumber

    package init(edition: EditionID, shard: Shard, job: JobNumber) {
        (self.edition, self.shard, self.job) = (edition, shard, job)
    }

    package static func < (a: ShelfPlace, b: ShelfPlace) -> Bool {
        (a.edition, a.shard, a.job) < (b.edition, b.shard, b.job)
    }
}

/// A job that is given up: nobody lays it out until someone says so.
package struct ShelvedJob: Equatable, Sendable {
    package var place: ShelfPlace
    package var message: MessageNumber
    package var key: MessageKey
    /// The reason, in words.
    package var reason: Objection

    package init(place: ShelfPlace, message: MessageNumber, key: MessageKey, reason: Objection) {
        (self.place, self.message, self.key, self.reason) = (place, message, key, reason)
    }
}

extension FileMap {
    /// Reads the map from progress: shards in one file know the same origin. Nil where no file is known.
    package init?(shards: Int, of edition: EditionID, as progress: [ShardProgress]) {
        let own = progress.filter { $0.edition == edition }
        guard let first = own.lazy.compactMap(\.origin).first else { return nil }
        let width = own.count { $0.origin == first }
        self.init(shards: shards, atMost: shards / width)
        guard files * width == shards else { return nil }
    }
}
