/// Contents of rows that were asked for lately, within so many bytes: a CLOCK cache, so that a row that nobody asks for again goes
/// first, and a question costs one look into a table.
///
/// Contents may be gone at the next call. An answer is therefore made of `AnswerContents`, which hold all that belongs to it.
package struct ContentCache<Key: Hashable & Sendable, Content> {
    private struct Entry {
        var content: Content
        let bytes: Int
        /// Since its last turn.
        var isWanted = false
    }

    package let limit: Int
    package private(set) var bytes = 0
    private var known: [Key: Entry] = [:]
    /// In the order in which they came, the one whose turn is next first. A key that was forgotten may be here still.
    private var queue: [Key] = []
    private var first = 0

    /// - Parameter limit: in bytes, as `keep` counts them.
    package init(limit: Int) { self.limit = limit }

    package var count: Int { known.count }

    package mutating func content(_ key: Key) -> Content? {
        guard let place = known.index(forKey: key) else { return nil }
        known.values[place].isWanted = true
        return known.values[place].content
    }

    package mutating func keep(_ content: Content, bytes size: Int, for key: Key) {
        bytes += size
        if let old = known.updateValue(Entry(content: content, bytes: size), forKey: key) {
            bytes -= old.bytes
        } else {
            queue.append(key)
        }
        while bytes > limit, first < queue.count { takeTurn() }
        tidy()
    }

    package mutating func forget(_ key: Key) {
        if let old = known.removeValue(forKey: key) { bytes -= old.bytes }
    }

    /// The next one goes, unless it was wanted since its last turn.
    private mutating func takeTurn() {
        let key = queue[first]
        first += 1
        guard let place = known.index(forKey: key) else { return }
        if known.values[place].isWanted {
            known.values[place].isWanted = false
            queue.append(key)
        } else {
            bytes -= known.remove(at: place).value.bytes
        }
    }

    /// The queue stays as long as what is held, whatever is forgotten.
    private mutating func tidy() {
        guard queue.count > 2 * known.count + 64 else { return }
        var seen: Set<Key> = []
        queue = queue[first...].filter { known[$0] != nil && seen.insert($0).inserted }
        first = 0
    }
}
