import Names
import Pool
import Testing
import Wire

@testable import Daemons

private func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }

private func question(_ number: UInt64, names: Int = 1) throws -> NamedRowQuestion {
    let jobs = (0..<names).map {
        RowQuestion.Job(
            place: UInt16($0), shard: Shard(0), message: MessageNumber(Int64($0)), number: JobNumber(UInt64($0)))
    }
    let conversation = try ConversationID("c")
    return NamedRowQuestion(
        RowQuestion(batch: BatchID(term: 1, number: number), edition: try EditionID("aa"), engine: "e", jobs: jobs),
        try jobs.map { MessageKey(conversation, try MessageID("m\($0.place)")) })
}

/// Takes the questions of a turn, and returns the numbers of their batches.
private func numbers(of named: inout NamedQuestions) -> [UInt64] {
    named.takeNext().map(\.question.question.batch.number)
}

@Test func `no more names are looked for in one turn than one question may have, in the order in which they came`()
    throws
{
    var named = NamedQuestions()
    let most = NamedQuestions.namesPerTurn
    for (number, names) in [1, 2, most - 3, 1, most, most].enumerated() {
        let isTaken = named.take(try question(UInt64(number), names: names), on: [7], at: moment(0))
        #expect(isTaken)
    }
    var turns: [[UInt64]] = []
    while !named.isEmpty { turns.append(numbers(of: &named)) }
    #expect(turns == [[0, 1, 2], [3], [4], [5]])
    let none = numbers(of: &named)
    #expect(none.isEmpty)
}

@Test func `a question that names messages and comes too late is answered without rows`() throws {
    var named = NamedQuestions()
    for (number, since) in [(1, 0), (2, 10), (3, 300)] as [(UInt64, Int64)] {
        _ = named.take(try question(number), on: [UInt8(number)], at: moment(since))
    }
    let early = named.takeLate(at: moment(250))
    let late = named.takeLate(at: moment(300))
    #expect(early.isEmpty && late.map(\.batch.number) == [1, 2] && late.map(\.route) == [[1], [2]])
    let left = numbers(of: &named)
    #expect(left == [3])
}

@Test func `no more questions that name messages wait than there is room for`() throws {
    var named = NamedQuestions()
    var taken = 0
    while named.take(try question(0), on: [7], at: moment(0)) { taken += 1 }
    #expect(taken == 256)
    _ = named.takeNext()
    let again = named.take(try question(0), on: [7], at: moment(0))
    #expect(again)
}
