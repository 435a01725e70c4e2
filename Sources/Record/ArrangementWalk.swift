import Bytes
import MessageLayout
import Typography

/// Reads the places of nodes in the layouts of each class of targets.
struct ArrangementWalk: ~Copyable {
    private(set) var classes = ClassMap()
    /// Places by variant, state and node, from 1; 0 where a node is absent. In front of the nodes of a layout stands
    /// its own place in `layouts`. All of the first class come first, then the class at work.
    private var values = Buffer<Int32>()
    /// The start of the class at work.
    private var start = 0
    private(set) var layouts = Buffer<PlaceNumbers>()
    private var items = 0
    private var columns = 0
    private var placeCount = 0
    /// The ends of all classes but the first.
    private var ends = Buffer<Int>()
    /// The bit from which these ends count.
    private var first = 0

    var count: Int { classes.count }

    /// Reads the first class.
    mutating func begin(_ record: LayoutRecord, placeCount: Int, _ bits: inout GolombReader) {
        classes.read(&bits, record.head.screens)
        layouts.removeAll()
        values.removeAll()
        ends.removeAll()
        (start, items) = (0, record.head.nodeCount &+ 1)
        columns = record.variantCount * record.stateCount
        self.placeCount = placeCount
        var end = 0
        for _ in 1..<max(1, count) {
            end += Int(bits.number(RecordForm.lengthOrder))
            ends.append(end)
        }
        readColumns(columns, isFirst: true, &bits)
        first = bits.place
    }

    /// The end of all classes.
    var end: Int { first &+ (ends.count == 0 ? 0 : ends[ends.count &- 1]) }

    /// The value of an item in a column of the class at work.
    @inline(__always)
    subscript(item: Int, column: Int) -> Int32 { values[start &+ column &* items &+ item] }

    mutating func spread(_ screens: Screens) { classes.spread(screens) }

    /// Turns to a class, and reads it.
    mutating func read(_ number: Int, upTo end: Int, _ bits: inout GolombReader) {
        values.shrink(to: columns * items)
        start = 0
        if number == 0 { return }
        bits.turn(to: first &+ (number == 1 ? 0 : ends[number &- 2]))
        start = values.count
        readColumns(end, isFirst: false, &bits)
        if end == columns { bits.check(first &+ ends[number &- 1]) }
    }

    private mutating func readColumns(_ end: Int, isFirst: Bool, _ bits: inout GolombReader) {
        for column in 0..<end where bits.isWhole {
            let first = values.count
            if column > 0 || !isFirst {
                let like = column > 0 ? first &- items : 0
                values.append(copyOf: like..<like &+ items)
            } else {
                values.append(-1)
                values.append(repeating: 0, count: items &- 1)
            }
            var item = first
            while item < values.count {
                let some = min(values.count &- item, GolombSink.most)
                var others = UInt32.max &>> UInt32(truncatingIfNeeded: 32 &- some)
                if column > 0 || !isFirst { others = bits.bits(some) }
                if item == first && others & 1 == 1 { readLayout(first, hasBase: column > 0 && !isFirst, &bits) }
                if item == first { others &= ~1 }
                if others != 0 { readNodes(others, from: item, hasBase: column > 0 && !isFirst, &bits) }
                item &+= some
            }
        }
    }

    private mutating func readLayout(_ item: Int, hasBase: Bool, _ bits: inout GolombReader) {
        var reader = bits
        if hasBase && reader.flag() {
            values[item] = values[item &- start]
        } else {
            let like = values[item]
            layouts.append(reader.layoutNumbers(like: like < 0 ? .absent : layouts[Int(like)]))
            values[item] = Int32(truncatingIfNeeded: layouts.count &- 1)
        }
        bits = reader
    }

    @inline(__always)
    private mutating func readNodes(_ flags: UInt32, from item: Int, hasBase: Bool, _ bits: inout GolombReader) {
        var (reader, others, most) = (bits, flags, UInt32(truncatingIfNeeded: placeCount))
        let width = RecordForm.width(ofPlaces: placeCount)
        while others != 0 {
            let own = item &+ others.trailingZeroBitCount
            others &= others &- 1
            if hasBase && reader.flag() {
                values[own] = values[own &- start]
                continue
            }
            let number = reader.bits(width)
            values[own] = number <= most ? Int32(bitPattern: number) : 0
            most = number <= most ? most : 0
        }
        bits = reader
        if most != UInt32(truncatingIfNeeded: placeCount) { bits.fail(.outOfRange(Int64(placeCount), of: "place")) }
    }
}
