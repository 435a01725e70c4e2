import Names
import Pool
import Storage
import Wire

// The coordinator's questions to its journal about messages and jobs.
extension SQLiteJournal {
    /// Jobs that lay out messages as they are by now; none for a message that is gone.
    mutating func jobs(of messages: [MessageNumber], in shard: Shard) throws(StorageError) -> [LayoutJob] {
        var jobs: [LayoutJob] = []
        for message in messages {
            let before = MessageNumber(message.number - 1)
            jobs += try self.messages(in: shard, after: before, limit: 1).filter { $0.message == message }
        }
        return jobs
    }

    /// The numbers of the messages that are there, by their shards.
    mutating func numbers(
        of keys: [MessageKey], among shards: Int
    ) throws(StorageError) -> [Shard: [MessageNumber]] {
        var numbers: [Shard: [MessageNumber]] = [:]
        for key in keys {
            guard let card = try message(key)?.card else { continue }
            numbers[Shard(of: key.conversation, among: shards), default: []].append(card.number)
        }
        return numbers
    }

    /// The places, of these, at which a job was given up.
    mutating func known(_ places: [ShelfPlace]) throws(StorageError) -> [ShelfPlace] {
        var known: [ShelfPlace] = []
        for place in places {
            let before = ShelfPlace(edition: place.edition, shard: place.shard, job: JobNumber(place.job.number &- 1))
            if try shelved(after: before, limit: 1).first?.place == place { known.append(place) }
        }
        return known
    }

    /// The places of all jobs that were given up.
    mutating func allShelved() throws(StorageError) -> [ShelfPlace] {
        var places: [ShelfPlace] = []
        while true {
            let page = try shelved(after: places.last, limit: OperatorRequest.longestShelf)
            places += page.map(\.place)
            guard page.count == OperatorRequest.longestShelf else { return places }
        }
    }
}
