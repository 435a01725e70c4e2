import Bytes
import Names
import Pool
import Wire

/// An errand of an entry on the shelf: done after the entry is in the log, and once more where
/// nobody knows whether that was done.
enum ShelfErrand: Equatable {
    /// Removes jobs of the message that were given up before this one.
    case unshelve(MessageNumber, before: JobNumber)
    /// Removes jobs that were given up under a key, with their reasons.
    case forget(CardKey)
}

// `WordWiping` overwrites the words that go.
extension SQLiteJournal {
    /// Finds all entries of a message, also under other ids that it had, from each to the one
    /// before it, and wipes them.
    ///
    /// - Parameter draft: the turn that deletes the message with one of its entries; its own words
    ///   never reach the log.
    mutating func forgetContent(
        of key: MessageKey, from place: LogPosition, _ draft: inout JournalDraft
    ) throws(StorageError) {
        var waiting = [(key: key, place: place)]
        while let next = waiting.popLast() {
            if cards.hasShelf { draft.errands.append(.forget(CardKey(next.key))) }
            guard let change = try change(at: next.place, draft) else {
                // The rest of an entry that was half wiped goes, too.
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
                // It was being wiped when the process ended, and all before it are wiped.
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

    /// Wipes the body of an entry and its words about messages: at once where it is of this turn,
    /// else when the turn is written.
    mutating func wipe(at place: LogPosition, _ draft: inout JournalDraft) throws(StorageError) {
        guard place >= draft.frame.first else { return draft.wipes.append(place) }
        let (body, change) = (draft.frame.body(at: place), draft.frame.change(at: place))
        guard let wiped = try self.change(at: place, draft)?.wiped(to: change.count) else { return }
        draft.frame.writer.replaceSubrange(body, with: JournalCards.zeros(body.count))
        draft.frame.writer.replaceSubrange(change, with: wiped)
    }
}

extension JournalTables {
    /// Does the errands, so that the shelf is as the entries of the log leave it.
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
