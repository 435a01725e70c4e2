import Typography

/// Texts that stand in the same place of many messages. Equal ones, such as names, are mostly there once.
struct TextColumn: Sendable {
    private(set) var different = StopsColumn()
    /// The place of each message's text in `different`.
    private(set) var places: [Int32] = []
    /// Texts that came lately, by slot; -1 for none.
    private var recent = [Int32](repeating: -1, count: 1 << TextColumn.slotBits)

    private static let slotBits = 6

    var bytes: Int { different.bytes + 4 * (places.count + recent.count) }

    mutating func removeAll() {
        different.removeAll()
        places.removeAll(keepingCapacity: true)
        for slot in recent.indices { recent[slot] = -1 }
    }

    mutating func append(
        _ stored: Span<UInt8>, _ reader: inout StopsReader
    ) throws(MeasuredTextError) {
        let slot = Self.slot(of: stored)
        if recent[slot] < 0 || !different.isStored(Int(recent[slot]), as: stored) {
            try different.append(stored: stored, &reader)
            recent[slot] = Int32(different.count - 1)
        }
        places.append(recent[slot])
    }

    /// Whether the text of a message is plain: broken by its stops alone.
    func isPlain(_ message: Int) -> Bool { different.isPlain(Int(places[message])) }

    func text(of message: Int) -> MeasuredText { different.text(Int(places[message])) }

    /// A hash of the length and some of the bytes: enough to tell names apart.
    private static func slot(of stored: borrowing Span<UInt8>) -> Int {
        var sum = UInt64(stored.count)
        for sample in 0..<16 where !stored.isEmpty {
            sum = sum &* 31 &+ UInt64(stored[(sample &* stored.count) &>> 4])
        }
        return Int((sum &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - slotBits))
    }
}

extension Span<UInt8> {
    func isEqual(to other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for i in indices where self[i] != other[i] { return false }
        return true
    }

    var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
