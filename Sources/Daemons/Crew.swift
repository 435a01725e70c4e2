/// Which of the processes that may change are there, and which should be: those of a plan are started, and others end as soon as all of
/// the plan are ready, so that nothing stands still while one takes the place of another.
struct Crew: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        var arguments: [String]
        /// It is ready, or was sent away and is not to be replaced.
        var isSettled: Bool
    }

    /// What is to be started, and the places of those that are to end.
    struct Change: Equatable, Sendable {
        var missing: [[String]]
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
        return Change(missing: missing, surplus: isSettled && missing.isEmpty ? surplus : [])
    }
}
