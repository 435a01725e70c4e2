package import Pool
import Synchronization

/// Shards that a reader found damaged, and of which it could leave no word in the folder, as one of another user: somebody passes
/// it on to the coordinator, who can.
package final class Suspicions: Sendable {
    private let untold = Mutex<Set<ShardOfEdition>>([])

    package init() {}

    package func add(_ shard: ShardOfEdition) { untold.withLock { _ = $0.insert(shard) } }

    /// So many at most; the others stay.
    package func take(atMost most: Int) -> [ShardOfEdition] {
        untold.withLock { untold in
            let taken = Array(untold.prefix(most))
            untold.subtract(taken)
            return taken
        }
    }
}
