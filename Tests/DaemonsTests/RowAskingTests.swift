import Names
import Pool
import Replication
import Testing
import Wire

@testable import Daemons

private func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }

private func peer(_ host: String) -> Peer { Peer(route: [0xFD] + Array(host.utf8)) }

private func served(_ edition: String = "aa") throws -> RowAsking.Served {
    RowAsking.Served(edition: try EditionID(edition), engine: EngineFacts([.init("rules", "1")]))
}

private func batch(_ number: UInt64 = 1) throws -> Batch {
    let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: Array("{}".utf8))
    let works: [LayoutJob.Work] = [.remove, .layOut(MessageState(order: 1, body: body, revision: Revision(1)))]
    let jobs = try works.enumerated().map { place, work in
        LayoutJob(
            number: JobNumber(UInt64(place) + 5), message: MessageNumber(Int64(place) + 9),
            conversation: try ConversationID("c"), messageID: try MessageID("m\(place)"), work: work)
    }
    return Batch(
        id: BatchID(term: 1, number: number), shard: Shard(0), epoch: LeaseEpoch(1), place: 0, jobs: jobs)
}

extension WorkerWord {
    fileprivate var held: [BatchID]? { if case .beat(let beat) = self { beat.held } else { nil } }
}

@Test func `a host that owns the log is a worker without the folder to the pools of others`() throws {
    var asking = RowAsking(shards: 4)
    let (a, b) = (try HostID("a"), try HostID("b"))
    let none = asking.words(owner: a, nil, at: moment(0)).map(\.word)
    #expect(none.isEmpty)
    let first = asking.words(owner: a, try served(), at: moment(0)).map(\.word)
    guard case .hello(let hello) = first.first else {
        Issue.record("no hello: \(first)")
        return
    }
    #expect(hello.isRemote && hello.machine == "host a" && hello.edition.text == "aa")
    #expect(hello.engine == EngineFacts([.init("rules", "1")]) && first.count == 1)
    let beat = asking.words(owner: a, try served(), at: moment(0)).map(\.word)
    let again = asking.words(owner: a, try served(), at: moment(499)).map(\.word)
    #expect(beat.map(\.held) == [[]] && again.isEmpty)
    // Where another host owns the log, one worker leaves and another comes; where none does, the worker leaves.
    let other = asking.words(owner: b, try served(), at: moment(499)).map(\.word)
    #expect(other.first == .bye && other.count == 2)
    let gone = asking.words(owner: nil, try served(), at: moment(500)).map(\.word)
    #expect(gone == [.bye])
}

@Test func `the owner's host is asked for what a batch lays out, by numbers that all hosts have alike`() throws {
    var asking = RowAsking(shards: 4)
    let a = try HostID("a")
    _ = asking.words(owner: a, try served(), at: moment(0))
    let batch = try batch()
    let asked = asking.hear(.assign(batch), peer("a"), at: moment(0))
    let expected = RowQuestion(
        batch: batch.id, edition: try EditionID("aa"), engine: try served().engine.digest,
        jobs: [
            .init(
                place: 1, shard: Shard(of: try ConversationID("c"), among: 4), message: MessageNumber(10),
                number: JobNumber(6))
        ])
    #expect(asked?.0 == expected && asked?.1 == a)
}

@Test func `batches are held until their rows came, or a second`() throws {
    var asking = RowAsking(shards: 4)
    let a = try HostID("a")
    for _ in 0..<2 { _ = asking.words(owner: a, try served(), at: moment(0)) }
    for number in 1...3 as ClosedRange<UInt64> {
        _ = asking.hear(.assign(try batch(number)), peer("a"), at: moment(Int64(number) * 100))
    }
    asking.take([7], of: BatchID(term: 1, number: 2), from: a)
    let rows = asking.words(owner: a, try served(), at: moment(499)).map(\.word)
    let early = asking.words(owner: a, try served(), at: moment(500)).map(\.word)
    #expect(rows == [.made(BatchID(term: 1, number: 2), [7])])
    #expect(early.map(\.held) == [[BatchID(term: 1, number: 1), BatchID(term: 1, number: 3)]])
    let late = asking.words(owner: a, try served(), at: moment(1250)).map(\.word)
    #expect(late.map(\.held) == [[BatchID(term: 1, number: 3)]])
}

@Test func `a host whose row was wrong is asked for no more, and one that is not known says who it is`() throws {
    var asking = RowAsking(shards: 4)
    let a = try HostID("a")
    _ = asking.words(owner: a, try served(), at: moment(0))
    _ = asking.hear(.introduceYourself, peer("a"), at: moment(0))
    let again = asking.words(owner: a, try served(), at: moment(1)).map(\.word)
    #expect(again.count == 1)
    _ = asking.hear(.turnedAway(Objection("a row was wrong")), peer("a"), at: moment(2))
    // Rows that come late are told to nobody, and a word that crossed the refusal changes nothing.
    asking.take([7], of: BatchID(term: 1, number: 2), from: a)
    _ = asking.hear(.introduceYourself, peer("a"), at: moment(3))
    let away = asking.words(owner: a, try served(), at: moment(9000)).map(\.word)
    #expect(away.isEmpty)
    // A new edition is a new beginning, for which the pool decides anew.
    let anew = asking.words(owner: a, try served("bb"), at: moment(9001)).map(\.word)
    #expect(anew.count == 1)
}

@Test func `rows are taken of the host that was asked, and of batches that it was asked for`() throws {
    var asking = RowAsking(shards: 4)
    let (a, b) = (try HostID("a"), try HostID("b"))
    for _ in 0..<2 { _ = asking.words(owner: a, try served(), at: moment(0)) }
    // Said to a host that is not asked any more.
    let none = asking.hear(.assign(try batch(1)), peer("b"), at: moment(0))
    _ = asking.hear(.assign(try batch(2)), peer("a"), at: moment(0))
    asking.take([7], of: BatchID(term: 1, number: 1), from: a)
    asking.take([7], of: BatchID(term: 1, number: 2), from: b)
    let early = asking.words(owner: a, try served(), at: moment(1))
    asking.take([7], of: BatchID(term: 1, number: 2), from: a)
    asking.take([7], of: BatchID(term: 1, number: 2), from: a)
    let late = asking.words(owner: a, try served(), at: moment(1))
    #expect(none == nil && early.isEmpty)
    #expect(late == [RowAsking.Told(word: .made(BatchID(term: 1, number: 2), [7]), peer: peer("a"))])
}

@Test func `a host that brings nothing in time is left alone for a while`() throws {
    var asking = RowAsking(shards: 4)
    let a = try HostID("a")
    for _ in 0..<2 { _ = asking.words(owner: a, try served(), at: moment(0)) }
    for number in 1...8 as ClosedRange<UInt64> { _ = asking.hear(.assign(try batch(number)), peer("a"), at: moment(0)) }
    func credits(_ told: [RowAsking.Told]) -> [UInt16] {
        told.compactMap { if case .beat(let beat) = $0.word { beat.credits } else { nil } }
    }
    let slow = asking.words(owner: a, try served(), at: moment(1001))
    let still = asking.words(owner: a, try served(), at: moment(6000))
    let again = asking.words(owner: a, try served(), at: moment(6501))
    #expect(credits(slow) == [0] && credits(still) == [0] && credits(again) == [4096])
}
