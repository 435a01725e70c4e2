import Bytes
import Pool

/// Entries whose words are to be overwritten: now, or after a merge.
struct WordWiping {
    /// Merged entries, the newest first. They are taken from the end, as newer ones lead to older ones.
    private var due: [LogPosition] = []
    /// Entries that an opening would read once more, overwritten when they are merged. A crash in
    /// the midst of a write leaves bytes that are neither the old ones nor the new ones, and where
    /// every byte is read there must be none such.
    private(set) var later: [LogPosition] = []
    private(set) var laterSince: ContinuousClock.Instant?

    var isEmpty: Bool { due.isEmpty }

    mutating func add(due place: LogPosition) { due.append(place) }

    mutating func add(_ places: [LogPosition], merged: LogPosition) {
        due += places.filter { $0 <= merged }.sorted(by: >)
        later += places.filter { $0 > merged }
        if !later.isEmpty, laterSince == nil { laterSince = .now }
    }

    /// Makes entries due that are merged now, up to `last`.
    mutating func end(mergedThrough last: LogPosition) {
        due += later.filter { $0 <= last }.sorted(by: >)
        later.removeAll { $0 <= last }
        laterSince = later.isEmpty ? nil : .now
    }

    /// Wipes the entries that are due; stops at one whose segment is being packed.
    mutating func run(in cards: inout JournalCards) throws(StorageError) {
        while let place = due.last {
            if let found = try cards.find(place) {
                guard found.segment != cards.log.packing else { return }
                try cards.wipe(at: place, in: found)
            }
            due.removeLast()
        }
    }
}

// Content is overwritten with zeros in the log: nothing moves in the files, so no copy stays behind.
extension JournalCards {
    mutating func wipe(at place: LogPosition, in found: LogIndex.Found) throws(StorageError) {
        let parts = found.frame.parts(at: place)
        let (body, change) = (parts[0], parts[1])
        frames.remove(found.frame)
        if !body.isEmpty { try log.overwrite(body, of: found, with: Self.zeros(body.count)) }
        guard !change.isEmpty else { return }
        if found.frame.change(at: place).isEmpty {
            return try log.overwrite(change, of: found, with: Self.zeros(change.count))
        }
        do throws(StorageError) {
            guard let wiped = try self.change(at: place, in: found.frame)?.wiped(to: change.count) else { return }
            try log.overwrite(change, of: found, with: wiped)
        } catch .damaged {
            // It was being wiped when the process ended.
            try log.overwrite(change, of: found, with: Self.zeros(change.count))
        }
    }

    /// Wipes all entries of a frame but some.
    mutating func clear(_ found: LogIndex.Found, but kept: Set<LogPosition>) throws(StorageError) {
        frames.remove(found.frame)
        for place in found.frame.places where !kept.contains(place) {
            for part in found.frame.parts(at: place) where !part.isEmpty {
                try log.overwrite(part, of: found, with: Self.zeros(part.count))
            }
        }
    }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
