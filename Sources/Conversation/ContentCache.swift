/// Contents of rows that were asked for lately, within so many bytes: a CLOCK cache, so that a row that nobody asks for again goes
/// first, and a question costs one look into a table.
///
/// Contents may be gone at the next call. An answer is therefore made of `AnswerContents`, which hold all that belongs to it.
///
/// Both are `public`, as the compiler specialises across modules only what is: each look into a table by way of metadata cost more
/// than what is looked for. They are of no product, and so no promise.
public struct ContentCache<Key: Hashable & Sendable, Content> {
    @usableFromInline
    struct Entry {
        @usableFromInline var content: Content
        @usableFromInline let bytes: Int
        /// Since its last turn.
        @usableFromInline var isWanted = false

        @inlinable
        init(_ content: Content, bytes: Int) { (self.content, self.bytes) = (content, bytes) }
    }

    public let limit: Int
    @usableFromInline var used = 0
    @inlinable public var bytes: Int { used }
    @usableFromInline var known: [Key: Entry] = [:]
    /// In the order in which they came, the one whose turn is next first. A key that was forgotten may be here still.
    @usableFromInline var queue: [Key] = []
    @usableFromInline var first = 0

    /// - Parameter limit: in bytes, as `keep` counts them.
    @inlinable
    public init(limit: Int) { self.limit = limit }

    @inlinable public var count: Int { known.count }

    @inlinable
    public mutating func content(_ key: Key) -> Content? {
        guard let place = known.index(forKey: key) else { return nil }
        known.values[place].isWanted = true
        return known.values[place].content
    }

    @inlinable
    public mutating func keep(_ content: Content, bytes size: Int, for key: Key) {
        used += size
        if let old = known.updateValue(Entry(content, bytes: size), forKey: key) {
            used -= old.bytes
        } else {
            queue.append(key)
        }
        while used > limit, first < queue.count { takeTurn() }
        tidy()
    }

    @inlinable
    public mutating func forget(_ key: Key) {
        if let old = known.removeValue(forKey: key) { used -= old.bytes }
    }

    /// The next one goes, unless it was wanted since its last turn.
    @inlinable
    mutating func takeTurn() {
        let key = queue[first]
        first += 1
        guard let place = known.index(forKey: key) else { return }
        if known.values[place].isWanted {
            known.values[place].isWanted = false
            queue.append(key)
        } else {
            used -= known.remove(at: place).value.bytes
        }
    }

    /// The queue stays as long as what is held, whatever is forgotten.
    @inlinable
    mutating func tidy() {
        guard queue.count > 2 * known.count + 64 else { return }
        var seen: Set<Key> = []
        queue = queue[first...].filter { known[$0] != nil && seen.insert($0).inserted }
        first = 0
    }
}
