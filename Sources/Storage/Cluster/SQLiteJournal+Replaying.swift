import Bytes
package import Pool
package import Replication
import Wire

// A journal that follows the log of a cluster. A record is in `replica.db` first and in the journal
// second; a process that ends between the two finds the turn there when it starts again.
extension SQLiteJournal {
    /// The anchor of a journal to which no log has written. A journal that has entries all the
    /// same, of a service that was alone, gets a link that only its copies have.
    package mutating func base() throws(StorageError) -> LogAnchor {
        var base = LogAnchor.start
        guard nextPosition > base.next else { return base }
        let last = LogPosition(nextPosition.number - 1)
        var sum = Checksum()
        sum.add(Array(String(nextPosition.number).utf8))
        // Words may be wiped later, and the frame's table of them stays.
        if let frame = try cards.log.find(last)?.frame { sum.add(frame.entryOfTable(at: last)) }
        (base.link, base.next) = (ChainLink(sum.wide), nextPosition)
        return base
    }

    /// Commits a turn as its owner made it.
    @discardableResult package mutating func replay(_ content: TurnContent) throws(StorageError) -> JournalTurn {
        guard content.first == nextPosition else {
            let places = "a turn begins at \(content.first.number), and the journal ends at \(nextPosition.number)"
            throw .corrupt(path: cards.tables.database.path, places)
        }
        guard content.follows(cards.latest) else {
            throw .otherShards(path: cards.tables.database.path, own: shardCount)
        }
        let turn = try content.turn(in: &self)
        try commit(turn)
        return turn
    }

    /// Commits the turns that the records of this host have and the journal does not. Refuses a journal that then ends
    /// elsewhere: with entries that are in no other host's, it would go on as if they were the log's.
    package mutating func catchUp(with records: borrowing ReplicaRecords) throws(StorageError) {
        for turn in try records.turns(from: nextPosition) { try replay(turn.content) }
        let (own, end) = (nextPosition.number, try records.end().number)
        guard own == end else {
            throw .besideLog(path: cards.tables.database.path, entries: own, ofLog: end)
        }
    }

    /// Commits a turn of one of several logs behind all that came before. Refuses one that builds on messages which are
    /// not here: the journal and the records beside it are of different hosts or times.
    @discardableResult package mutating func replayAtEnd(_ content: TurnContent) throws(StorageError) -> JournalTurn {
        guard let placed = try content.placed(in: &self) else {
            let folder = cards.tables.database.path.dropLast(JournalOpening.file.count)
            throw .brokenLog(
                path: "\(folder)\(ReplicaRecords.name)", "a turn changes messages that this journal does not have")
        }
        return try replay(placed)
    }

    /// Commits the turns that the records of several logs have and the journal does not, in the order that they were
    /// given here.
    package mutating func catchUp(withAllOf records: RecordsFile) throws(StorageError) {
        for (place, turn) in try records.turns(from: nextPosition) {
            guard place == nextPosition else {
                throw .brokenLog(path: records.path, "a turn lies at \(place.number), and one before it is missing")
            }
            try replayAtEnd(turn.content)
        }
        guard let end = try records.end()?.number else { preconditionFailure("the records of a single log") }
        guard nextPosition.number == end else {
            throw .besideLog(path: cards.tables.database.path, entries: nextPosition.number, ofLog: end)
        }
    }
}

extension TurnContent {
    /// Whether its jobs are numbered one after the other behind the last job of each shard. An owner with another
    /// number of shards numbers others.
    fileprivate func follows(_ latest: [JobNumber]) -> Bool {
        var latest = latest
        for entry in entries {
            let shard = Int(Shard(of: entry.event.conversation, among: latest.count).number)
            for job in entry.jobs {
                guard job.number.number == latest[shard].number + 1 else { return false }
                latest[shard] = job.number
            }
        }
        return true
    }
}
