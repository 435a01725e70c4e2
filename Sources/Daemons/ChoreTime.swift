/// Time that chores may take beside something else: a share of the time that the other takes, saved up to a most.
///
/// All chores of a lane keep to it, so that none of them, however much there is to do, keeps batches waiting.
struct ChoreTime {
    private let share: Double
    private let most: Duration
    private let mostOwed: Duration?
    /// Time that is saved; below zero, time that is owed.
    private var left: Duration = .zero

    /// - Parameter mostOwed: a step that took longer is forgiven the rest; nil where all of it is made up for.
    init(share: Double, most: Duration, mostOwed: Duration? = nil) {
        (self.share, self.most, self.mostOwed) = (share, most, mostOwed)
    }

    /// Whether there is time for a step, however long that turns out.
    var isThere: Bool { left >= .zero }

    /// How long the other has to go on until there is time again.
    var wait: Duration { isThere ? .zero : .zero - left / share }

    mutating func earn(beside time: Duration) { left = min(left + time * share, most) }

    mutating func take(_ time: Duration) {
        left -= time
        if let mostOwed { left = max(left, .zero - mostOwed) }
    }

    /// Does a step if there is time.
    /// - Returns: false where there is none.
    @discardableResult
    mutating func spend(_ step: () -> Void) -> Bool {
        guard isThere else { return false }
        let start = ContinuousClock.now
        step()
        take(.now - start)
        return true
    }
}
