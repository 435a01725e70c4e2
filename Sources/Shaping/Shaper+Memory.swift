/// The memory that a shaper holds on to, in bytes. All of it is bounded: the cache by its limit, the tables by the
/// characters and pairs that there are.
package struct ShaperMemory: Hashable, Sendable {
    package var cache = 0
    package var cacheLimit = 0
    package var pairTables = 0
    package var characterTables = 0
}

extension Shaper {
    package var memory: ShaperMemory {
        var memory = ShaperMemory(cache: cache.byteCount, cacheLimit: cache.limit)
        for style in styles {
            memory.pairTables += style.pairTables.map(\.byteCount).reduce(0, +)
            memory.characterTables += style.characters.byteCount
        }
        return memory
    }
}
