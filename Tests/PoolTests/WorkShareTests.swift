import JSON
import Names
import Testing
import Wire

@testable import Pool

@Suite struct WorkShareTests {
    private func moment(_ seconds: Double) -> Moment { Moment(sinceStart: .seconds(seconds)) }

    @Test func `the time that is left goes by the last minute alone`() throws {
        var meter = WorkMeter()
        #expect(meter.share == nil)
        // Slow at first, and twice as fast from the second minute on.
        var done = 0.0
        for second in 0..<200 {
            done += second < 60 ? 0.001 : 0.002
            meter.note(done, at: moment(Double(second)))
        }
        let share = try #require(meter.share)
        #expect(abs(share.done - 0.34) < 1e-9)
        #expect(share.left.map { (330...331).contains($0 / .seconds(1)) } ?? false, "\(share)")
    }

    @Test func `no rate is told of a moment, of work that stands still, and of work that is done`() {
        var meter = WorkMeter()
        for second in 0..<5 { meter.note(Double(second) / 10, at: moment(Double(second))) }
        #expect(meter.share == WorkShare(done: 0.4))
        for second in 5..<100 { meter.note(0.4, at: moment(Double(second))) }
        #expect(meter.share == WorkShare(done: 0.4))
        for second in 100..<110 { meter.note(0.4 + Double(second - 99) * 0.05, at: moment(Double(second))) }
        #expect(meter.share?.left != nil)
        meter.note(1, at: moment(110))
        #expect(meter.share == WorkShare(done: 1))
    }

    @Test func `work that begins anew is measured anew, and nothing is measured twice in a second`() {
        var meter = WorkMeter()
        for second in 0..<20 { meter.note(0.5 + Double(second) / 100, at: moment(Double(second))) }
        #expect(meter.share?.left != nil)
        meter.note(0.1, at: moment(20))
        #expect(meter.share == WorkShare(done: 0.1))
        meter.note(0.9, at: moment(20.5))
        #expect(meter.share == WorkShare(done: 0.1))
    }

    @Test func `a little new work does not take the rate away`() {
        var meter = WorkMeter()
        for second in 0..<20 { meter.note(0.5 + Double(second) / 100, at: moment(Double(second))) }
        meter.note(0.685, at: moment(20))
        #expect(meter.share?.left != nil)
    }

    @Test func `almost all of the work is not all of it`() {
        func told(_ done: Double) -> String {
            var json = JSONWriter()
            json.object { WorkShare(done: done).writeMembers(to: &$0) }
            return String(decoding: json.bytes, as: UTF8.self)
        }
        #expect(told(0.99996) == #"{"done":0.9999,"left_s":null}"#)
        #expect(told(1) == #"{"done":1.0000,"left_s":null}"#)
    }

    @Test func `jobs that are not done, and messages that no walk has passed, are what an edition lacks`() throws {
        let (served, next) = (try EditionID("aa"), try EditionID("bb"))
        func progress(_ edition: EditionID, _ shard: UInt16, _ through: UInt64, walkedTo: Int64?) -> ShardProgress {
            ShardProgress(
                edition: edition, shard: Shard(shard), through: JobNumber(through),
                walkedTo: walkedTo.map { MessageNumber($0) })
        }
        let dispatcher = Dispatcher(
            term: 1,
            standing: Standing(
                service: EditionService(current: served, next: next),
                progress: [
                    progress(served, 0, 100, walkedTo: nil), progress(served, 1, 90, walkedTo: nil),
                    progress(next, 0, 100, walkedTo: nil), progress(next, 1, 100, walkedTo: 99),
                ], latest: [JobNumber(100), JobNumber(100)]))
        let shares = dispatcher.shares(before: LogPosition(200))
        #expect(shares.map(\.edition) == [served, next])
        // Ten of two hundred jobs; half the way of one shard of two.
        #expect(shares.map(\.done) == [0.95, 0.75])
        // Nothing was ever accepted, so nothing is lacking.
        let empty = Dispatcher(
            term: 1, standing: Standing(service: EditionService(current: served), latest: [.zero]))
        #expect(empty.shares(before: LogPosition(0)).map(\.done) == [1])
    }

    @Test func `batches, syncs and leases are counted`() throws {
        var bench = PoolBench()
        _ = bench.join(1)
        let effects = try bench.accept(1)
        let before = bench.dispatcher.completed(PoolFigures()).work
        let batches = effects.count { if case .say(.assign, _) = $0 { true } else { false } }
        #expect(batches > 0 && before.batches >= batches && before.leases == 1 && before.syncs == 0)
        bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(1), stamp: Stamp(1))), from: peer(1)))
        #expect(bench.dispatcher.completed(PoolFigures()).work.syncs == 1)
    }
}
