import Bytes
import Pool
import Wire

/// Content goes from the log by zeros that are written over it: nothing moves in the file, so no copy stays behind.
extension SQLiteJournal {
    /// Wipes everything that was said of a message, also under other ids that it had, from one entry to the one before it.
    mutating func forgetContent(
        of key: MessageKey, from place: LogPosition, _ draft: inout JournalDraft
    ) throws(StorageError) {
        var waiting = [(key: key, place: place)]
        while let next = waiting.popLast() {
            try tables.forgetShelved.run(.blob(CardKey(next.key).bytes))
            guard let change = try change(at: next.place, draft) else { continue }
            for card in change.cards {
                guard card.key == next.key || card.entry?.isAlias(of: next.key.message) == true else { continue }
                if let previous = card.previous { waiting.append((card.key, previous)) }
            }
            if next.place != place { try wipe(at: next.place, &draft) }
        }
    }

    private func change(at place: LogPosition, _ draft: JournalDraft) throws(StorageError) -> LogChange? {
        if place >= draft.segment.first {
            do throws(ByteError) {
                return try LogChange(decoding: draft.segment.writer[draft.segment.change(at: place)])
            } catch {
                throw .damaged(path: tables.database.path, error)
            }
        }
        guard let segment = try tables.segment(with: place) else { return nil }
        return try tables.change(at: place, in: segment)
    }

    /// The body of an entry, and what it said of messages.
    mutating func wipe(at place: LogPosition, _ draft: inout JournalDraft) throws(StorageError) {
        guard place < draft.segment.first else {
            let (body, change) = (draft.segment.body(at: place), draft.segment.change(at: place))
            guard let wiped = try self.change(at: place, draft)?.wiped(to: change.count) else { return }
            draft.segment.writer.replaceSubrange(body, with: zeros(body.count))
            draft.segment.writer.replaceSubrange(change, with: wiped)
            return
        }
        guard let segment = try tables.segment(with: place) else { return }
        try wipe(at: place, in: segment)
    }

    mutating func wipe(at place: LogPosition, in segment: LogSegment) throws(StorageError) {
        let (body, change) = (segment.body(at: place), segment.change(at: place))
        segments.remove(segment)
        if !body.isEmpty {
            try tables.database.overwrite(
                "log", "segment", row: segment.first.number, at: body.lowerBound, with: zeros(body.count))
        }
        if let wiped = try tables.change(at: place, in: segment)?.wiped(to: change.count) {
            try tables.database.overwrite(
                "log", "segment", row: segment.first.number, at: change.lowerBound, with: wiped)
        }
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
