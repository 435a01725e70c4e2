internal import Typography

/// One half of the cache: a table of entries found by hashing, and their parts, one behind the other.
struct PieceStore {
    private struct Entry {
        var hash: UInt64
        var setting: UInt64
        var start: Int32
        var count: Int32
        var unsafeStart: Int32
        var unsafeCount: Int32
        var shortStart: Int32
        var shortCount: Int32
    }

    /// A number that differs from store to store, so that nobody can write words that all come to one place.
    private let seed = UInt64.random(in: .min ... .max)
    private var entries: [Entry] = []
    /// Places in `entries`, from 1; 0 is free. Twice as many as entries at least.
    private var table: [Int32] = Array(repeating: 0, count: 1024)
    private var units: [UInt16] = []
    private var advances: [Int32] = []
    private var marks: [Marks] = []
    private var unsafeBreaks: [UnsafeBreak] = []
    private var shortPieces: [ShortPiece] = []

    var byteCount: Int {
        entries.count * MemoryLayout<Entry>.stride + table.count * 4 + units.count * 7
            + unsafeBreaks.count * MemoryLayout<UnsafeBreak>.stride
            + shortPieces.count * MemoryLayout<ShortPiece>.stride
    }

    func find(_ text: [UInt16], _ range: Range<Int>, _ setting: ShapingBuffer.Setting) -> Int? {
        let hash = hash(text, range, setting.packed)
        var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
        while table[place] != 0 {
            let entry = entries[Int(table[place]) - 1]
            if entry.hash == hash && entry.setting == setting.packed && isSame(entry, text, range) {
                return Int(table[place]) - 1
            }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    func add(_ number: Int, at start: Int, to measured: inout MeasuredText) {
        let entry = entries[number]
        let from = Int(entry.start)
        measured.advances.overwrite(at: start, with: advances, from..<from + Int(entry.count))
        measured.marks.overwrite(at: start, with: marks, from..<from + Int(entry.count))
        let offset = Int32(start)
        for i in Int(entry.unsafeStart)..<Int(entry.unsafeStart + entry.unsafeCount) {
            measured.unsafeBreaks.append(unsafeBreaks[i].moved(by: offset))
        }
        for i in Int(entry.shortStart)..<Int(entry.shortStart + entry.shortCount) {
            measured.shortPieces.append(shortPieces[i].moved(by: offset))
        }
    }

    func marks(at offset: Int, of number: Int) -> Marks { marks[Int(entries[number].start) + offset] }

    func piece(_ number: Int) -> Piece {
        let entry = entries[number]
        let range = Int(entry.start)..<Int(entry.start + entry.count)
        return Piece(
            advances: Array(advances[range]), marks: Array(marks[range]),
            unsafeBreaks: Array(unsafeBreaks[Int(entry.unsafeStart)..<Int(entry.unsafeStart + entry.unsafeCount)]),
            shortPieces: Array(shortPieces[Int(entry.shortStart)..<Int(entry.shortStart + entry.shortCount)]))
    }

    mutating func insert(_ piece: Piece, _ text: [UInt16], _ range: Range<Int>, _ setting: ShapingBuffer.Setting) {
        if 2 * entries.count >= table.count { grow() }
        let hash = hash(text, range, setting.packed)
        entries.append(
            Entry(
                hash: hash, setting: setting.packed, start: Int32(units.count), count: Int32(range.count),
                unsafeStart: Int32(unsafeBreaks.count), unsafeCount: Int32(piece.unsafeBreaks.count),
                shortStart: Int32(shortPieces.count), shortCount: Int32(piece.shortPieces.count)))
        units += text[range]
        advances += piece.advances
        marks += piece.marks
        unsafeBreaks += piece.unsafeBreaks
        shortPieces += piece.shortPieces
        enter(entries.count, hash)
    }

    private mutating func enter(_ number: Int, _ hash: UInt64) {
        var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
        while table[place] != 0 { place = (place + 1) & (table.count - 1) }
        table[place] = Int32(number)
    }

    private mutating func grow() {
        table = Array(repeating: 0, count: 4 * table.count)
        for (number, entry) in entries.enumerated() { enter(number + 1, entry.hash) }
    }

    private func isSame(_ entry: Entry, _ text: [UInt16], _ range: Range<Int>) -> Bool {
        guard Int(entry.count) == range.count else { return false }
        for i in 0..<range.count where units[Int(entry.start) + i] != text[range.lowerBound + i] { return false }
        return true
    }

    private func hash(_ text: [UInt16], _ range: Range<Int>, _ setting: UInt64) -> UInt64 {
        var hash = seed ^ (setting &+ 0x9e37_79b9_7f4a_7c15)
        for i in range { hash = (hash ^ UInt64(text[i])) &* 0xff51_afd7_ed55_8ccd }
        return hash ^ hash >> 32
    }
}

extension MeasuredText {
    mutating func add(_ piece: Piece, at start: Int) {
        advances.overwrite(at: start, with: piece.advances, piece.advances.indices)
        marks.overwrite(at: start, with: piece.marks, piece.marks.indices)
        let offset = Int32(start)
        for place in piece.unsafeBreaks { unsafeBreaks.append(place.moved(by: offset)) }
        for short in piece.shortPieces { shortPieces.append(short.moved(by: offset)) }
    }
}

extension Array {
    /// Copies by hand: replacing a subrange may move the elements behind it, and is not compiled to a copy.
    fileprivate mutating func overwrite(at start: Int, with source: [Element], _ range: Range<Int>) {
        var own = mutableSpan
        let source = source.span
        for i in range { own[start + i - range.lowerBound] = source[i] }
    }
}
