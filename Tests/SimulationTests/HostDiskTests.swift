import Names
import Pool
import Replication
import Testing
import Wire

@testable import Simulation

private let map = PartitionMap(partitions: 2, shards: 6)!

/// A conversation of a partition.
private func conversation(of partition: Int) -> ConversationID {
    let all = (0..<100).map { ConversationID(own: "c\($0)") }
    return all.first { Int(map.partition(of: $0).number) == partition }!
}

/// The turn of a log that posts a message, judged by a host with this disk.
private func turn(_ number: Int, of partition: Int, judgedBy disk: HostDisk) throws -> TurnContent {
    var (keeper, journal) = (Bookkeeper(shards: map.shards), disk.journal)
    let body = MessageBody(
        sender: SenderID(own: "ada"), time: Timestamp(milliseconds: 5), content: [0, UInt8(number)])
    let event = MessageEvent(
        conversation: conversation(of: partition), message: MessageID(own: "m"), revision: Revision(UInt64(number)),
        body: body, order: Int64(number))
    let events: [Result<MessageEvent, EventFault>] = [.success(event)]
    keeper.open(room: IngestRoom(live: 9, backfill: 9, retryAfter: 1))
    _ = try keeper.take(IngestRequest(events: events), from: nil, in: &journal)
    let parts = try keeper.close().pieces(
        among: map, atMost: 2048, in: &journal, next: { disk.end(of: Int($0.number)) })
    return try #require(parts.first?.pieces.first)
}

extension HostDisk {
    /// Records the next turn of a log.
    fileprivate mutating func record(_ turn: TurnContent, of partition: Int) {
        let sequence = logs[partition]!.trail.last.sequence.next
        let anchor = LogAnchor(
            sequence: sequence, link: ChainLink(sequence.number), reign: Reign(1), owner: HostID(own: "a"),
            next: turn.next)
        record(turn, anchor, of: partition)
    }

    /// Has the journal take all turns, and returns the faults.
    fileprivate mutating func takeAll() -> [String] {
        var faults: [String] = []
        while isBehind, faults.isEmpty { if let fault = takeTurn() { faults.append(fault) } }
        return faults
    }
}

@Test func `hosts that hear of the turns of two logs in other orders have the same of each log`() throws {
    var disks = [HostDisk(shards: map.shards, of: [0, 1]), HostDisk(shards: map.shards, of: [0, 1])]
    for number in 1...4 {
        // Two owners judge at the same time: neither has the other's turn.
        let turns = (try turn(number, of: 0, judgedBy: disks[0]), try turn(number, of: 1, judgedBy: disks[1]))
        disks[0].record(turns.0, of: 0)
        disks[0].record(turns.1, of: 1)
        disks[1].record(turns.1, of: 1)
        disks[1].record(turns.0, of: 0)
        for place in disks.indices {
            let faults = disks[place].takeAll()
            #expect(faults.isEmpty)
        }
    }
    let entries = disks.map(\.journal.entries)
    #expect(entries[0].count == 8 && entries[0] != entries[1])
    for partition in 0...1 {
        let copies = disks.map { PartitionCopy(partition, on: $0, map) }
        #expect(copies[0].isEqual(to: copies[1]) && copies[0].entries.count == 4)
        #expect(disks[0].end(of: partition) == LogPosition(4))
    }
}

@Test func `a process takes the turns that waited when the one before it ended, in the order of records`() throws {
    var disk = HostDisk(shards: map.shards, of: [0, 1])
    for partition in [1, 0, 1] {
        let faults = disk.takeAll()
        #expect(faults.isEmpty)
        disk.record(try turn(disk.journal.entries.count + 1, of: partition, judgedBy: disk), of: partition)
    }
    #expect(disk.isBehind && disk.journal.entries.count == 2)
    var seat = HostSeat(id: HostID(own: "a"), disks: [disk])
    let fault = seat.catchUp(nil)
    #expect(fault == nil && !seat.disks[0].isBehind)
    #expect(seat.disks[0].journal.entries.map { Int(map.partition(of: $0.event.conversation).number) } == [1, 0, 1])
}

@Test func `a turn that follows in its log and builds on what the journal lacks is not taken`() throws {
    var disks = [HostDisk(shards: map.shards, of: [0, 1]), HostDisk(shards: map.shards, of: [0, 1])]
    let first = try turn(1, of: 0, judgedBy: disks[0])
    disks[0].record(first, of: 0)
    _ = disks[0].takeAll()
    let second = try turn(2, of: 0, judgedBy: disks[0])
    // It has the anchor, and not the turn.
    let anchor = disks[0].logs[0]!.trail.last
    disks[1].record(nil, anchor, of: 0)
    let fault = disks[1].fault(in: second, of: 0)
    #expect(fault == nil)
    disks[1].record(second, of: 0)
    let faults = disks[1].takeAll()
    #expect(faults == ["a turn changes messages that are not here"])
}

@Test func `the answers to the parts of a request come together in the order of its events`() throws {
    let scenarios = (0..<40 as Range<UInt64>).map { seed in
        var dice = Dice(seed: seed)
        return ClusterScenario(seed: seed, events: 40, allowed: [], bug: nil, hasOneJournal: true, dice: &dice)
    }
    let scenario = try #require(scenarios.first { $0.map.partitions == 3 })
    let lines = scenario.script.lines.indices.filter { scenario.script.lines[$0].event != nil }
    var splits = SplitLines()
    let parts = splits.begin(lines, number: 7, producer: 1, in: scenario, at: .start)
    #expect(parts.count > 1 && parts.flatMap(\.lines).sorted() == lines)
    var whole: SplitLines.Whole?
    for part in parts.reversed() {
        #expect(whole == nil)
        let answers = part.lines.map { EventAnswer.busy(retryAfter: $0) }
        whole = splits.take(answers, of: part.partition, to: part.serial, isHasty: false)
    }
    #expect(whole?.answers == lines.map { EventAnswer.busy(retryAfter: $0) })
    #expect(whole?.lines == lines && whole?.number == 7 && whole?.producer == 1)

    // One part is answered, and the others are not: nobody knows of these.
    let again = splits.begin(lines, number: 8, producer: 1, in: scenario, at: .start)
    let kept = again[0].lines.map { _ in EventAnswer.accepted }
    let early = splits.takeOverdue(at: Instant(Length.second))
    let unfinished = splits.take(kept, of: again[0].partition, to: again[0].serial, isHasty: false)
    let late = splits.takeOverdue(at: Instant(Length.second + 1))
    #expect(unfinished == nil && early.isEmpty && late.count == 1)
    let accepted = late.flatMap(\.answers).filter { $0 == .accepted }
    #expect(accepted.count == again[0].lines.count)
}
