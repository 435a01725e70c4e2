import Bytes
import MessageLayout
import Typography

/// Reads the contents of the blocks of a record, at the scale of one target. The blocks of a node are told by its
/// first one; those that are not wanted are passed over.
struct ContentReader: ~Copyable {
    /// The place of each block in `told`; -1 if it was passed over.
    private var toldPlaces = Buffer<Int32>()
    private var told = Buffer<Told>()
    private var lines = Buffer<LineNumbers>()
    private var spans = Buffer<LayoutSheet.EntitySpan>()
    private var bars = Buffer<UInt8>()
    /// The start of each block, and at last the end of all, counted from `start`.
    private var starts = Buffer<Int>()
    private var start = 0
    /// Whether blocks are read down to their last bit.
    private var readsAll = false

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    struct Told {
        var lines = 0..<0
        var spans = 0..<0
        var bars = 0..<0
        var unusual = RecordForm.Lines([])
        var isRightToLeft = false
        var widest: Int32 = 0
    }

    /// - Parameter columns: variants and states in which a target's blocks are wanted; nil for all blocks.
    mutating func read(
        _ walk: borrowing LayoutWalk, at target: Int, _ columns: Range<Int>?, _ screens: Screens,
        _ bits: inout GolombReader
    ) {
        readsAll = columns == nil
        toldPlaces.refill(-1, count: walk.blocks.count)
        told.removeAll()
        lines.removeAll()
        spans.removeAll()
        bars.removeAll()
        readStarts(walk.blocks.count, &bits)
        for slot in 0..<walk.slots.count where bits.isWhole {
            var line = LineWalk()
            guard let columns else {
                for block in walk.slots[slot].blocks where bits.isWhole {
                    read(block, slot, &line, walk, at: target, screens, &bits)
                }
                continue
            }
            for column in columns {
                let block = walk.block(slot, column, of: target)
                if block >= 0 { read(block, slot, &line, walk, at: target, screens, &bits) }
            }
        }
        bits.turn(to: start &+ starts[walk.blocks.count])
    }

    private mutating func readStarts(_ count: Int, _ bits: inout GolombReader) {
        starts.removeAll()
        var (reader, end) = (bits, 0)
        starts.append(0)
        for _ in 0..<count {
            end &+= Int(reader.number(RecordForm.lengthOrder))
            starts.append(end)
        }
        bits = reader
        start = reader.place
    }

    /// Reads one block, and before it the first of its node, if it is told by that.
    private mutating func read(
        _ block: Int, _ slot: Int, _ line: inout LineWalk, _ walk: borrowing LayoutWalk, at target: Int,
        _ screens: Screens, _ bits: inout GolombReader
    ) {
        if toldPlaces[block] >= 0 { return }
        let first = walk.slots[slot].blocks.lowerBound
        if walk.slots[slot].isBars {
            begin(block, &bits)
            readBars(&bits)
        } else if block == first || walk.areAlike(block, first, screens) {
            if block != first && line.isFresh { read(first, slot, &line, walk, at: target, screens, &bits) }
            begin(block, &bits)
            readLines(walk.blocks[block], &line, walk, at: target, screens, &bits)
        } else {
            var line = LineWalk()
            begin(block, &bits)
            readLines(walk.blocks[block], &line, walk, at: target, screens, &bits)
        }
        // Each bit is of one block, so that reading all of them takes no longer than the record is.
        let end = start &+ starts[block &+ 1]
        if readsAll || bits.place > end { bits.check(end) }
    }

    @inline(__always)
    private mutating func begin(_ block: Int, _ bits: inout GolombReader) {
        toldPlaces[block] = Int32(truncatingIfNeeded: told.count)
        bits.turn(to: start &+ starts[block])
    }

    private mutating func readBars(_ bits: inout GolombReader) {
        let first = bars.count
        var left = bits.number(3)
        while left > 0 && bits.isWhole {
            bars.append(UInt8(truncatingIfNeeded: bits.bits(8)))
            left &-= 1
        }
        var own = Told()
        own.bars = first..<bars.count
        told.append(own)
    }

    private mutating func readLines(
        _ block: LayoutWalk.Block, _ line: inout LineWalk, _ walk: borrowing LayoutWalk, at target: Int,
        _ screens: Screens, _ bits: inout GolombReader
    ) {
        var reader = bits
        let head = reader.number(0)
        if head >> 1 > RecordForm.Lines.all.rawValue { reader.fail(.outOfRange(Int64(head), of: "lines")) }
        var own = Told()
        own.unusual = RecordForm.Lines(rawValue: head >> 1)
        own.isRightToLeft = head & 1 == 1
        let first = Int(block.first)
        let scale = screens.scale(first)
        line.begin(
            block.lineCount, face: block.face, scale, fontSize: walk.faces.face(block.face, at: scale).size,
            isRightToLeft: own.isRightToLeft)
        let start = lines.count
        own.widest = line.lines(&reader, own.unusual, into: &lines)
        own.lines = start..<lines.count
        bits = reader
        if own.unusual.has(.spans) { own.spans = readSpans(&bits) }
        readLacks(&own, block, first, at: target, screens, &bits)
        told.append(own)
    }

