package import Wire

/// A stretch of a file's life in which no commit was lost, by a random number; a new one tells readers to start anew.
package struct Generation: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    static func random() -> Generation { Generation(.random(in: 1 ... .max)) }
}

/// The place up to which a reader has read in a shard.
package struct Cursor: Hashable, Sendable {
    package var generation: Generation
    package var stamp: Stamp

    package init(generation: Generation, stamp: Stamp) {
        (self.generation, self.stamp) = (generation, stamp)
    }
}
