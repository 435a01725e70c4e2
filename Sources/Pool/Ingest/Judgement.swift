package import Wire

/// The answer to an event when its turn is committed, and the one when it is not.
package struct Judgement: Equatable, Sendable {
    package var answer: EventAnswer
    /// A warning about the part that is kept, and not drawn as it was meant.
    package var warning: String?
    /// Whether kept messages had a say in it, and so perhaps events of the same turn.
    private var isOfWhatIsKept: Bool

    package init(_ answer: EventAnswer, warning: String? = nil, isOfWhatIsKept: Bool = false) {
        (self.answer, self.warning, self.isOfWhatIsKept) = (answer, warning, isOfWhatIsKept)
    }

    /// Returns the answer when the turn could not be committed: nothing of it was kept, so an event that was judged
    /// by it is to be judged again. An event that is wrong by itself stays so.
    package func unkept(retryAfter: Int, reason: BusyReason = .disk) -> EventAnswer {
        if case .invalid = answer, !isOfWhatIsKept { return answer }
        return .busy(retryAfter: retryAfter, reason: reason)
    }
}
