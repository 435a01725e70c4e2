package import Names
package import Wire

package enum Host {}

/// A host of the cluster, by the name that its operator gave it.
package typealias HostID = Name<Host>

/// A range of shards, with one log and one owner at a time.
package struct Partition: Hashable, Comparable, Sendable {
    package var number: UInt16
    package init(_ number: UInt16) { self.number = number }
    package static func < (a: Partition, b: Partition) -> Bool { a.number < b.number }
}

/// The map of shards to partitions: each partition has the same number of shards, one behind the other. A shard is a
/// range of hashes, so a partition is one, too; in two halves it would be two ranges.
package struct PartitionMap: Equatable, Sendable {
    package let partitions: Int
    package let shards: Int

    /// Nil where partitions would have different numbers of shards.
    package init?(partitions: Int, shards: Int) {
        guard partitions > 0, shards >= partitions, shards.isMultiple(of: partitions), shards <= Int(UInt16.max) else {
            return nil
        }
        (self.partitions, self.shards) = (partitions, shards)
    }

    package var all: [Partition] { (0..<partitions).map { Partition(UInt16($0)) } }

    private var width: Int { shards / partitions }

    package func partition(of shard: Shard) -> Partition {
        precondition(Int(shard.number) < shards)
        return Partition(shard.number / UInt16(width))
    }

    package func partition(of conversation: ConversationID) -> Partition {
        partition(of: Shard(of: conversation, among: shards))
    }

    package func shards(of partition: Partition) -> [Shard] {
        precondition(Int(partition.number) < partitions)
        let first = Int(partition.number) * width
        return (first..<first + width).map { Shard(UInt16($0)) }
    }
}
