/// Compares the processes that may change with a plan: those of the plan are started, and others end as soon as all
/// of the plan are ready, so that nothing stands still while one takes the place of another. One that was sent away
/// with its edition goes at once: another is started where the plan has that edition again. For each that an operator
/// has sent away, one of those that follow does not run, either.
struct Crew: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        var arguments: [String]
        /// Whether it is ready, or was sent away and is not to be replaced.
        var isSettled: Bool
        /// Whether an operator has sent it away.
        var isDismissed = false
        /// Whether the coordinator has sent it away, and no operator: it does nothing any more.
        var isOver = false
    }

    struct Start: Equatable, Sendable {
        var arguments: [String]
        /// Whether it takes the place of one that an operator has sent away: it is in the plan, and does not run.
        var isDismissed = false
    }

    /// The processes that are to be started, and the places of those that are to end.
    struct Change: Equatable, Sendable {
        var missing: [Start]
        var surplus: [Int]
    }

    static func change(of members: [Member], to plan: [[String]]) -> Change {
        var missing = plan
        var surplus: [Int] = []
        var isSettled = true
        for (place, member) in members.enumerated() {
            if let wanted = missing.firstIndex(of: member.arguments) {
                missing.remove(at: wanted)
                isSettled = isSettled && member.isSettled
            } else {
                surplus.append(place)
            }
        }
        let dismissed = surplus.count { members[$0].isDismissed }
        return Change(
            missing: missing.enumerated().map { Start(arguments: $1, isDismissed: $0 < dismissed) },
            surplus: isSettled && missing.isEmpty ? surplus : surplus.filter { members[$0].isOver })
    }
}
