import Conversation
import Storage

/// The timelines of one conversation, and the changes to it that some of them missed while nobody looked.
///
/// A change is made at once to the timelines that somebody looks at, or has looked at a moment ago. The others rest,
/// and take it up when they are wanted again: so the cost of a change depends on the readers that look, however many
/// have looked before.
struct OpenConversation {
    private(set) var timelines: [SharedTimeline] = []
    /// The changes since the first one came to rest.
    private var missed: [ShardChangeNote] = []
    /// Timelines that rest, and the number of these changes that each had taken up before.
    private var resting: [ObjectIdentifier: Int] = [:]

    /// The most changes that are noted: where more were missed, reading the conversation again takes less time. To take
    /// one up takes about as long as to read blocks of a thousand rows.
    private var mostMissed: Int { max(128, (timelines.lazy.map(\.timeline.tree.count).max() ?? 0) >> 10) }
    /// The time without a reader after which a timeline comes to rest.
    private static let patience: Duration = .seconds(1)

    mutating func add(_ shared: SharedTimeline) { timelines.append(shared) }

    mutating func remove(_ shared: SharedTimeline) {
        timelines.removeAll { $0 === shared }
        wake(shared)
    }

    /// Notes changes for the timelines that rest. The others are told elsewhere.
    /// - Returns: the timelines that are not worth keeping: too much was missed, or they cost nothing to make from
    ///   another.
    mutating func rest(
        missing notes: [ShardChangeNote], at now: ContinuousClock.Instant
    ) -> [SharedTimeline] {
        let idle = timelines.filter { !isAwake($0, at: now) }
        guard missed.count + notes.count <= mostMissed else { return idle }
        let (forks, others) = (idle.filter(\.isFork), idle.filter { !$0.isFork })
        for shared in others where resting[ObjectIdentifier(shared)] == nil {
            shared.rest()
            resting[ObjectIdentifier(shared)] = missed.count
        }
        if !others.isEmpty { missed += notes }
        return forks
    }

    func awake(at now: ContinuousClock.Instant) -> [SharedTimeline] { timelines.filter { isAwake($0, at: now) } }

    private func isAwake(_ shared: SharedTimeline, at now: ContinuousClock.Instant) -> Bool {
        shared.isWatched || resting[ObjectIdentifier(shared)] == nil && now < shared.lastUse + Self.patience
    }

    func missed(by shared: SharedTimeline) -> ArraySlice<ShardChangeNote> {
        resting[ObjectIdentifier(shared)].map { missed[$0...] } ?? []
    }

    mutating func wake(_ shared: SharedTimeline) {
        resting[ObjectIdentifier(shared)] = nil
        if resting.isEmpty { missed = [] }
    }
}
