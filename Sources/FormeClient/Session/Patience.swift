/// The longest waits for answers.
public struct Patience: Hashable, Sendable {
    /// The wait for one answer, and for a connection.
    public var answer: Duration
    /// The time after which a line on which the window follows counts as good: when it breaks, the next attempt is made
    /// at once.
    var good = Duration.seconds(1)

    public init(answer: Duration = .seconds(5)) { self.answer = answer }
}
