internal import Typography

/// A cache of shaped words, by the units that they were shaped from. It is bounded: when full, the older of two
/// halves is forgotten, so that a word that is used again and again is always there.
///
/// Everything lies in a few large arrays: finding a word and copying it into a text counts no references.
package struct PieceCache {
    package static let usualBytes = 32 << 20
    /// The longest piece that is kept: longer ones are seldom seen twice.
    static let longest = 48

    package let limit: Int
    private var young = PieceStore()
    private var old = PieceStore()
    package private(set) var hits = 0
    package private(set) var misses = 0

    init(limit: Int) { self.limit = limit }

    package var byteCount: Int { young.byteCount + old.byteCount }

    /// Copies the piece that is known for `range` of `units` into the text; false when none is.
    mutating func add(
        _ units: [UInt16], _ range: Range<Int>, _ setting: ShapingBuffer.Setting, to text: inout MeasuredText
    ) -> Bool {
        guard let entry = find(units, range, setting) else { return false }
        young.add(entry, at: range.lowerBound, to: &text)
        return true
    }

    /// The marks of one unit of a known piece.
    mutating func marks(
        at offset: Int, of units: [UInt16], _ range: Range<Int>, _ setting: ShapingBuffer.Setting
    ) -> Marks? {
        find(units, range, setting).map { young.marks(at: offset, of: $0) }
    }

    mutating func insert(_ piece: Piece, for units: [UInt16], _ range: Range<Int>, _ setting: ShapingBuffer.Setting) {
        young.insert(piece, units, range, setting)
        guard young.byteCount > limit / 2 else { return }
        swap(&young, &old)
        young = PieceStore()
    }

    /// Finds a piece. One that is found among the old is young again.
    private mutating func find(_ units: [UInt16], _ range: Range<Int>, _ setting: ShapingBuffer.Setting) -> Int? {
        if let found = young.find(units, range, setting) {
            hits += 1
            return found
        }
        if let found = old.find(units, range, setting) {
            hits += 1
            young.insert(old.piece(found), units, range, setting)
            return young.find(units, range, setting)
        }
        misses += 1
        return nil
    }
}