    private mutating func readSpans(_ bits: inout GolombReader) -> Range<Int> {
        let first = spans.count
        var walk = SpanWalk()
        var left = bits.number(1)
        while left > 0 && bits.isWhole {
            spans.append(walk.read(&bits))
            left &-= 1
        }
        return first..<spans.count
    }

    /// Reads the differences at other scales: a line is as wide as scales say, or one less; rectangles are about
    /// where they say.
    private mutating func readLacks(
        _ own: inout Told, _ block: LayoutWalk.Block, _ first: Int, at target: Int, _ screens: Screens,
        _ bits: inout GolombReader
    ) {
        let (toldScale, wanted) = (screens.scaleNumbers[first], screens.scaleNumbers[target])
        var others = block.scales & ~(1 &<< UInt64(truncatingIfNeeded: toldScale))
        if others == 0 || toldScale == wanted && !readsAll { return }
        let count = own.lines.count
        if count == 0 || own.unusual.has(.lefts) { return bits.fail(.outOfRange(Int64(first), of: "scales")) }
        // The told spans are needed until all scales are read.
        let spansEnd = spans.count
        var found = own.spans
        while others != 0 && bits.isWhole {
            let scale = others.trailingZeroBitCount
            others &= others &- 1
            if scale == Int(wanted) {
                turnLines(&own, screens.scale(first), screens.scales[scale], &bits)
                found = spansEnd..<spansEnd + own.spans.count
                if own.spans.isEmpty && !readsAll { return }
            } else if count <= 32 {
                bits.skip(count)
            } else {
                bits.turn(to: bits.place &+ count)
            }
            for i in own.spans where bits.isWhole {
                var span = spans[i].scaled(to: screens.scales[scale], from: screens.scale(first))
                span.left &+= bits.signed(0)
                span.width &+= bits.signed(0)
                if scale == Int(wanted) { spans.append(span) }
            }
        }
        if bits.isWhole { own.spans = found }
    }

    private mutating func turnLines(_ own: inout Told, _ told: Scale, _ scale: Scale, _ bits: inout GolombReader) {
        var (reader, widest) = (bits, Int32.min)
        for i in own.lines {
            let width = RecordForm.width(lines[i].width, at: scale, from: told)
            lines[i].width = width &- Int32(bitPattern: reader.bits(1))
            widest = max(widest, lines[i].width)
        }
        own.widest = widest
        bits = reader
    }
}

// Writing into a row.
extension ContentReader {
    /// Appends lines to a row, and returns the size that they take.
    func append(
        _ block: Int, _ walk: borrowing LayoutWalk, _ scale: Scale, without hidden: Int32, to row: inout Buffer<UInt8>
    ) -> PixelSize {
        var own = told[Int(toldPlaces[block])]
        let count = walk.blocks[block].lineCount
        if hidden != 0 && own.unusual.has(.traits) && hidesTraits(of: own, hidden) {
            own.unusual = own.unusual.subtracting(.traits)
        }
        let face = walk.faces.face(walk.blocks[block].face, at: scale)
        row.number(ContentHead.lines(count, own.unusual, isRightToLeft: own.isRightToLeft).rawValue)
        row.number(face.size)
        row.number(face.pitch)
        row.number(face.ascent)
        if own.unusual.rawValue != 0 { row.number(own.unusual.rawValue) }
        if count > 0 { row.number(own.widest) }
        for i in own.lines {
            var line = lines[i]
            line.traits &= ~hidden
            row.append(line, own.unusual, widest: own.widest)
        }
        if own.unusual.has(.spans) {
            row.number(own.spans.count)
            for i in own.spans { row.append(spans[i]) }
        }
        return PixelSize(width: own.widest, height: face.pitch &* count)
    }

    /// Whether the traits of lines are usual but for the hidden ones.
    private func hidesTraits(of own: Told, _ hidden: Int32) -> Bool {
        for i in own.lines {
            let isLast = i == own.lines.upperBound - 1
            let usual = RecordForm.traits(isRightToLeft: own.isRightToLeft, isLast: isLast)
            if lines[i].traits & ~hidden != usual { return false }
        }
        return true
    }

    func appendBars(_ block: Int, to row: inout Buffer<UInt8>) {
        unsafe row.append(bars: bars.elements[told[Int(toldPlaces[block])].bars])
    }
}
