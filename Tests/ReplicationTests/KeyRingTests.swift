import Pool
import Testing

@testable import Replication

private func key(_ byte: UInt8) -> RecordKey { RecordKey([UInt8](repeating: byte, count: RecordKey.length)) }
private func number(_ number: UInt64) -> KeyNumber { KeyNumber(number) }

@Test func `a key waits for a second host, and the one before it is used meanwhile`() {
    var ring = KeyRing()
    ring.hold(number(1), key(1), at: .start)
    #expect(ring.usable(isAlone: false) == nil)
    #expect(ring.usable(isAlone: true) == number(1))
    ring.note(Sample.hosts[1], has: [number(1)])
    #expect(ring.usable(isAlone: false) == number(1))
    ring.hold(number(2), key(2), at: .start)
    #expect(ring.usable(isAlone: false) == number(1))
    ring.note(Sample.hosts[2], has: [number(2)])
    #expect(ring.usable(isAlone: false) == number(2))
}

@Test func `no record has an older key than the one before it`() {
    var ring = KeyRing([number(1): key(1), number(2): key(2)])
    ring.note(Sample.hosts[1], has: [number(1)])
    ring.use(number(2), at: LogSequence(4))
    #expect(ring.usable(isAlone: false) == number(2))
}

@Test func `a key goes when the log is trimmed past its last record, in order, and does not come back`() {
    var ring = KeyRing()
    for place in 1...4 as ClosedRange<UInt64> { ring.hold(number(place), key(UInt8(place)), at: .start) }
    ring.use(number(1), at: LogSequence(10))
    ring.use(number(4), at: LogSequence(11))
    // The second was never used, but one number names all keys that are wiped.
    #expect(ring.wipe(through: LogSequence(9)).isEmpty)
    #expect(ring.wipe(through: LogSequence(10)) == [number(1), number(2), number(3)])
    #expect(ring.numbers == [number(4)] && ring.wiped == number(3))
    #expect(!ring.admits(number(2)) && ring.admits(number(5)))
    #expect(ring.wipe(through: LogSequence(99)).isEmpty, "what is used next may be sealed with it")
}

@Test func `a host is given what it lacks, and nothing that it has wiped`() {
    let ring = KeyRing([number(1): key(1), number(2): key(2), number(3): key(3)])
    #expect(ring.lacking([number(3)], wiped: number(1)).map(\.number) == [number(2)])
}

@Test func `a ring that is full admits no more, and goes on with what it has`() {
    var ring = KeyRing()
    for place in 1...UInt64(KeyRing.most) { ring.hold(number(place), key(1), at: .start) }
    ring.hold(number(5000), key(2), at: .start)
    #expect(!ring.admits(number(5000)) && ring.key(number(5000)) == nil && ring.numbers.count == KeyRing.most)
    #expect(ring.usable(isAlone: true) == number(UInt64(KeyRing.most)))
    #expect(!ring.isDue(.zero, at: .start + .seconds(60)))
    ring.use(number(9), at: LogSequence(3))
    let wiped = ring.wipe(through: LogSequence(2)).count
    #expect(wiped == 8 && ring.admits(number(5000)))
}
