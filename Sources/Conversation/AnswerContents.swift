/// Contents of the rows of one answer: those at hand, and those that are read for it.
///
/// It holds all of them itself. A cache that is smaller than one page forgets the first rows of a page while the last
/// ones are read; the answer still has them.
///
///     var contents = AnswerContents(of: keys, in: &cache)
///     for place in contents.missing { contents.add(read(keys[place]), bytes: size, at: place, to: &cache) }
///     contents[0]         // nil only for a content that is not stored, or cannot be read
public struct AnswerContents<Key: Hashable & Sendable, Content> {
    @usableFromInline let keys: [Key]
    @usableFromInline var found: [Content?] = []
    @usableFromInline var rest: [Int] = []
    /// Places among the keys whose contents are still to be read.
    @inlinable public var missing: [Int] { rest }

    @inlinable
    public init(of keys: [Key], in cache: inout ContentCache<Key, Content>) {
        self.keys = keys
        found.reserveCapacity(keys.count)
        for (place, key) in keys.enumerated() {
            let content = cache.content(key)
            if content == nil { rest.append(place) }
            found.append(content)
        }
    }

    @inlinable
    public mutating func add(
        _ content: Content, bytes: Int, at place: Int, to cache: inout ContentCache<Key, Content>
    ) {
        found[place] = content
        cache.keep(content, bytes: bytes, for: keys[place])
    }

    /// - Parameter place: a place among the keys.
    @inlinable public subscript(place: Int) -> Content? { found[place] }
}
