import Testing
import Wire

@testable import Pool

@Test func `messages that were given up are told last, and in the number they are of`() throws {
    func last(_ count: Int, isMore: Bool = false) -> String? {
        var status = PoolStatus()
        status.isDraining = true
        status.givenUp = .init(count: count, isMore: isMore)
        return status.troubles.last
    }
    #expect(last(0)?.hasPrefix("draining") == true)
    #expect(last(1) == "1 message was given up and is not shown; read: forme shelf list")
    #expect(last(7) == "7 messages were given up and are not shown; read: forme shelf list")
    #expect(last(1000, isMore: true)?.hasPrefix("1000 messages or more were given up") == true)
}

@Test func `a file that cannot be written is named with the reason, and never as the number 0 alone`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    #expect(bench.dispatcher.status.verdict == "all is well")
    _ = bench.end(batch, by: 1, .blocked(Objection("there is no room left on the disk of /data/0.shard")))
    var status = bench.dispatcher.status
    #expect(
        status.troubles == [
            "1 file of layouts cannot be written (shard 0): there is no room left on the disk of /data/0.shard"
        ])
    let current = status.editions.firstIndex { $0.isCurrent }
    let place = try #require(current)
    status.editions[place].shards.append(status.editions[place].shards[0])
    let (count, last) = (2, status.editions[place].shards.count - 1)
    #expect(
        status.verdict
            == "\(count) files of layouts cannot be written (shards 0, \(last)): of shard 0, there is no room left on the disk of "
            + "/data/0.shard")
    let again = try #require(bench.turn(after: 0.2).batch)
    bench.finish(again, by: 1)
    #expect(bench.dispatcher.status.verdict == "all is well")
}

@Test func `a journal that cannot be written or tidied up is told with the reason, as long as that lasts`() {
    var bench = PoolBench()
    _ = bench.join(1)
    var status = bench.dispatcher.status
    #expect(status.verdict == "all is well")
    status.untidy = "there is no room left on the disk of /data/journal.db"
    #expect(
        status.troubles == [
            "the journal cannot be tidied up, and accepts nothing more when it holds too much: "
                + "there is no room left on the disk of /data/journal.db"
        ])
    status.unwritten = "there is no room left on the disk of /data/log/spare"
    #expect(
        status.troubles.first
            == "the journal cannot be written, and nothing more is accepted: "
            + "there is no room left on the disk of /data/log/spare")
    status.givenUp = .init(count: 1, isMore: false)
    #expect(status.troubles.count == 3 && status.troubles.last?.hasPrefix("1 message was given up") == true)
}
