import Pool
import Replication

/// The records of one log that a host keeps beside its journal: anchors and keys. Its turns lie with those of the other
/// logs, in the order in which the journal takes them.
struct HostRecords {
    var trail = AnchorTrail()
    var keys: [KeyNumber: RecordKey] = [:]
    private(set) var wiped = KeyNumber.zero

    /// Whether the record is the next one, or takes the place of one that the log forgot.
    func admits(_ anchor: LogAnchor) -> Bool {
        anchor.sequence > trail.first.sequence && anchor.sequence <= trail.last.sequence.next
    }

    /// The key with this number; it makes one if there is none.
    mutating func makeKey(_ number: KeyNumber, _ dice: inout Dice) -> RecordKey {
        if let known = keys[number] { return known }
        let key = RecordKey((0..<RecordKey.length).map { _ in UInt8(truncatingIfNeeded: dice.next()) })
        keys[number] = key
        return key
    }

    mutating func wipeKeys(through number: KeyNumber) {
        keys = keys.filter { $0.key > number }
        wiped = number
    }

    /// A bug: moves the place where the log goes on, as if it had brought so many entries.
    mutating func moveOn(by entries: Int64) {
        guard trail.count > 1 else { return }
        var last = trail.last
        last.next = LogPosition(last.next.number + entries)
        trail.append(last)
    }
}
