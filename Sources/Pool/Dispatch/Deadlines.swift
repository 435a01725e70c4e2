/// The times at which periodic work was done last.
struct Deadlines: Equatable, Sendable {
    var check = Moment.start
    var pulse = Moment.start
    var balance = Moment.start
    var record = Moment.start
    /// The longest time between two turns of a loop that is not stopped.
    let longestTurn: Duration = .seconds(1)

    mutating func isDue(_ deadline: WritableKeyPath<Deadlines, Moment>, _ now: Moment, every length: Duration) -> Bool {
        guard self[keyPath: deadline] + length <= now else { return false }
        self[keyPath: deadline] = now
        return true
    }
}
