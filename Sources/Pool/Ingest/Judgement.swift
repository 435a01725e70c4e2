package import Wire

/// What becomes of an event when its turn is committed, and what is true when it is not.
package struct Judgement: Equatable, Sendable {
    package var answer: EventAnswer
    /// What of it is kept, and not drawn as it was meant.
    package var warning: String?
    /// What is kept had a say in it, and so perhaps what came in the same turn.
    private var isOfWhatIsKept: Bool

    package init(_ answer: EventAnswer, warning: String? = nil, isOfWhatIsKept: Bool = false) {
        (self.answer, self.warning, self.isOfWhatIsKept) = (answer, warning, isOfWhatIsKept)
    }

    /// What is said when the turn could not be committed: nothing of it was kept, so what was judged by it is to be judged
    /// again. What is wrong by itself stays so.
    package func unkept(retryAfter: Int, reason: BusyReason = .disk) -> EventAnswer {
        if case .invalid = answer, !isOfWhatIsKept { return answer }
        return .busy(retryAfter: retryAfter, reason: reason)
    }
}
