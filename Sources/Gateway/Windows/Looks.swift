import Conversation

/// Timelines with rows at hand that were asked for lately: a page is asked for in several ways, and the next one is
/// mostly of the same blocks.
struct Looks {
    private var known: [(moment: ConversationMoment, timeline: Timeline)] = []

    private static let most = 32

    /// A timeline as it is, with the rows at hand that were asked for lately.
    func timeline(of shared: SharedTimeline) -> Timeline {
        let moment = shared.moment
        return known.first { $0.moment === moment }?.timeline ?? shared.timeline
    }

    /// The same, with the rows of some ranges at hand.
    mutating func timeline(of shared: SharedTimeline, at ranges: [Range<Int>]) -> Timeline {
        // A moment that is over would only keep a conversation in memory that nobody counts there any more.
        known.removeAll { $0.moment.isOver }
        let moment = shared.moment
        if let place = known.firstIndex(where: { $0.moment === moment }) {
            if ranges.allSatisfy(known[place].timeline.tree.isAtHand) { return known[place].timeline }
            known.remove(at: place)
        }
        if known.count == Self.most { known.removeFirst() }
        let timeline = ranges.reduce(shared.timeline) { $0.opened($1) }
        known.append((moment, timeline))
        return timeline
    }
}
