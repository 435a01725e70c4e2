import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

@testable import Daemons

@Test func `every answer of a coordinator is counted, with the time that it took, and so are layouts of all workers`()
    throws
{
    let folder = try TemporaryFolder()
    var figures = CoordinatorFigures()
    let answers: [EventAnswer] = [
        .accepted, .accepted, .duplicate, .superseded, .invalid(field: "body", reason: "r"),
        .busy(retryAfter: 1, reason: .disk),
    ]
    figures.note(answers.map { Judgement($0) }, after: .milliseconds(3))
    var layouts = LayoutFigures()
    layouts.add(.init("text", messages: 2, nanoseconds: 5000))
    for _ in 0..<2 { figures.note(layouts) }
    let idle = Dispatcher(term: 1, standing: Standing(latest: [.zero]))
    let journal = try SQLiteJournal(in: DataFolder(folder.path))
    let found = try figures.current(of: idle, journal, in: DataFolder(folder.path), StageTimes(), at: .start)
    #expect(found.answers.accepted == 2 && found.answers.duplicate == 1 && found.answers.superseded == 1)
    #expect(found.answers.refused == ["body": 1] && found.answers.busy["disk"] == 1)
    #expect(found.acknowledged.count == 6 && found.acknowledged.sum == 18_000)
    #expect(found.layouts.kinds == [.init("text", messages: 4, nanoseconds: 10_000)])
}

@Test func `a journal's commits are timed, and an edition that is laid out says how long the rest takes`() throws {
    let folder = try TemporaryFolder()
    let edition = try EditionID("aa")
    var journal = try SQLiteJournal(in: DataFolder(folder.path))
    var figures = CoordinatorFigures()
    func standing(_ through: UInt64) -> Dispatcher {
        Dispatcher(
            term: 1,
            standing: Standing(
                service: EditionService(current: edition),
                progress: [ShardProgress(edition: edition, shard: Shard(0), through: JobNumber(through))],
                latest: [JobNumber(1000)]))
    }
    var shares: [WorkShare?] = []
    for second in 0..<10 {
        try journal.commit(JournalTurn())
        let now = Moment(sinceStart: .seconds(second))
        let found = try figures.current(
            of: standing(UInt64(100 + 10 * second)), journal, in: DataFolder(folder.path), StageTimes(), at: now)
        #expect(found.work.journal.commits.count == second + 1)
        shares.append(found.work.share(of: "aa"))
    }
    let first = try #require(shares[0])
    #expect(abs(first.done - 0.1) < 1e-9 && first.left == nil)
    let last = try #require(shares[9])
    #expect(abs(last.done - 0.19) < 1e-9)
    // A hundredth a second, and 81 are left.
    #expect(last.left.map { (81...82).contains($0 / .seconds(1)) } ?? false, "\(last)")
    // An edition that is gone is not told any more.
    let idle = Dispatcher(term: 1, standing: Standing(latest: [.zero]))
    let found = try figures.current(of: idle, journal, in: DataFolder(folder.path), StageTimes(), at: .start)
    #expect(found.work.editions.isEmpty && found.work.screens == nil)
}
