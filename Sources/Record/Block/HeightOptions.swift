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
        // Each option once, as code and place in one number; mostly a row has that of the last row with its code.
        var lasts = [Int](repeating: -1, count: count)
        var options: [Int] = []
        for (code, place) in zip(codes, rows) where lasts[code] != place {
            lasts[code] = place
            options.append(code << 32 | place)
        }
        options.sort()
        entries.removeAll()
        lists.removeAll()
        var next = 0
        for code in 0..<count {
            let first = Int32(entries.count)
            while next < options.count, options[next] >> 32 == code {
                let option = options[next]
                repeat { next += 1 } while next < options.count && options[next] == option
                let isLast = next == options.count || options[next] >> 32 != code
                let place = Int32(truncatingIfNeeded: option)
                column.number(Int(place) << 1 | (isLast ? 0 : 1))
                entries.append(place)
            }
            append(first)
        }
        var bits = BitWriter()
        for i in rows.indices {
            let choices = lists[codes[i]]
            var code = choices.first
            while entry(code) != rows[i] { code += 1 }
            bits.append(UInt64(code - choices.first), width: Int(choices.width))
            codes[i] = Int(code)
        }
        bits.finish()
        unsafe column.append(bits.bytes.elements)
    }
}
