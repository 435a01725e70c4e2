import Pool
import Testing
import Wire

private let here = EngineFacts([.init("engine rules", "1"), .init("ICU", "72.1"), .init("probe rows", "aa")])

extension PoolBench {
    fileprivate mutating func join(_ number: UInt8, _ engine: EngineFacts) -> [Dispatcher.Effect] {
        let hello = WorkerHello(
            edition: PoolBench.edition, editionName: "plain", process: Int32(number), machine: "host\(number)/1",
            folder: FolderProof(7), engine: engine)
        return tell(.heard(.hello(hello), from: peer(number))) + beat(peer(number)) + turn()
    }
}

@Test(arguments: [
    (
        EngineFacts([.init("engine rules", "2"), .init("ICU", "72.1"), .init("probe rows", "aa")]),
        "engine rules 2 and not 1"
    ),
    (
        EngineFacts([.init("engine rules", "1"), .init("ICU", "74.2"), .init("probe rows", "bb")]),
        "ICU 74.2 and not 72.1, probe rows bb and not aa"
    ),
])
func `a worker whose engine makes other rows gets no jobs, and is told what differs`(
    other: EngineFacts, difference: String
) throws {
    var bench = PoolBench(folder: FolderProof(7))
    _ = bench.join(1, here)
    let effects = bench.join(2, other)
    guard case .say(.turnedAway(let objection), peer(2))? = effects.first else {
        Issue.record("not turned away: \(effects)")
        return
    }
    #expect(objection.text.contains(difference))
    #expect(effects.notices.contains { if case .turnedAway(_, objection) = $0 { true } else { false } })
    let told = bench.dispatcher.status.turnedAway
    #expect(told.map(\.reason) == [objection] && told.map(\.machine) == ["host2/1"] && told.map(\.process) == [2])
    #expect(try bench.accept(1, 2, 3).batches.map(\.to) == [peer(1)])
    // With the others gone, its engine is as good as any.
    _ = bench.tell(.heard(.bye, from: peer(1)))
    #expect(!bench.join(2, other).batches.isEmpty)
}

@Test func `a worker of the release before is turned away where that cannot read the folder`() throws {
    var bench = PoolBench(folder: FolderProof(7), isBeyondPrevious: true)
    // One of this release may have taken the coordinator for an earlier one: it is asked once more.
    #expect(bench.join(1, folder: FolderProof(7)).contains(.say(.introduceYourself, to: peer(1))))
    _ = bench.join(1, here)
    #expect(bench.join(2, folder: FolderProof(7)).contains(.say(.introduceYourself, to: peer(2))))
    guard case .say(.turnedAway(let objection), peer(2))? = bench.join(2, folder: FolderProof(7)).first else {
        Issue.record("not turned away: \(bench.effects)")
        return
    }
    #expect(objection.text.contains("Install the same version"))
    let caretaker = WorkerHello(
        edition: PoolBench.edition, editionName: "plain", process: 3, machine: "here", isCaretaker: true,
        folder: FolderProof(7))
    let effects = bench.tell(.heard(.hello(caretaker), from: peer(3)))
    #expect(effects.notices.contains { if case .workerJoined = $0 { true } else { false } })
    #expect(try bench.accept(1, 2, 3).batches.map(\.to) == [peer(1)])
}

@Test func `a worker of the release before is let in where that can read the folder`() throws {
    var bench = PoolBench(folder: FolderProof(7))
    _ = bench.join(1, folder: FolderProof(7))
    #expect(try bench.accept(1, 2, 3).batches.map(\.to) == [peer(1)])
}

@Test func `workers of one engine share the work`() throws {
    var bench = PoolBench(shards: 2, folder: FolderProof(7))
    _ = bench.join(1, here)
    _ = bench.join(2, here)
    #expect(bench.dispatcher.status.turnedAway.isEmpty)
    #expect(bench.dispatcher.status.workers.count == 2)
}

@Test func `engines are named by all that they are made of`() {
    var other = here
    other.facts[2].value = "ab"
    #expect(here.digest.count == 16)
    #expect(here.digest != other.digest)
    #expect(here.difference(from: here) == nil)
    // A fact that is not known yet is no difference.
    #expect(EngineFacts(Array(here.facts.prefix(2))).difference(from: here) == nil)
    #expect(EngineFacts(Array(here.facts.prefix(1))).difference(from: EngineFacts([])) == "engine rules 1 and not none")
}
