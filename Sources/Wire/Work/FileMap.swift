/// The number of a file of an edition: `shards/EDITION/NN.db`. A lease, an epoch, a transaction and a loss each
/// concern one file.
package struct FileNumber: Hashable, Comparable, Sendable {
    package var number: UInt16
    package init(_ number: UInt16) { self.number = number }
    package static func < (a: FileNumber, b: FileNumber) -> Bool { a.number < b.number }
}

/// The map from the shards of an edition to its files: as many shards in each, in their order.
///
///     FileMap(shards: 16, files: 4).file(of: Shard(5))  // FileNumber(1), which has shards 4 to 7
///
/// Shards are ranges of hashes, for ever; the number of files is chosen when an edition is made.
package struct FileMap: Hashable, Sendable {
    package let shards: Int
    package let files: Int

    /// A map with as many files as shards.
    package init(shards: Int) { (self.shards, files) = (shards, shards) }

    /// A map with at most so many files, and as many shards in each.
    package init(shards: Int, atMost files: Int) {
        self.shards = shards
        self.files = (1...max(1, min(shards, files))).last { shards.isMultiple(of: $0) } ?? 1
    }

    private var width: Int { shards / files }

    package func file(of shard: Shard) -> FileNumber { FileNumber(UInt16(Int(shard.number) / width)) }

    package func shards(of file: FileNumber) -> LazyMapSequence<Range<Int>, Shard> {
        let first = Int(file.number) * width
        return (first..<first + width).lazy.map { Shard(UInt16($0)) }
    }

    /// The shard that stands for the whole file.
    package func first(of file: FileNumber) -> Shard { Shard(UInt16(Int(file.number) * width)) }
}
