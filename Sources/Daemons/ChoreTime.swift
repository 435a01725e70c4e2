/// The time that chores may take beside other work: a share of the time of that, saved up to a limit.
///
/// All chores of a lane keep to it, so that none of them, however much there is to do, keeps batches waiting.
struct ChoreTime {
    private let share: Double
    private let most: Duration
    private let mostOwed: Duration?
    /// The time that is saved; below zero, time that is owed.
    private var left: Duration = .zero

    /// - Parameter mostOwed: the most that a long step owes, so that it is forgiven the rest; nil where it owes
    ///   everything.
    init(share: Double, most: Duration, mostOwed: Duration? = nil) {
        (self.share, self.most, self.mostOwed) = (share, most, mostOwed)
    }

    /// Whether there is time for a step, however long it will take.
    var isThere: Bool { left >= .zero }

    /// The time for which the other work has to go on until there is time again.
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
