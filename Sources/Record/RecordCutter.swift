package import Bytes
package import MessageLayout
import Typography

/// Cuts from records the rows of one target and variant: the shared part, and the layouts of their states, in the
/// order in which `LayoutRows` reads them. Cutting is picking a lane: the layouts of others are passed over.
///
/// It keeps its memory from one record to the next.
///
///     var cutter = RecordCutter()
///     try cutter.cut(record, target: 3, variant: 1, into: &row)
package struct RecordCutter: ~Copyable {
    private var row = Buffer<UInt8>(capacity: 1024)
    private var walk = LayoutWalk()
    private var contents = ContentReader()
    private var previous = PreviousCutter()
    /// The size of the row that was cut last, collapsed, and the number of its lines in all states.
    package private(set) var size = PixelSize.zero
    package private(set) var lineCount = 0

    package init() {}

    /// Replaces `bytes` with a row. Throws for a target or variant that the record does not have, too.
    ///
    /// - Parameter newest: the newest version of rows that the receiver reads.
    package mutating func cut(
        _ record: LayoutRecord, target: Int, variant: Int, upTo newest: RowVersion = .first, into bytes: inout [UInt8]
    ) throws(ByteError) {
        guard record.targets.indices ~= target else { throw .outOfRange(Int64(target), of: "target") }
        guard 0..<record.variantCount ~= variant else { throw .outOfRange(Int64(variant), of: "variant") }
        if record.parts.previous != nil {
            try previous.cut(record, target: target, variant: variant, upTo: newest, into: &bytes)
            (size, lineCount) = (previous.size, previous.lineCount)
            return
        }
        let version = newest == .first ? .first : record.rowVersion
        lineCount = 0
        row.removeAll()
        let first = variant * record.stateCount
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(ByteError) in
            var bits = unsafe GolombReader(source, in: record.parts.layouts)
            walk.readMaps(record, &bits)
            walk.readArrangements(record, &bits)
            let own = Int(walk.arrangements.classes.number(of: target, record.head.screens))
            walk.readArrangement(own, upTo: first + record.stateCount, &bits)
            walk.endArrangements(&bits)
            contents.read(walk, at: target, first..<first + record.stateCount, record.head.screens, &bits)
            walk.readReaches(target + 1, record.head.screens, &bits)
            if let fault = bits.fault { throw fault }
        }
        let reach = try walk.reaches.reach(of: target, record.head.screens)
        row.append(version, states: record.stateCount, record.targets[target], reach)
        unsafe record.head.bytes.withUnsafeBufferPointer { head in
            unsafe row.append(UnsafeBufferPointer(rebasing: head[record.head.shared]))
            if version == .second { unsafe row.append(UnsafeBufferPointer(rebasing: head[record.head.drawing])) }
        }
        let start = row.count
        let hidden = version == .first ? RecordForm.cutTraits : 0
        for state in 0..<record.stateCount {
            try cutLayout(state, first + state, at: target, of: record, hidden, behind: start)
        }
        row.copy(to: &bytes)
    }

    /// Checks that a record is whole.
    package mutating func check(_ record: LayoutRecord) throws(ByteError) {
        if record.parts.previous != nil { return try previous.check(record) }
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(ByteError) in
            var bits = unsafe GolombReader(source, in: record.parts.layouts)
            if record.targets.isEmpty { return try bits.finish() }
            walk.readMaps(record, &bits)
            walk.readArrangements(record, &bits)
            for number in 0..<walk.arrangements.count where bits.isWhole {
                walk.readArrangement(number, upTo: record.variantCount * record.stateCount, &bits)
            }
            walk.endArrangements(&bits)
            contents.read(walk, at: 0, nil, record.head.screens, &bits)
            walk.readReaches(record.targets.count, record.head.screens, &bits)
            try bits.finish()
            for target in record.targets.indices { _ = try walk.reaches.reach(of: target, record.head.screens) }
        }
    }

    /// Cuts one state: contents, then places. A later one that is as the first is not told.
    private mutating func cutLayout(
        _ state: Int, _ column: Int, at target: Int, of record: LayoutRecord, _ hidden: Int32, behind first: Int
    ) throws(ByteError) {
        let (start, linesBefore, scale) = (row.count, lineCount, record.targets[target].scale)
        let lines = try cutContents(column, target, scale, hidden)
        let beside = walk.arrangements.layouts[Int(walk.arrangements[0, column])]
        beside.append(PlaceNumbers.ofLayout, to: &row)
        try cutPlaces(record.head.nodeCount, column, target)
        if state == 0 {
            let beside = beside.beside(at: scale)
            size = PixelSize(width: lines.width &+ beside.width, height: lines.height &+ beside.height)
        } else if unsafe row.elements[first..<start].elementsEqual(row.elements[start...]) {
            row.shrink(to: start)
            row.append(0)
            lineCount = linesBefore
        }
    }

    /// Each thing that is cut may be as long as its record, and be there many times.
    @inline(__always)
    private func checkLength() throws(ByteError) {
        guard row.count <= RecordLimits.row else { throw .tooLong(row.count, limit: RecordLimits.row, of: "row") }
    }

    /// Cuts contents, and returns the size that lines take.
    private mutating func cutContents(
        _ column: Int, _ target: Int, _ scale: Scale, _ hidden: Int32
    ) throws(ByteError) -> PixelSize {
        var (filled, size) = (0, PixelSize.zero)
        for slot in 0..<walk.slots.count where walk.block(slot, column, of: target) >= 0 { filled += 1 }
        row.number(filled + 1)
        for slot in 0..<walk.slots.count {
            let block = walk.block(slot, column, of: target)
            if block < 0 { continue }
            if walk.slots[slot].isBars {
                contents.appendBars(block, to: &row)
            } else {
                let own = contents.append(block, walk, scale, without: hidden, to: &row)
                size = PixelSize(width: max(size.width, own.width), height: size.height &+ own.height)
                lineCount += Int(walk.blocks[block].lineCount)
            }
            try checkLength()
        }
        return size
    }

    /// Cuts places. The place of a node must have the contents that are there.
    private mutating func cutPlaces(_ nodes: Int, _ column: Int, _ target: Int) throws(ByteError) {
        var slot = 0
        for node in 0..<nodes {
            let parts = walk.places.append(walk.arrangements[node &+ 1, column], to: &row)
            try checkLength()
            var there: UInt32 = 0
            while slot < walk.slots.count && walk.slots[slot].number &>> 1 == node {
                if walk.block(slot, column, of: target) >= 0 {
                    there |= (walk.slots[slot].isBars ? RecordForm.Place.bars : .lines).rawValue
                }
                slot &+= 1
            }
            guard parts & RecordForm.Place.contents == there else {
                throw .outOfRange(Int64(node), of: "contents")
            }
        }
    }
}
