import Bytes
import Names
import Pool
import Wire

/// What an entry has left to do on the shelf: after it is in the log, and once more where nobody knows whether that was done.
enum ShelfErrand: Equatable {
    /// What was given up of a message before this job of it goes.
    case unshelve(MessageNumber, before: JobNumber)
    /// What was given up under a key goes with its reason.
    case forget(CardKey)
}

// What goes is written over by `WordWiping`.
extension SQLiteJournal {
    /// Finds everything that was said of a message, also under other ids that it had, from one entry to the one before it.
    ///
    /// - Parameter draft: the turn at hand, where the message is deleted by one of its entries; its own words never reach the log.
    mutating func forgetContent(
        of key: MessageKey, from place: LogPosition, _ draft: inout JournalDraft
    ) throws(StorageError) {
        var waiting = [(key: key, place: place)]
        while let next = waiting.popLast() {
            if cards.hasShelf { draft.errands.append(.forget(CardKey(next.key))) }
            guard let change = try change(at: next.place, draft) else {
                // What an end in the midst of wiping has left of it goes.
                if next.place != place { try wipe(at: next.place, &draft) }
                continue
            }
            for card in change.cards {
                guard card.key == next.key || card.entry?.isAlias(of: next.key.message) == true else { continue }
                if let previous = card.previous { waiting.append((card.key, previous)) }
            }
            if next.place != place { try wipe(at: next.place, &draft) }
        }
    }

    private mutating func change(at place: LogPosition, _ draft: JournalDraft) throws(StorageError) -> LogChange? {
        guard place >= draft.frame.first else {
            guard let frame = try cards.frame(with: place) else { return nil }
            do throws(StorageError) { return try cards.change(at: place, in: frame) } catch {
                // It was being wiped when the process ended, and so all before it are.
                guard place <= cards.merged else { throw error }
                return nil
            }
        }
        do throws(ByteError) {
            return try LogChange(decoding: draft.frame.writer[draft.frame.change(at: place)])
        } catch {
            throw .damaged(path: cards.log.folder, error)
        }
    }

    /// The body of an entry, and what it said of messages: at once where it is of the turn at hand, else when that is written.
    mutating func wipe(at place: LogPosition, _ draft: inout JournalDraft) throws(StorageError) {
        guard place >= draft.frame.first else { return draft.wipes.append(place) }
        let (body, change) = (draft.frame.body(at: place), draft.frame.change(at: place))
        guard let wiped = try self.change(at: place, draft)?.wiped(to: change.count) else { return }
        draft.frame.writer.replaceSubrange(body, with: JournalCards.zeros(body.count))
        draft.frame.writer.replaceSubrange(change, with: wiped)
    }
}

extension JournalTables {
    /// Keeps the shelf as the entries of the log leave it; after it the errands are done.
    func tidyShelf(_ errands: [ShelfErrand], under lock: JournalLock) throws(StorageError) {
        guard !errands.isEmpty else { return }
        try lock.transaction(database) { () throws(StorageError) in
            for errand in errands {
                switch errand {
                case .unshelve(let message, let job):
                    try unshelve.run(.integer(message.number), .integer(Int64(bitPattern: job.number)))
                case .forget(let key): try forgetShelved.run(.blob(key.bytes))
                }
            }
        }
    }
}
