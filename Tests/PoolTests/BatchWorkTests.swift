import Names
import Pool
import Testing
import Wire

private func batch(_ jobs: [LayoutJob], epoch: UInt64 = 1) -> Batch {
    Batch(id: BatchID(term: 1, number: 1), shard: Shard(0), epoch: LeaseEpoch(epoch), place: 0, jobs: jobs)
}

/// Lays out by taking the content for its own key; refuses one text.
private func layOut(_ job: LayoutJob, _ state: MessageState, _ stored: [UInt8]?) throws(Objection) -> BatchWork.LaidOut
{
    let key = state.body.content
    if key == MessageEvent.plainText("bad") { throw Objection("no") }
    return key == stored
        ? .asBefore : .anew(RowRole(template: "message", joinsSeries: true), key: key, layout: [1], measured: [2])
}

private struct Lane {
    var work = BatchWork()
    var shard = MemoryShard()

    mutating func perform(_ jobs: LayoutJob..., epoch: UInt64 = 1) -> BatchReport.End {
        work.perform(batch(jobs, epoch: epoch), in: &shard, describing: { "\($0)" }, layOut: layOut).end
    }
}

private func amendment(_ number: UInt64, _ message: Int64, order: Int64) throws -> LayoutJob {
    var job = try layoutJob(number, message)
    job.work = .amend(order: order, status: nil)
    return job
}

@Test func `a message whose content is not kept has the row that it has elsewhere, and its own where it has one`()
    throws
{
    var work = BatchWork()
    var shard = MemoryShard()
    let facts = StoredFacts(
        order: 1, sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), revision: Revision(1), status: nil)
    let elsewhere = ShardRow(
        facts: facts, role: RowRole(template: "message", joinsSeries: true), key: [9], layout: [8], measured: [7])
    var asked: [Int64] = []
    func perform(_ jobs: LayoutJob...) -> BatchReport.End {
        work.perform(
            batch(jobs), in: &shard, describing: { "\($0)" },
            carry: { job in
                asked.append(job.message.number)
                return job.message == MessageNumber(1) ? elsewhere : nil
            }, layOut: layOut
        ).end
    }
    #expect(perform(try amendment(1, 1, order: 5), try amendment(2, 2, order: 6)) == stored(1, 1, 2))
    guard case .laidOut(let row)? = shard.commits.last?.first?.row else {
        Issue.record("not taken over")
        return
    }
    #expect(row.layout == [8] && row.key == [9] && row.facts.order == 5)
    _ = perform(try amendment(3, 1, order: 7))
    guard case .amended(order: 7, status: nil)? = shard.commits.last?.first?.row else {
        Issue.record("its own row is not amended")
        return
    }
    #expect(asked == [1, 2])
}

private func stored(_ stamp: UInt64, _ jobs: UInt64...) -> BatchReport.End {
    .committed(Stamp(stamp), ShardOrigin(1), jobs.map { LayoutResult(job: JobNumber($0), outcome: .stored) })
}

@Test func `a batch is one commit, under one stamp`() throws {
    var lane = Lane()
    #expect(lane.perform(try layoutJob(1, 1), try layoutJob(2, 2)) == stored(1, 1, 2))
    #expect(lane.shard.commits.count == 1)
}

@Test func `a message whose key is as before keeps its layout`() throws {
    var lane = Lane()
    _ = lane.perform(try layoutJob(1, 1))
    #expect(lane.perform(try layoutJob(2, 1)) == stored(2, 2))
    guard case .touched? = lane.shard.commits.last?.first?.row else {
        Issue.record("laid out again")
        return
    }
}

@Test func `a message that is the first of its number is laid out without a look`() throws {
    var lane = Lane()
    _ = lane.perform(try layoutJob(1, 1))
    var job = try layoutJob(2, 1)
    guard case .layOut(var state) = job.work else { return }
    state.isFirst = true
    job.work = .layOut(state)
    _ = lane.perform(job)
    guard case .laidOut? = lane.shard.commits.last?.first?.row else {
        Issue.record("looked")
        return
    }
}

@Test func `a message that the style refuses is named, and the others are stored`() throws {
    var lane = Lane()
    let end = lane.perform(try layoutJob(1, 1), try layoutJob(2, 2, text: "bad"), try layoutJob(3, 3))
    guard case .committed(_, _, let results) = end else {
        Issue.record("\(end)")
        return
    }
    #expect(results.map(\.outcome) == [.stored, .refused(Objection("no")), .stored])
    #expect(lane.shard.rows.count == 2)
}

@Test func `a lease that has passed to another writes nothing`() throws {
    var lane = Lane()
    #expect(lane.perform(try layoutJob(1, 1)) == stored(1, 1))
    lane.shard.epoch = LeaseEpoch(9)
    #expect(lane.perform(try layoutJob(2, 2)) == .fenced)
    #expect(lane.perform(epoch: 2) == .fenced)
    #expect(lane.shard.rows.count == 1)
}

@Test func `a disk that is full blocks the shard, with the reason`() throws {
    var lane = Lane()
    lane.shard.isFull = true
    #expect(lane.perform(try layoutJob(1, 1)) == .blocked(Objection("full")))
    lane.shard.isFull = false
    #expect(lane.perform(try layoutJob(1, 1)) == stored(1, 1))
}

@Test func `a batch without jobs takes the shard over, and says how far it is`() throws {
    var lane = Lane()
    _ = lane.perform(try layoutJob(1, 1))
    #expect(lane.perform(epoch: 4) == .committed(Stamp(1), ShardOrigin(1), []))
    #expect(lane.shard.epoch == LeaseEpoch(4))
}

@Test func `what is for another file is not written`() throws {
    var lane = Lane()
    var batch = batch([try layoutJob(1, 1)])
    batch.origin = ShardOrigin(7)
    let report = lane.work.perform(batch, in: &lane.shard, describing: { "\($0)" }, layOut: layOut)
    #expect(report.end == .otherFile(ShardOrigin(1)))
    #expect(lane.shard.rows.isEmpty)
}
