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

@Test func `workers that went with their edition are gone before others are ready, so that a later roll starts some`() {
    let (served, next) = (["worker", "served"], ["worker", "next"])
    let plan = [served, served, next, next]
    var members = plan.map { Crew.Member(arguments: $0, isSettled: true, isOver: $0 == next) }
    // While the plan has the edition, one that was sent away stays away.
    #expect(Crew.change(of: members, to: plan) == Crew.Change(missing: [], surplus: []))
    // The edition is retired, and more workers for the served one are not ready.
    let all = Array(repeating: served, count: 4)
    let starts = [Crew.Start(arguments: served), Crew.Start(arguments: served)]
    #expect(Crew.change(of: members, to: all) == Crew.Change(missing: starts, surplus: [2, 3]))
    members = Array(members.prefix(2)) + starts.map { Crew.Member(arguments: $0.arguments, isSettled: false) }
    #expect(Crew.change(of: members, to: all) == Crew.Change(missing: [], surplus: []))
    // Now it is the next one again.
    let again = Crew.change(of: members, to: plan)
    #expect(again.missing == [Crew.Start(arguments: next), Crew.Start(arguments: next)])
    #expect(again.surplus.isEmpty)
}

@Test func `of workers for which the plan has no place one that an operator has sent away stays until others follow`() {
    let (served, next) = (["worker", "served"], ["worker", "next"])
    let members = [true, false].map { Crew.Member(arguments: next, isSettled: true, isDismissed: $0, isOver: !$0) }
    let change = Crew.change(of: members, to: [served, served])
    #expect(change.missing.map(\.isDismissed) == [true, false])
    #expect(change.surplus == [1])
}

@Test func `a worker that stays sent away is not counted twice`() {
    let (old, new) = (["worker", "old"], ["worker", "new"])
    let members = [true, false].map { Crew.Member(arguments: old, isSettled: true, isDismissed: $0) }
    let change = Crew.change(of: members, to: [old, new])
    #expect(change.missing == [Crew.Start(arguments: new)])
}
