/// Facts of the etcd that is asked: which cluster it is, and how many changes it has seen.
struct EtcdEngine: Equatable, Sendable {
    private var cluster: UInt64?
    private(set) var revision: UInt64 = 0

    enum Judgement: Equatable, Sendable {
        case known
        /// An answer of an earlier revision than one that was told before it was asked: every answer here is linearizable, so something was lost. What it
        /// says is true all the same; the revision is the one that was known.
        case forgetful(UInt64)
        /// An answer of another cluster than this one.
        case stranger(UInt64)
    }

    mutating func take(_ head: EtcdHead, floor: UInt64) -> Judgement {
        let known = cluster ?? head.cluster
        guard known == head.cluster else { return .stranger(known) }
        cluster = known
        let isForgetful = head.revision < floor
        // Once: what was asked before has the same floor.
        defer { revision = isForgetful && revision >= floor ? head.revision : max(revision, head.revision) }
        return isForgetful && revision >= floor ? .forgetful(floor) : .known
    }
}
