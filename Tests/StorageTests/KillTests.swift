import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

extension ShardBench {
    /// The stamp of the last commit.
    fileprivate func stamp() throws -> UInt64 {
        var reader = try read()
        return try reader.cursor().stamp.number
    }
}

private func conversation(_ name: String) throws -> ConversationID { try ConversationID(name) }

@Test func `a worker that is killed at any time loses no commit, and readers go on where they were`() throws {
    let bench = try ShardBench()
    var cursor: Cursor?
    for round in 1...6 as ClosedRange<UInt64> {
        let probe = try Probe(["shard", bench.temporary.path, "\(round)"])
        var said = try probe.lines(3 + Int(round) * 4)
        said += probe.killed()
        let stamp = try #require(said.last("stamp"))
        var reader = try bench.read()
        let reached = try reader.cursor()
        #expect(reached.stamp.number >= stamp)
        if let cursor {
            guard case .notes = try reader.changes(since: cursor, limit: 10) else { Issue.record("resync"); return }
        }
        cursor = reached
        var rows = 0
        for name in 0..<9 { rows += try reader.places(of: conversation("c\(name)")).places.count }
        #expect(rows % 100 == 0 && rows >= 100 * Int(stamp) / 6)
    }
}

@Test func `a coordinator that is killed at any time has all that it acknowledged`() throws {
    let temporary = try TemporaryFolder()
    for round in 1...5 {
        let probe = try Probe(["journal", temporary.path])
        var said = try probe.lines(5 + round * 7)
        said += probe.killed()
        let position = Int64(try #require(said.last("position")))
        var journal = try SQLiteJournal(in: DataFolder(temporary.path))
        #expect(journal.term == UInt64(2 * round))
        #expect(journal.nextPosition.number >= position && journal.nextPosition.number % 20 == 0)
        for number in 1...position {
            let key = MessageKey(
                try conversation("c\((number - 1) % 20)"), try MessageID("m\(number)"))
            guard case .message(let card) = try journal.card(key) else { Issue.record("no card \(number)"); return }
            #expect(try journal.body(at: card.body!.value.at)?.content == MessageEvent.plainText("text \(number)"))
        }
        let jobs = try (0..<4).map { try journal.messages(in: Shard($0), after: MessageNumber(-1), limit: 9_999).count }
        #expect(jobs.reduce(0, +) == Int(journal.nextPosition.number))
        #expect(journal.news.isEmpty)
    }
}

@Test func `who is stopped inside a transaction is named by who waits, and who wakes up late writes nothing`() throws {
    let bench = try ShardBench()
    var (wasBlocked, wasFenced) = (false, false)
    // A stop comes at a random place, mostly inside a transaction.
    for epoch in stride(from: 1 as UInt64, to: 400, by: 2) where !(wasBlocked && wasFenced) {
        let probe = try Probe(["shard", bench.temporary.path, "\(epoch)"])
        _ = try probe.lines(1 + Int(epoch) % 5)
        probe.signal(SIGSTOP)
        if let holder = try adopt(LeaseEpoch(epoch + 1), in: bench) {
            #expect(holder == probe.id)
            let said = probe.killed()
            #expect(try adopt(LeaseEpoch(epoch + 1), in: bench) == nil)
            #expect(try bench.stamp() >= said.last("stamp") ?? 0)
            wasBlocked = true
        } else {
            probe.signal(SIGCONT)
            var last: String?
            while let line = probe.line() { last = line }
            #expect(last == "fenced")
            wasFenced = true
        }
    }
    #expect(wasBlocked && wasFenced)
}

/// Takes over the shard, and returns nil; or the id of the process that blocks it.
private func adopt(_ epoch: LeaseEpoch, in bench: ShardBench) throws -> Int32? {
    do {
        try take(epoch, bench)
    } catch {
        guard case StorageError.blocked(let path, let holder?) = error else { throw error }
        #expect(path.hasSuffix("03.lock"))
        return holder
    }
    return nil
}

private func take(_ epoch: LeaseEpoch, _ bench: ShardBench) throws {
    var shard = try bench.open()
    let stamp = try shard.adopt(epoch)
    #expect(stamp != nil)
}
