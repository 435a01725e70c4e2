import Testing

@testable import Daemons

@Test func `for each worker that an operator has sent away one of those that follow does not run`() {
    let (old, new) = (["worker", "old"], ["worker", "new"])
    var members = [true, false, false].map { Crew.Member(arguments: old, isSettled: true, isDismissed: $0) }
    let begun = Crew.change(of: members, to: [new, new, new])
    #expect(begun.missing.map(\.arguments) == [new, new, new])
    #expect(begun.missing.map(\.isDismissed) == [true, false, false])
    #expect(begun.surplus.isEmpty)
    // The new workers are counted once, and the old ones end when the new ones are ready.
    members += begun.missing.map {
        Crew.Member(arguments: $0.arguments, isSettled: $0.isDismissed, isDismissed: $0.isDismissed)
    }
    #expect(Crew.change(of: members, to: [new, new, new]) == Crew.Change(missing: [], surplus: []))
    for member in members.indices { members[member].isSettled = true }
    #expect(Crew.change(of: members, to: [new, new, new]) == Crew.Change(missing: [], surplus: [0, 1, 2]))
}

@Test func `a worker that stays sent away is not counted twice`() {
    let (old, new) = (["worker", "old"], ["worker", "new"])
    let members = [true, false].map { Crew.Member(arguments: old, isSettled: true, isDismissed: $0) }
    let change = Crew.change(of: members, to: [old, new])
    #expect(change.missing == [Crew.Start(arguments: new)])
}
