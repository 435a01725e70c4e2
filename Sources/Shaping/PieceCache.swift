/// Shaped words by what they were shaped from. Bounded: when full, the older of two halves is forgotten, so that a
/// word that is used again and again is always there.
package struct PieceCache {
    struct Key: Hashable {
        var setting: ShapingBuffer.Setting
        var units: ArraySlice<UInt16>

        func hash(into hasher: inout Hasher) {
            hasher.combine(setting)
            for unit in units { hasher.combine(unit) }
        }
    }

    package static let usualBytes = 32 << 20
    /// Longer pieces are seldom seen twice.
    static let longest = 48

    private let limit: Int
    private var young: [Key: Piece] = [:]
    private var old: [Key: Piece] = [:]
    private var youngBytes = 0
    private var oldBytes = 0
    package private(set) var hits = 0
    package private(set) var misses = 0

    init(limit: Int) { self.limit = limit }

    package var byteCount: Int { youngBytes + oldBytes }

    mutating func piece(_ key: Key) -> Piece? {
        if let found = young[key] {
            hits += 1
            return found
        }
        if let found = old[key] {
            hits += 1
            insert(found, for: key)
            return found
        }
        misses += 1
        return nil
    }

    mutating func insert(_ piece: Piece, for key: Key) {
        let owned = Key(setting: key.setting, units: ArraySlice(Array(key.units)))
        young[owned] = piece
        youngBytes += piece.byteCount + 2 * owned.units.count + MemoryLayout<Key>.size
        guard youngBytes > limit / 2 else { return }
        old = young
        oldBytes = youngBytes
        young = [:]
        youngBytes = 0
    }
}
