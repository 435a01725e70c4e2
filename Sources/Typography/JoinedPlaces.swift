import Bytes

/// The units of a text before which letters join: the letter in front reaches for the one behind, as in Arabic, and
/// both have other forms where they stand alone. They take a bit for each unit up to the last such place, and nothing
/// in a text whose letters do not join.
package struct JoinedPlaces: Hashable, Sendable {
    private var words: [UInt64] = []

    package var isEmpty: Bool { words.isEmpty }

    package func contains(_ place: Int) -> Bool {
        place >> 6 < words.count && words[place >> 6] >> UInt64(place & 63) & 1 == 1
    }

    package mutating func insert(_ place: Int) {
        while words.count <= place >> 6 { words.append(0) }
        words[place >> 6] |= 1 << UInt64(place & 63)
    }

    /// Removes all places, and keeps the memory.
    package mutating func removeAll() {
        if !words.isEmpty { words.removeAll(keepingCapacity: true) }
    }

    /// The first place that only one of both has; nil if they are the same.
    func firstDifference(from other: JoinedPlaces) -> Int? {
        for i in 0..<max(words.count, other.words.count) {
            let own = i < words.count ? words[i] : 0
            let difference = own ^ (i < other.words.count ? other.words[i] : 0)
            if difference != 0 { return i << 6 + difference.trailingZeroBitCount }
        }
        return nil
    }
}

/// The marks of lines that were cut in joined letters, on every path that finds lines. By them a client that draws
/// lines one by one knows where to put U+200D, which stands for the letter that is gone.
extension LineBuffer {
    /// Marks lines of a text, the first of which begins it or follows another of its lines.
    mutating func markCuts(from first: Int, of text: borrowing MeasuredText) {
        if !text.joins.isEmpty {
            for i in first..<Swift.max(first, count) { self[i].markCuts(of: text.joins) }
        }
        if text.isMixed {
            var letters = LettersBefore()
            for i in first..<Swift.max(first, count) { self[i].markTurns(of: text, &letters) }
        }
    }

    /// Marks the beginnings of lines of several texts behind lines that are marked as ending in joined letters.
    mutating func carryCuts(from first: Int) {
        for i in first..<Swift.max(first, count - 1) where self[i].traits.contains(.endsJoined) && self[i + 1].start > 0
        {
            self[i + 1].traits.insert(.beginsJoined)
        }
    }
}

extension Line {
    /// Marks the ends of a line. A line without letters was cut between none.
    mutating func markCuts(of joins: JoinedPlaces) {
        guard start < end else { return }
        if start > 0 && joins.contains(Int(start)) { traits.insert(.beginsJoined) }
        if joins.contains(Int(end)) { traits.insert(.endsJoined) }
    }
}
