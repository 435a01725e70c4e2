import Names
import Pool
import Wire

/// A hash of everything that a coordinator sent, asked for and recorded: it is equal where two builds do the same
/// under a seed, event by event.
package struct RunDigest: Equatable, Sendable {
    /// 64-bit FNV-1a.
    package private(set) var number: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(_ byte: UInt8) { number = (number ^ UInt64(byte)) &* 0x100_0000_01B3 }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0 as UInt8)
    }

    /// Adds the spelling of a value, without the names of types, which may change.
    private mutating func add(spelled value: some Any) {
        add("\(value)".replacing(/([A-Z]\w*\.)+/, with: ""))
    }

    mutating func add(_ effect: Dispatcher.Effect) {
        switch effect {
        case .say(let word, let peer):
            add(1 as UInt8)
            for byte in peer.route + word.encoded() { add(byte) }
        case .ready(let rows, let edition):
            add(edition.text)
            for row in rows {
                add(row.message.text)
                add(row.stamp.number)
            }
        case .fetchUnfinished, .fetchRemovals, .fetchMessages, .fetchRecent, .fetchWished, .fetchDoubted, .offer,
            .supply, .evict, .serve, .retire, .report, .drained:
            add(spelled: effect)
        }
    }

    mutating func add(_ record: PoolRecord) {
        for progress in record.progress {
            add(progress.edition.text)
            add(UInt64(progress.shard.number))
            add(progress.through.number)
            for range in progress.beyond { add(range.lowerBound.number ^ range.upperBound.number << 32) }
            add(UInt64(bitPattern: progress.walkedTo?.number ?? -2))
            add(progress.origin?.number ?? 0)
            add(UInt64(progress.unavailable))
        }
        var rest = record
        rest.progress = []
        if !rest.isEmpty { add(spelled: rest) }
    }
}
