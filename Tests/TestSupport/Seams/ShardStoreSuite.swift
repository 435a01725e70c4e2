import Names
package import Pool
package import Testing
import Wire

/// The rules for every `ShardStore`. Each implementation's tests run it; `open` opens the same shard again each time.
package struct ShardStoreSuite<Store: ShardStore & ~Copyable> {
    private let open: () throws -> Store
    private let location: SourceLocation

    package init(at location: SourceLocation = #_sourceLocation, open: @escaping () throws -> Store) {
        (self.open, self.location) = (open, location)
    }

    /// Commits random changes, some of them repeated or out of order, and compares with a dictionary. A batch has one
    /// change of a message.
    package func keepsTheNewest(using random: inout SplitMix64) throws {
        var model: [Int64: (job: UInt64, key: [UInt8]?)] = [:]
        var store = try open()
        let epoch = LeaseEpoch(7)
        var last = try #require(try store.adopt(epoch), sourceLocation: location)
        for round in 0..<20 {
            var changes: [ShardChange] = []
            for number in Set((0..<6).map { _ in Int64.random(in: 1...12, using: &random) }).sorted() {
                let job = UInt64.random(in: 1...UInt64(10 + 8 * round), using: &random)
                let key = "k\(job)"
                let isThere = model[number]?.key != nil
                let isNewer = model[number].map { job > $0.job } ?? true
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    changes.append(try ShardSample.laidOut(number, job: job, order: Int64(job), key: key))
                    if isNewer { model[number] = (job, Array(key.utf8)) }
                case 2:
                    changes.append(
                        try ShardSample.change(
                            number, job: job, .touched(ShardSample.facts(order: -Int64(job), status: "read"))))
                    if isNewer, isThere { model[number]?.job = job }
                default:
                    changes.append(try ShardSample.change(number, job: job, .removed))
                    if isNewer, isThere { model[number] = (job, nil) }
                }
            }
            let stamp = try #require(try store.commit(changes, under: epoch), sourceLocation: location)
            #expect(stamp >= last, sourceLocation: location)
            last = stamp
            if Int.random(in: 0..<4, using: &random) == 0 {
                // A change that comes twice counts once.
                _ = try store.commit(changes, under: epoch)
                store = try open()
            }
            for number in 1...12 as ClosedRange<Int64> {
                let key = try store.storedKey(of: MessageNumber(number))
                #expect(key == model[number]?.key, "message \(number)", sourceLocation: location)
            }
        }
    }

    /// Messages without content and without a row: each once, until something newer comes.
    package func countsTheUnavailable() throws {
        var store = try open()
        let epoch = LeaseEpoch(1)
        _ = try store.adopt(epoch)
        func count(after changes: [ShardChange]) throws -> Int {
            _ = try store.commit(changes, under: epoch)
            return try store.unavailable()
        }
        let amended = ShardChange.Row.amended(order: 1, status: nil)
        let counts = [
            try count(after: [ShardSample.laidOut(1, job: 1)]),
            try count(after: [ShardSample.change(1, job: 2, amended), ShardSample.change(2, job: 3, amended)]),
            try count(after: [ShardSample.change(2, job: 4, amended), ShardSample.change(3, job: 5, amended)]),
            try count(after: [ShardSample.laidOut(2, job: 6)]),
            try count(after: [ShardSample.change(3, job: 7, .removed), ShardSample.change(4, job: 8, amended)]),
            // A job that was lent before the removal comes again.
            try count(after: [ShardSample.change(3, job: 5, amended)]),
        ]
        #expect(counts == [0, 1, 2, 1, 1, 1], sourceLocation: location)
        store = try open()
        _ = try store.adopt(LeaseEpoch(2))
        let again = try store.unavailable()
        #expect(again == 1, sourceLocation: location)
    }

    /// A row that may be wrong is made again under the job that made it, and under no older one.
    package func makesAgain() throws {
        var store = try open()
        let epoch = LeaseEpoch(1)
        _ = try store.adopt(epoch)
        func made(_ job: UInt64, _ key: String) throws -> ShardChange {
            var change = try ShardSample.laidOut(1, job: job, key: key)
            if case .laidOut(let row) = change.row { change.row = .mended(row) }
            return change
        }
        func key(after change: ShardChange) throws -> [UInt8]? {
            _ = try store.commit([change], under: epoch)
            return try store.storedKey(of: MessageNumber(1))
        }
        var keys = [try key(after: ShardSample.laidOut(1, job: 5, key: "first"))]
        keys.append(try key(after: ShardSample.laidOut(1, job: 5, key: "twice")))
        keys.append(try key(after: made(5, "again")))
        keys.append(try key(after: made(4, "older")))
        keys.append(try key(after: made(6, "newer")))
        keys.append(try key(after: ShardSample.change(1, job: 7, .removed)))
        // A row that was removed stays so.
        keys.append(try key(after: made(6, "late")))
        #expect(
            keys == ["first", "first", "again", "again", "newer", nil, nil].map { $0.map { Array($0.utf8) } },
            sourceLocation: location)
    }

    package func fencesOlderLeases() throws {
        var old = try open()
        var new = try open()
        let change = try ShardSample.laidOut(1, job: 1)
        _ = try old.adopt(LeaseEpoch(3))
        _ = try old.commit([change], under: LeaseEpoch(3))
        let taken = try new.adopt(LeaseEpoch(4))
        #expect(taken != nil, sourceLocation: location)
        let late = try old.commit([try ShardSample.laidOut(2, job: 2)], under: LeaseEpoch(3))
        #expect(late == nil, sourceLocation: location)
        let again = try old.adopt(LeaseEpoch(3))
        #expect(again == nil, sourceLocation: location)
        let missing = try new.storedKey(of: MessageNumber(2))
        #expect(missing == nil, sourceLocation: location)
        let kept = try new.storedKey(of: MessageNumber(1))
        #expect(kept != nil, sourceLocation: location)
        #expect(old.origin == new.origin, sourceLocation: location)
    }

    /// A sync covers what anybody has committed, and says so.
    package func syncsForEverybody() throws {
        var writer = try open()
        var other = try open()
        _ = try writer.adopt(LeaseEpoch(1))
        let stamp = try #require(
            try writer.commit([try ShardSample.laidOut(1, job: 1)], under: LeaseEpoch(1)), sourceLocation: location)
        let synced = try other.sync()
        #expect(synced.stamp >= stamp && synced.origin == writer.origin, sourceLocation: location)
    }
}
