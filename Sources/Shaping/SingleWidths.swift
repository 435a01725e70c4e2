/// A cache of the widths of single clusters, for lines that show nothing else of their word. An Arabic letter keeps
/// the form that its neighbours gave it (see Joining.swift). The same goes for a few letters. The cache is bounded;
/// the same few thousand come again and again.
struct SingleWidths {
    /// The slots of a hash table; at least half of them are free.
    private var slots = Array(repeating: Slot(), count: 256)
    private var count = 0
    /// A number that differs from cache to cache, so that nobody can write clusters that all come to one slot.
    private let seed = UInt64.random(in: .min ... .max)
    private static let mostSlots = 1 << 16

    private struct Slot {
        var key = Key()
        var width: Int32 = 0
    }

    private struct Key: Equatable {
        var units = SIMD2<UInt64>()
        /// The number of units; 0 where the slot is free.
        var count = 0
        var setting: UInt64 = 0

        static let mostUnits = 8

        init() {}

        init(_ cluster: Range<Int>, of text: [UInt16], _ setting: ShapingBuffer.Setting) {
            var place: UInt64 = 0
            for i in cluster {
                units[Int(place >> 2)] |= UInt64(text[i]) << (16 * (place & 3))
                place += 1
            }
            count = cluster.count
            self.setting = setting.packed
        }

        func hash(_ seed: UInt64) -> Int {
            var hash = seed ^ setting &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(count)
            for i in 0..<2 { hash = (hash ^ units[i] ^ hash >> 29) &* 0xff51_afd7_ed55_8ccd }
            return Int(truncatingIfNeeded: hash >> 33)
        }
    }

    mutating func width(
        of cluster: Range<Int>, in text: [UInt16], _ characters: [CharacterRecord], with face: FontFace,
        as setting: ShapingBuffer.Setting, _ buffer: borrowing ShapingBuffer
    ) -> Int32 {
        guard cluster.count <= Key.mostUnits else { return buffer.width(text, cluster, with: face, as: setting) }
        let key = Key(cluster, of: text, setting.at(cluster, of: characters))
        let found = place(of: key)
        if slots[found].key.count != 0 { return slots[found].width }
        let width = buffer.width(text, cluster, with: face, as: setting)
        slots[found] = Slot(key: key, width: width)
        count += 1
        if 2 * count > slots.count { grow() }
        return width
    }

    /// The place of the key, taken or still free.
    private func place(of key: Key) -> Int {
        var place = key.hash(seed) & (slots.count - 1)
        while slots[place].key.count != 0 && slots[place].key != key { place = (place + 1) & (slots.count - 1) }
        return place
    }

    /// Forgets everything rather than grow beyond all bounds.
    private mutating func grow() {
        let known = slots.count < SingleWidths.mostSlots ? slots.filter { $0.key.count != 0 } : []
        slots = Array(repeating: Slot(), count: known.isEmpty ? 256 : 2 * slots.count)
        for slot in known { slots[place(of: slot.key)] = slot }
        count = known.count
    }
}
