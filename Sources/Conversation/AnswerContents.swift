/// Contents of the rows of one answer: those at hand, and those that are read for it.
///
/// It holds all of that itself. A cache may be smaller than one page, and then forgets the first rows of a page while the last ones
/// are read; the answer has them all the same.
///
///     var contents = AnswerContents(of: keys, in: &cache)
///     for key in contents.missing { contents.add(read(key), bytes: size, for: key, to: &cache) }
///     contents[key]       // nil only for what is not stored, or cannot be read
public struct AnswerContents<Key: Hashable & Sendable, Content> {
    @usableFromInline var found: [Key: Content] = [:]
    @usableFromInline var rest: [Key] = []
    /// In the order of the question.
    @inlinable public var missing: [Key] { rest }

    @inlinable
    public init(of keys: [Key], in cache: inout ContentCache<Key, Content>) {
        found.reserveCapacity(keys.count)
        for key in keys {
            if let content = cache.content(key) { found[key] = content } else { rest.append(key) }
        }
    }

    @inlinable
    public mutating func add(
        _ content: Content, bytes: Int, for key: Key, to cache: inout ContentCache<Key, Content>
    ) {
        found[key] = content
        cache.keep(content, bytes: bytes, for: key)
    }

    @inlinable public subscript(key: Key) -> Content? { found[key] }
}
