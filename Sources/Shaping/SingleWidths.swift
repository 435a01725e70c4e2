/// How wide one cluster is when a line shows nothing else of its word, by what stands beside it: an Arabic letter keeps
/// the form that its neighbours gave it. Bounded; the same few thousand come again and again.
final class SingleWidths {
    private var widths: [Key: Int32] = [:]
    private static let most = 1 << 16

    private struct Key: Hashable {
        /// The clusters before, at and behind the place, twelve units at most.
        var units: (UInt64, UInt64, UInt64)
        var lengths: UInt32
        var setting: ShapingBuffer.Setting

        static func == (a: Key, b: Key) -> Bool {
            a.units == b.units && a.lengths == b.lengths && a.setting == b.setting
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(units.0)
            hasher.combine(units.1)
            hasher.combine(units.2)
            hasher.combine(lengths)
            hasher.combine(setting)
        }
    }

    /// `reach` is the cluster with its neighbours.
    func width(
        of cluster: Range<Int>, in reach: Range<Int>, of text: [UInt16], with face: FontFace,
        as setting: ShapingBuffer.Setting, _ buffer: borrowing ShapingBuffer
    ) -> Int32 {
        guard reach.count <= 12 else { return buffer.width(text, cluster, with: face, as: setting) }
        var units: (UInt64, UInt64, UInt64) = (0, 0, 0)
        for i in reach {
            units = (units.0 << 16 | units.1 >> 48, units.1 << 16 | units.2 >> 48, units.2 << 16 | UInt64(text[i]))
        }
        let before = UInt32(cluster.lowerBound - reach.lowerBound)
        let lengths = before << 16 | UInt32(cluster.count) << 8 | UInt32(reach.count)
        let key = Key(units: units, lengths: lengths, setting: setting)
        if let known = widths[key] { return known }
        if widths.count >= SingleWidths.most { widths.removeAll() }
        let width = buffer.width(text, cluster, with: face, as: setting)
        widths[key] = width
        return width
    }
}
