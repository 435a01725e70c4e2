import Names
import Testing
import Wire

@testable import Pool

private func worker() -> WorkerState {
    let hello = WorkerHello(edition: PoolBench.edition, editionName: "plain", process: 7, machine: "here")
    return WorkerState(hello, peer(1), of: EditionSlot(number: 1), at: .start)
}

private func flight(_ number: UInt64, _ file: UInt16, _ messages: ClosedRange<Int64>, isProbe: Bool = false) throws
    -> Flight
{
    let tickets = try messages.map {
        Ticket(job: try layoutJob(UInt64($0), $0), shard: Shard(file), lane: .live, since: .start)
    }
    return Flight(
        id: BatchID(term: 1, number: number), file: FileNumber(file), tickets: tickets, since: .start, started: nil,
        isProbe: isProbe)
}

@Test
func `what is lent takes room until it has ended, and what is taken back until the worker does not hold it any more`()
    throws
{
    var worker = worker()
    worker.hear(WorkerBeat(credits: 100, held: [], hasStarted: false), at: .start)
    worker.take(try flight(1, 0, 1...10))
    worker.take(try flight(2, 1, 11...15))
    #expect(worker.room(DispatchLimits()) == 85 && worker.lentJobs == 15 && worker.turns == 2)
    #expect(worker.land(BatchID(term: 1, number: 2)).tickets.count == 5)
    #expect(worker.giveBack(FileNumber(0)).map(\.message.number) == Array(1...10))
    #expect(worker.room(DispatchLimits()) < 0 && worker.foreign == 1)
    worker.hear(WorkerBeat(credits: 100, held: [], hasStarted: false), at: .start)
    #expect(worker.room(DispatchLimits()) == 100)
}

@Test func `a batch that the worker does not mention is missing when it had time to come`() throws {
    var worker = worker()
    worker.take(try flight(1, 3, 1...1))
    worker.take(try flight(2, 4, 2...2))
    let beat = WorkerBeat(credits: 9, held: [BatchID(term: 1, number: 1)], hasStarted: true)
    #expect(worker.missing(beat, before: .start).isEmpty)
    #expect(worker.missing(beat, before: .start + .seconds(1)) == [FileNumber(4)])
    worker.hear(beat, at: .start + .seconds(2))
    #expect(worker.inHand?.id == BatchID(term: 1, number: 1))
}

@Test(arguments: [(true, 1, 0), (false, 0, 1)])
func `a probe that had begun is charged with the loss of its worker, and one that may have begun is doubted`(
    hasStarted: Bool, strikes: Int, doubts: Int
) throws {
    var worker = worker()
    var context = DispatchContext(term: 1, limits: DispatchLimits(), seed: 1)
    worker.take(try flight(1, 0, 1...1, isProbe: true))
    worker.hear(
        WorkerBeat(credits: 9, held: [BatchID(term: 1, number: 1)], hasStarted: hasStarted), at: .start)
    worker.blame(worker.inHand!, &context)
    let ticket = worker.giveBack(FileNumber(0))[0]
    #expect(ticket.isSuspect && ticket.strikes == strikes && ticket.doubts == doubts)
    #expect(context.takeEffects().count == 1)
}
