/// How wide one cluster is when a line shows nothing else of its word, by what stands beside it: an Arabic letter keeps
/// the form that its neighbours gave it. Bounded; the same few thousand come again and again.
struct SingleWidths {
    /// Found by hashing; half of them are free at least.
    private var slots = Array(repeating: Slot(), count: 256)
    private var count = 0
    private static let mostSlots = 1 << 16

    private struct Slot {
        var key = Key()
        var width: Int32 = 0
    }

    private struct Key: Equatable {
        /// The clusters before, at and behind the place.
        var units = SIMD3<UInt64>()
        /// 0 where the slot is free.
        var lengths: UInt64 = 0
        var setting: UInt64 = 0

        static let mostUnits = 12

        init() {}

        init(_ cluster: Range<Int>, in reach: Range<Int>, of text: [UInt16], _ setting: ShapingBuffer.Setting) {
            var place: UInt64 = 0
            for i in reach {
                units[Int(place >> 2)] |= UInt64(text[i]) << (16 * (place & 3))
                place += 1
            }
            let before = UInt64(cluster.lowerBound - reach.lowerBound)
            lengths = before << 16 | UInt64(cluster.count) << 8 | UInt64(reach.count)
            self.setting = setting.packed
        }

        var hash: Int {
            var hash = lengths ^ setting << 20
            for i in 0..<3 { hash = (hash ^ units[i] ^ hash >> 29) &* 0xff51_afd7_ed55_8ccd }
            return Int(truncatingIfNeeded: hash >> 33)
        }
    }

    /// `reach` is the cluster with its neighbours.
    mutating func width(
        of cluster: Range<Int>, in reach: Range<Int>, of text: [UInt16], with face: FontFace,
        as setting: ShapingBuffer.Setting, _ buffer: borrowing ShapingBuffer
    ) -> Int32 {
        guard reach.count <= Key.mostUnits else { return buffer.width(text, cluster, with: face, as: setting) }
        let key = Key(cluster, in: reach, of: text, setting)
        let found = place(of: key)
        if slots[found].key.lengths != 0 { return slots[found].width }
        let width = buffer.width(text, cluster, with: face, as: setting)
        slots[found] = Slot(key: key, width: width)
        count += 1
        if 2 * count > slots.count { grow() }
        return width
    }

    /// Where the key is, or would be.
    private func place(of key: Key) -> Int {
        var place = key.hash & (slots.count - 1)
        while slots[place].key.lengths != 0 && slots[place].key != key { place = (place + 1) & (slots.count - 1) }
        return place
    }

    /// Forgets everything rather than grow beyond all bounds.
    private mutating func grow() {
        let known = slots.count < SingleWidths.mostSlots ? slots.filter { $0.key.lengths != 0 } : []
        slots = Array(repeating: Slot(), count: known.isEmpty ? 256 : 2 * slots.count)
        for slot in known { slots[place(of: slot.key)] = slot }
        count = known.count
    }
}
