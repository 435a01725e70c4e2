import Bytes
import Replication

/// The log of a simulated cluster, as one client has it.
struct SimulatedLog: TurnLog {
    typealias Failure = Never

    let engine: SimulatedEngine
    let client: Int
    var now = Instant.start

    init(_ engine: SimulatedEngine, client: Int) { (self.engine, self.client) = (engine, client) }

    mutating func append(_ records: [LogAppend]) -> AppendTicket {
        let ticket = engine.newTicket()
        engine.send(.append(ticket, records), from: client, at: now)
        return ticket
    }

    mutating func read(_ partition: Partition, after: LogSequence, limit: Int) {
        engine.send(.read(partition, after: after, limit: limit), from: client, at: now)
    }

    mutating func trim(_ partition: Partition, to place: LogSequence) {
        engine.send(.trim(partition, to: place), from: client, at: now)
    }

    mutating func begin(_ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?) {
        engine.send(.begin(partition, after: place, inPlaceOf: end), from: client, at: now)
    }

    mutating func takeEvents() -> [LogEvent] { engine.takeEvents(for: client, at: now) }
}

/// A cipher that is neither secret nor strong: it opens with the same key and the same bound bytes, and with no
/// others.
struct SimulatedCipher: RecordCipher {
    private static let tag = 8

    func seal(_ plain: [UInt8], under key: RecordKey, bound: [UInt8]) -> [UInt8] {
        mark(plain, key, bound) + mixed(plain, key)
    }

    func open(_ sealed: ArraySlice<UInt8>, under key: RecordKey, bound: [UInt8]) -> [UInt8]? {
        let plain = mixed(Array(sealed.dropFirst(Self.tag)), key)
        return sealed.prefix(Self.tag).elementsEqual(mark(plain, key, bound)) ? plain : nil
    }

    private func mixed(_ bytes: [UInt8], _ key: RecordKey) -> [UInt8] {
        bytes.indices.map { bytes[$0] ^ key.bytes[$0 % RecordKey.length] }
    }

    private func mark(_ plain: [UInt8], _ key: RecordKey, _ bound: [UInt8]) -> [UInt8] {
        var sum = Checksum()
        sum.add(key.bytes)
        sum.add(bound)
        sum.add(plain)
        return (0..<Self.tag).map { UInt8(truncatingIfNeeded: sum.wide >> ($0 * 8)) }
    }
}
