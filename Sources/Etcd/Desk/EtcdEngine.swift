/// The facts of the etcd that is asked: its cluster, and the number of changes that it has seen.
struct EtcdEngine: Equatable, Sendable {
    private var cluster: UInt64?
    private(set) var revision: UInt64 = 0

    enum Judgement: Equatable, Sendable {
        case known
        /// An answer of an earlier revision than was known when it was asked for. Every answer here is linearizable,
        /// so something was lost; the answer is true all the same. The number is the revision that was known.
        case forgetful(UInt64)
        /// An answer of another cluster than this one.
        case stranger(UInt64)
    }

    mutating func take(_ head: EtcdHead, floor: UInt64) -> Judgement {
        let known = cluster ?? head.cluster
        guard known == head.cluster else { return .stranger(known) }
        cluster = known
        let isForgetful = head.revision < floor
        // Told once: calls that were sent before have the same floor.
        defer { revision = isForgetful && revision >= floor ? head.revision : max(revision, head.revision) }
        return isForgetful && revision >= floor ? .forgetful(floor) : .known
    }
}
