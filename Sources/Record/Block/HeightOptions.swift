import Bytes

/// The heights that a row can have on one target, once those on the first target are known: mostly one option, which
/// takes no bits. A message of one line on a phone has one on a tablet, too.
///
/// For each code of the first target follows a list of options, each a number: a place in the block's heights × 2,
/// and 1 if another option follows. A row's own code counts through all options of all codes.
struct HeightOptions: ~Copyable {
    private var entries = Buffer<Int32>()
    private var lists = Buffer<Choices>()

    struct Choices {
        /// Code of the first option.
        var first: Int32
        var count: Int32
        /// The number of bits that tell one of them.
        var width: Int32
    }

    var optionCount: Int { entries.count }

    @inline(__always)
    func choices(_ code: Int) -> Choices { lists[code] }

    @inline(__always)
    func entry(_ code: Int32) -> Int32 { entries[Int(code)] }

    mutating func read(_ count: Int, entries entryCount: Int, _ reader: inout NumberReader) {
        entries.removeAll()
        lists.removeAll()
        for _ in 0..<reader.items(count) {
            let first = Int32(entries.count)
            var number: UInt32
            repeat {
                number = reader.number()
                if number >> 1 >= entryCount { reader.fail(.outOfRange(Int64(number >> 1), of: "heights")) }
                entries.append(Int32(truncatingIfNeeded: number >> 1))
            } while number & 1 != 0 && reader.fault == nil
            append(first)
        }
    }

    private mutating func append(_ first: Int32) {
        let count = Int32(entries.count) - first
        lists.append(Choices(first: first, count: count, width: Int32(bitWidth(of: Int(count)))))
    }

    /// Finds the options of rows with these codes on the first target and these heights, writes both, and leaves the
    /// rows' own codes in `codes`.
    mutating func write(_ rows: [Int], codes: inout [Int], of count: Int, to column: inout Buffer<UInt8>) {
        var found = [[Int]](repeating: [], count: count)
        for i in rows.indices where !found[codes[i]].contains(rows[i]) { found[codes[i]].append(rows[i]) }
        entries.removeAll()
        lists.removeAll()
        for code in found.indices {
            let first = Int32(entries.count)
            found[code].sort()
            for (i, entry) in found[code].enumerated() {
                column.number(entry << 1 | (i + 1 < found[code].count ? 1 : 0))
                entries.append(Int32(entry))
            }
            append(first)
        }
        var bits = BitWriter()
        for i in rows.indices {
            let choices = lists[codes[i]]
            let number = found[codes[i]].firstIndex(of: rows[i]) ?? 0
            bits.append(UInt64(number), width: Int(choices.width))
            codes[i] = Int(choices.first) + number
        }
        bits.finish()
        unsafe column.append(bits.bytes.elements)
    }
}
