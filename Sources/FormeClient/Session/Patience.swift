/// How long is waited for answers.
public struct Patience: Hashable, Sendable {
    /// For one answer, and for a connection.
    public var answer: Duration
    /// A line that stood so long has been good: the next attempt is made at once.
    var good = Duration.seconds(1)

    public init(answer: Duration = .seconds(5)) { self.answer = answer }
}
