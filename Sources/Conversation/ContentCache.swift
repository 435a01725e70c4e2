/// Contents of rows that were asked for lately, within so many bytes: a CLOCK cache. It first forgets rows that are not
/// asked for again, and a question costs one look into a hash table.
///
/// Contents may be gone at the next call. An answer is therefore made of `AnswerContents`, which hold all that
/// belongs to it.
///
/// Both are `public`, as the compiler specialises across modules only code that is: a look into a table through
/// metadata costs more than the rest of the call. They belong to no product, so they are no promise.
public struct ContentCache<Key: Hashable & Sendable, Content> {
    @usableFromInline
    struct Entry {
        @usableFromInline var content: Content
        @usableFromInline let bytes: Int
        /// Whether it was asked for since its last turn.
        @usableFromInline var isWanted = false

        @inlinable
        init(_ content: Content, bytes: Int) { (self.content, self.bytes) = (content, bytes) }
    }

    public let limit: Int
    @usableFromInline var used = 0
    @inlinable public var bytes: Int { used }
    @usableFromInline var known: [Key: Entry] = [:]
    /// Keys in the order in which they came; the one at `first` has its turn next. It may hold keys that were
    /// forgotten.
    @usableFromInline var queue: [Key] = []
    @usableFromInline var first = 0

    /// - Parameter limit: the limit in bytes, as `keep` counts them.
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

    /// Forgets the next one, unless it was wanted since its last turn.
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

    /// Shortens the queue to the keys that are held, when it has grown too long for them. Mostly it is those that had
    /// their turn that make it long, and to drop these no key is looked up.
    @inlinable
    mutating func tidy() {
        guard queue.count > 2 * known.count + 64 else { return }
        queue.removeFirst(first)
        first = 0
        guard queue.count > known.count + known.count / 2 + 64 else { return }
        var seen: Set<Key> = []
        queue = queue.filter { known[$0] != nil && seen.insert($0).inserted }
    }
}
