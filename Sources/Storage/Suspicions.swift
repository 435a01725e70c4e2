package import Pool
import Synchronization

/// Shards that a reader found damaged and could not mark as suspect in the folder, as it is another
/// user's: they are passed on to the coordinator, which can.
package final class Suspicions: Sendable {
    private let untold = Mutex<Set<ShardOfEdition>>([])

    package init() {}

    package func add(_ shard: ShardOfEdition) { untold.withLock { _ = $0.insert(shard) } }

    /// Takes at most so many of them; the others stay.
    package func take(atMost most: Int) -> [ShardOfEdition] {
        untold.withLock { untold in
            let taken = Array(untold.prefix(most))
            untold.subtract(taken)
            return taken
        }
    }
}
