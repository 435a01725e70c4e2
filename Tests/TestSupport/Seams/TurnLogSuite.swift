package import Replication
package import Testing

/// The rules for every `TurnLog`. Each implementation's tests run it on clients of one engine that has nothing yet.
package struct TurnLogSuite<Log: TurnLog & ~Copyable> {
    private let open: () throws -> Log
    /// Lets time pass, so that requests are answered.
    private let pass: (inout Log) throws -> Void
    private let location: SourceLocation
    private let partition = Partition(0)

    package init(
        at location: SourceLocation = #_sourceLocation, open: @escaping () throws -> Log,
        pass: @escaping (inout Log) throws -> Void = { _ in }
    ) {
        (self.open, self.pass, self.location) = (open, pass, location)
    }

    /// Runs all tests that need no engine that is full.
    ///
    /// - Parameter suite: makes a suite on clients of one engine that has nothing yet, one engine for each name.
    package static func run(rounds: Int, _ suite: (_ name: String) throws -> TurnLogSuite) throws {
        var random = SplitMix64(seed: 1)
        try suite("winner").hasOneWinner(rounds: rounds, using: &random)
        try suite("order").keepsTheOrder()
        try suite("all").isAllOrNothing()
        try suite("trim").keepsThePlaceOfATrim()
        try suite("begin").beginsOnce()
        try suite("again").beginsInPlaceOfWhatIsLeft()
        try suite("long").takesTheLongestRecord()
    }

    private func events(_ log: inout Log) throws -> [LogEvent] {
        try pass(&log)
        return try log.takeEvents()
    }

    private func expect(_ log: inout Log, _ wanted: [LogEvent]) throws {
        let found = try events(&log)
        #expect(found == wanted, sourceLocation: location)
    }

    /// Appends, and waits for it.
    private func put(_ record: LogAppend, in log: inout Log) throws {
        let ticket = try log.append([record])
        try expect(&log, [.appended(ticket)])
    }

    private func trim(_ log: inout Log, to place: UInt64) throws {
        try log.trim(partition, to: LogSequence(place))
        try pass(&log)
    }

    private func begin(_ log: inout Log, after place: UInt64, inPlaceOf end: UInt64) throws {
        try log.begin(partition, after: LogSequence(place), inPlaceOf: LogSequence(end))
        try pass(&log)
    }

    private func begun(after place: UInt64 = 0) throws -> Log {
        var log = try open()
        try log.begin(partition, after: LogSequence(place))
        try pass(&log)
        return log
    }

    private func append(_ bytes: [UInt8], behind place: UInt64, to partition: Partition? = nil) -> LogAppend {
        LogAppend(partition ?? self.partition, behind: LogSequence(place), bytes)
    }

    private func extent(_ last: UInt64, _ trimmed: UInt64, of partition: Partition? = nil) -> LogEvent {
        .end(partition ?? self.partition, LogExtent(last: LogSequence(last), trimmed: LogSequence(trimmed)))
    }

    /// Three append behind the same place, in whatever order: one wins, and all read what it wrote.
    package func hasOneWinner(rounds: Int, using random: inout SplitMix64) throws {
        var first = try begun()
        var second = try open()
        var third = try open()
        for round in 0..<UInt64(rounds) {
            var tickets: [Int: AppendTicket] = [:]
            for contender in [0, 1, 2].shuffled(using: &random) {
                let record = append([UInt8(contender)], behind: round)
                switch contender {
                case 0: tickets[0] = try first.append([record])
                case 1: tickets[1] = try second.append([record])
                default: tickets[2] = try third.append([record])
                }
            }
            let outcomes = [try events(&first), try events(&second), try events(&third)]
            let winners = outcomes.indices.filter { outcomes[$0] == [.appended(tickets[$0]!)] }
            #expect(winners.count == 1, sourceLocation: location)
            for loser in outcomes.indices where !winners.contains(loser) {
                #expect(outcomes[loser] == [.overtaken(tickets[loser]!, [partition])], sourceLocation: location)
            }
            try second.read(partition, after: LogSequence(round), limit: 8)
            let found = LogEvent.entry(partition, LogSequence(round + 1), [UInt8(winners.first ?? 9)])
            try expect(&second, [found, extent(round + 1, 0)])
        }
    }

    package func keepsTheOrder() throws {
        var log = try begun()
        for place in 0..<10 as Range<UInt64> { try put(append([UInt8(place)], behind: place), in: &log) }
        for (after, limit) in [(0, 64), (0, 3), (7, 64), (10, 64), (12, 64)] as [(UInt64, Int)] {
            try log.read(partition, after: LogSequence(after), limit: limit)
            let entries = (after..<max(after, min(10, after + UInt64(limit)))).map {
                LogEvent.entry(partition, LogSequence($0 + 1), [UInt8($0)])
            }
            try expect(&log, entries + [extent(10, 0)])
        }
        // Neither behind an older place, nor behind one that is not there.
        for place in [3, 11] as [UInt64] {
            let ticket = try log.append([append([], behind: place)])
            try expect(&log, [.overtaken(ticket, [partition])])
        }
    }

    /// An append to several partitions writes to all of them, or to none.
    package func isAllOrNothing() throws {
        var log = try begun()
        let other = Partition(1)
        try log.begin(other, after: .zero)
        try pass(&log)
        let both = try log.append([append([1], behind: 0), append([2], behind: 0, to: other)])
        try expect(&log, [.appended(both)])
        let half = try log.append([append([3], behind: 1), append([4], behind: 0, to: other)])
        try expect(&log, [.overtaken(half, [other])])
        try log.read(partition, after: LogSequence(1), limit: 8)
        try expect(&log, [extent(1, 0)])
    }

    package func keepsThePlaceOfATrim() throws {
        var log = try begun()
        for place in 0..<4 as Range<UInt64> { try put(append([UInt8(place)], behind: place), in: &log) }
        try trim(&log, to: 2)
        // A trim is not undone, and does not go beyond the last record.
        try trim(&log, to: 1)
        try log.read(partition, after: .zero, limit: 8)
        let rest = [2, 3].map { LogEvent.entry(partition, LogSequence($0 + 1), [UInt8($0)]) }
        try expect(&log, rest + [extent(4, 2)])
        try trim(&log, to: 9)
        try log.read(partition, after: .zero, limit: 8)
        try expect(&log, [extent(4, 4)])
        try put(append([7], behind: 4), in: &log)
    }

    /// A log that was never begun takes nothing; one that was is not begun again.
    package func beginsOnce() throws {
        var log = try open()
        try log.read(partition, after: LogSequence(3), limit: 8)
        try expect(&log, [.reset(partition)])
        let early = try log.append([append([], behind: 0)])
        try expect(&log, [.overtaken(early, [partition])])
        for place in [5, 8] as [UInt64] {
            try log.begin(partition, after: LogSequence(place))
            try pass(&log)
        }
        try put(append([1], behind: 5), in: &log)
        try log.read(partition, after: LogSequence(5), limit: 8)
        let found = LogEvent.entry(partition, LogSequence(6), [1])
        try expect(&log, [found, extent(6, 5)])
    }

    /// A log begins anew in place of one that ends where it was found, and of no other.
    package func beginsInPlaceOfWhatIsLeft() throws {
        var log = try begun()
        for place in 0..<3 as Range<UInt64> { try put(append([UInt8(place)], behind: place), in: &log) }
        try trim(&log, to: 1)
        for other in [1, 2, 4] as [UInt64] { try begin(&log, after: 9, inPlaceOf: other) }
        try log.read(partition, after: LogSequence(2), limit: 8)
        try expect(&log, [.entry(partition, LogSequence(3), [2]), extent(3, 1)])
        // The second time it ends elsewhere.
        for _ in 1...2 {
            try begin(&log, after: 9, inPlaceOf: 3)
            try log.read(partition, after: .zero, limit: 8)
            try expect(&log, [extent(9, 9)])
        }
        let late = try log.append([append([], behind: 3)])
        try expect(&log, [.overtaken(late, [partition])])
        try put(append([7], behind: 9), in: &log)
        try log.read(partition, after: .zero, limit: 8)
        try expect(&log, [.entry(partition, LogSequence(10), [7]), extent(10, 9)])
    }

    package func takesTheLongestRecord() throws {
        var log = try begun()
        let bytes = (0..<LogBounds.record).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try put(append(bytes, behind: 0), in: &log)
        try log.read(partition, after: .zero, limit: 1)
        let isSame = try events(&log) == [.entry(partition, LogSequence(1), bytes), extent(1, 0)]
        #expect(isSame, sourceLocation: location)
    }

    /// Appends records of `length` bytes until there is no room, which comes within `most` of them. The record that
    /// found no room is not in the log, and a trim makes room.
    package func saysThatItIsFull(records length: Int, most: Int) throws {
        var log = try begun()
        let bytes = [UInt8](repeating: 1, count: length)
        var last: UInt64 = 0
        while true {
            let ticket = try log.append([append(bytes, behind: last)])
            let found = try events(&log)
            if found == [.full(ticket)] { break }
            #expect(found == [.appended(ticket)], sourceLocation: location)
            last += 1
            try #require(last <= UInt64(most), sourceLocation: location)
        }
        try log.read(partition, after: LogSequence(last), limit: 8)
        try expect(&log, [extent(last, 0)])
        try trim(&log, to: last)
        try put(append(bytes, behind: last), in: &log)
    }
}
