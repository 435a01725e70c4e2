package import Bytes
package import MessageLayout
import Names
import Rows

extension RowBlock {
    /// Seals rows in the order of their positions, each with a height for each target.
    package init(sealing rows: [SealedRow], for targets: [Target]) throws(ByteError) {
        guard !rows.isEmpty else { throw .empty("block") }
        guard rows.count <= RowBlock.mostRows else {
            throw .tooLong(rows.count, limit: RowBlock.mostRows, of: "rows")
        }
        guard 1...RecordLimits.targets ~= targets.count else { throw .outOfRange(Int64(targets.count), of: "targets") }
        for row in rows where row.heights.count != targets.count {
            throw .outOfRange(Int64(row.heights.count), of: "heights")
        }
        for (upper, lower) in zip(rows, rows.dropFirst()) where !(upper.position < lower.position) {
            throw .outOfRange(lower.order, of: "order")
        }
        try self.init(Sealing(rows, targets).bytes)
    }

    /// A block while it is written.
    private struct Sealing {
        let bytes: [UInt8]

        init(_ rows: [SealedRow], _ targets: [Target]) throws(ByteError) {
            let senders = Ranked(rows.lazy.map(\.sender), sortedBy: <)
            let looks = Ranked(rows.lazy.map(\.look), sortedBy: Sealing.precedes)
            let heights = Ranked(heightsOf: rows)
            var parts = [
                Sealing.part { $0.append(targets) },
                Sealing.part { column in
                    var walk = NameWalk()
                    for sender in senders.values { walk.write(sender.text, to: &column) }
                },
                Sealing.part { $0.append(looks.values) },
                Sealing.part { $0.append(heights.values) },
                Sealing.part { $0.steps(rows.map(\.order)) },
                Sealing.part { $0.steps(rows.map(\.time.milliseconds)) },
                Sealing.faces(senders, looks),
            ]
            parts += Sealing.columns(heights.ranks, of: targets.count)
            parts.append(Sealing.part { $0.steps(rows.map(\.number.number)) })
            parts.append(
                Sealing.part { column in
                    var walk = NameWalk()
                    for row in rows { walk.write(row.message.text, to: &column) }
                })
            bytes = Sealing.bytes(of: parts, count: rows.count, targets: targets.count)
        }

        private static func bytes(of parts: [[UInt8]], count: Int, targets: Int) -> [UInt8] {
            let content =
                Sealing.part { head in
                    head.number(count)
                    head.number(targets)
                    for part in parts { head.number(part.count) }
                } + parts.joined()
            return RowBlock.bytes(of: content)
        }

        private static func part(_ write: (inout Buffer<UInt8>) -> Void) -> [UInt8] {
            var column = Buffer<UInt8>()
            write(&column)
            return column.array(0..<Int32(column.count))
        }

        private static func faces(_ senders: Ranked<SenderID>, _ looks: Ranked<RowLook>) -> [UInt8] {
            let (senderWidth, lookWidth) = (bitWidth(of: senders.values.count), bitWidth(of: looks.values.count))
            var bits = BitWriter()
            for (sender, look) in zip(senders.ranks, looks.ranks) {
                bits.append(UInt64(sender), width: senderWidth)
                bits.append(UInt64(look), width: lookWidth)
            }
            bits.finish()
            return bits.bytes.array(0..<Int32(bits.bytes.count))
        }

        /// - Parameter ranks: of the heights of each row on all targets, row by row.
        private static func columns(_ ranks: [Int], of targets: Int) -> [[UInt8]] {
            var options = HeightOptions()
            var codes = [Int](repeating: 0, count: ranks.count / targets)
            var codeCount = 1
            return (0..<targets).map { target in
                var own = codes
                let bytes = part { column in
                    let rows = stride(from: target, to: ranks.count, by: targets).map { ranks[$0] }
                    options.write(rows, codes: &own, of: codeCount, to: &column)
                }
                if target == 0 { (codes, codeCount) = (own, options.optionCount) }
                return bytes
            }
        }

        private static func precedes(_ a: RowLook, _ b: RowLook) -> Bool {
            let (first, second) = (a.template.utf8, b.template.utf8)
            if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
            return a.flags < b.flags
        }
    }
}

extension RowLook {
    fileprivate var flags: Int { (joinsSeries ? 1 : 0) | (hasFailed ? 2 : 0) }
}

extension Buffer<UInt8> {
    fileprivate mutating func append(_ looks: [RowLook]) {
        var walk = NameWalk()
        for look in looks {
            number(look.flags)
            walk.write(look.template, to: &self)
        }
    }

    fileprivate mutating func append(_ entries: [ContentHeights]) {
        var own: Int32 = 0
        for entry in entries {
            number(entry.own &- own)
            signed(entry.other &- entry.own)
            signed(entry.otherWithName &- entry.other)
            own = entry.own
        }
    }
}

extension RowBlock {
    fileprivate static func bytes(of content: [UInt8]) -> [UInt8] {
        var bytes = [version]
        bytes.word(BlockChecksum(of: content).value)
        return bytes + content
    }
}
