import Storage

/// The timelines of one conversation, and what happened in it while nobody looked at some of them.
///
/// Changes are done at once to those that somebody looks at, or has looked at just now. Others rest, and take them up when they are
/// wanted again: so a change costs as much as there are readers who look, however many have looked before.
struct OpenConversation {
    private(set) var timelines: [SharedTimeline] = []
    /// Since the first one came to rest.
    private var missed: [ShardChangeNote] = []
    /// Timelines that rest, and how many of these each had taken up before.
    private var resting: [ObjectIdentifier: Int] = [:]

    /// A conversation of which more was missed is read again in less time.
    private static let mostMissed = 128
    /// For so long nobody may look before one comes to rest.
    private static let patience: Duration = .seconds(1)

    mutating func add(_ shared: SharedTimeline) { timelines.append(shared) }

    mutating func remove(_ shared: SharedTimeline) {
        timelines.removeAll { $0 === shared }
        wake(shared)
    }

    /// Nobody who looks hears of it here.
    /// - Returns: those that are not worth to be kept: too much was missed, or they cost nothing to be made of another.
    mutating func rest(
        missing notes: [ShardChangeNote], at now: ContinuousClock.Instant
    ) -> [SharedTimeline] {
        let idle = timelines.filter { !isAwake($0, at: now) }
        guard missed.count + notes.count <= Self.mostMissed else { return idle }
        let (forks, others) = (idle.filter(\.isFork), idle.filter { !$0.isFork })
        for shared in others where resting[ObjectIdentifier(shared)] == nil {
            shared.endMoment()
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
