import Bytes
import Names
import Pool
import Testing
import Wire

@testable import Daemons

private func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }

private func question(_ number: UInt64 = 1, jobs: Range<Int> = 0..<2) throws -> RowQuestion {
    RowQuestion(
        batch: BatchID(term: 1, number: number), edition: try EditionID("aa"), engine: "e",
        jobs: jobs.map {
            RowQuestion.Job(
                place: UInt16($0), shard: Shard(3), message: MessageNumber(Int64($0)), number: JobNumber(UInt64($0)))
        })
}

private func row(_ job: RowQuestion.Job, bytes: Int = 3) -> RowDesk.Finding {
    .made(
        MadeRow(
            place: job.place, template: "message", joinsSeries: true, key: [1],
            layout: [UInt8](repeating: 7, count: bytes), measured: [8]))
}

private func rows(of answer: RowDesk.Answer?) throws -> [MadeRow] {
    try MadeRows(bytes: answer?.rows ?? [], checks: []).rows()
}

@Test func `a question of another host is answered when all its rows are there`() throws {
    var desk = RowDesk()
    desk.take(try question(), on: [4], at: moment(0))
    // The second is not laid out yet.
    let early = desk.takeAnswers(at: moment(10)) { jobs, _ in jobs.map { $0.place == 0 ? row($0) : .awaited } }
    #expect(early.isEmpty && !desk.isIdle)
    var looked: [UInt16] = []
    let answers = desk.takeAnswers(at: moment(20)) { jobs, edition in
        looked += jobs.map(\.place)
        return jobs.map { edition.text == "aa" ? row($0) : .awaited }
    }
    // A row that was found once is not looked for again.
    #expect(looked == [1] && desk.isIdle)
    #expect(answers.map(\.batch) == [BatchID(term: 1, number: 1)] && answers.map(\.route) == [[4]])
    #expect(try rows(of: answers.first).map(\.place) == [0, 1])
}

@Test func `rows that are not there in a quarter of a second are left out of an answer`() throws {
    var desk = RowDesk()
    desk.take(try question(), on: [4], at: moment(0))
    let early = desk.takeAnswers(at: moment(250)) { jobs, _ in jobs.map { $0.place == 1 ? row($0) : .awaited } }
    let answers = desk.takeAnswers(at: moment(251)) { jobs, _ in jobs.map { _ in .awaited } }
    #expect(early.isEmpty)
    #expect(try rows(of: answers.first).map(\.place) == [1])
}

@Test func `an answer has as many rows as one has room for`() throws {
    var desk = RowDesk()
    desk.take(try question(jobs: 0..<9), on: [4], at: moment(0))
    let answers = desk.takeAnswers(at: moment(0)) { jobs, _ in jobs.map { row($0, bytes: Limits.madeRows / 4) } }
    #expect(try rows(of: answers.first).map(\.place) == [0, 1, 2])
    #expect(answers.count == 1 && answers[0].rows.count <= Limits.madeRows)
}

@Test func `a question too many is answered at once, without rows`() throws {
    var desk = RowDesk()
    for number in 0...256 { desk.take(try question(UInt64(number)), on: [4], at: moment(0)) }
    let answers = desk.takeAnswers(at: moment(0)) { jobs, _ in jobs.map { _ in .awaited } }
    #expect(answers == [RowDesk.Answer(batch: BatchID(term: 1, number: 256), rows: [], route: [4])])
}

@Test func `a row that will not come is waited for by nobody`() throws {
    var desk = RowDesk()
    desk.take(try question(), on: [4], at: moment(0))
    let answers = desk.takeAnswers(at: moment(0)) { jobs, _ in jobs.map { $0.place == 0 ? .never : row($0) } }
    #expect(try rows(of: answers.first).map(\.place) == [1])
}
