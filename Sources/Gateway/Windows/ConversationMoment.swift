/// A conversation as it is before anything changes in it.
final class ConversationMoment {
    private unowned let timeline: SharedTimeline
    private(set) var isOver = false

    init(of timeline: SharedTimeline) { self.timeline = timeline }

    /// Nil when the moment is over.
    var shared: SharedTimeline? { isOver ? nil : timeline }

    func end() { isOver = true }
}
