package import Bytes
package import MessageLayout
import Typography

/// Writes layout sheets as layout records. It keeps its memory from one message to the next, so a warm one allocates
/// nothing: give each lane its own.
///
///     var encoder = RecordEncoder()
///     try encoder.encode(sheet, into: &bytes)
///
/// A layout is a shape and what fills it. Shapes say where nodes are, in points wherever that is exact and without the
/// sizes of texts, so that all widths and scales share them; contents are the lines. Tables hold each once.
package struct RecordEncoder: ~Copyable {
    private var record = Buffer<UInt8>(capacity: 1024)
    private var skeleton = SkeletonBytes()
    private var columns = Buffer<UInt8>()
    private var shapes = ChunkTable()
    private var contents = ContentTable()
    private var places = PlaceFinder()
    /// Nodes that have lines or bars in any layout.
    private var filling = Buffer<Int>()
    /// Whether each node has lines in any layout, and whether it has bars.
    private var filled = Buffer<Bool>()
    /// For each group of targets, variant and state the shapes of layouts; then for each node its lines, and its bars.
    private var numbers = Buffer<Lanes>()
    /// Of the lines in each node, as the frames of a sheet are ordered.
    private var lineSizes = Buffer<LineSizes>()
    /// What fills the nodes of a group, in the order in which layouts ask for it.
    private var fills = Buffer<Fill>()
    /// For each variant and state of a group, how much wider and higher layouts are than their lines.
    private var besideLines = Buffer<LayoutSheet.Sizes>()
    /// For each of these a bit a lane: whether its shape is another than on the target before.
    private var shapeTurns = Buffer<UInt32>()
    /// Shapes of this message, by what they say: most are asked for at every scale. One that is forgotten is written again,
    /// and found by its bytes.
    private var knownShapes = Buffer<KnownShape>(capacity: KnownShape.places)
    private var message: UInt64 = 0
    /// The targets of the last sheet, and what a record says of them: mostly they are the same.
    private var targets: [Target] = []
    private var targetBytes = Buffer<UInt8>()

    package init() { knownShapes.append(repeating: KnownShape(), count: KnownShape.places) }

    /// Replaces `bytes` with the record of a sheet. Throws where the sheet is larger than a record may be.
    package mutating func encode(_ sheet: LayoutSheet, into bytes: inout [UInt8]) throws(ByteError) {
        try RecordLimits.check(sheet)
        begin(sheet)
        encodeContents(of: sheet)
        places.find(sheet, skeleton.nodes, filled, lineSizes)
        encodeShapes(of: sheet)
        encodeColumns(of: sheet)
        assemble(sheet)
        guard places.table.count < RecordLimits.places else {
            throw .tooLong(places.table.count, limit: RecordLimits.places, of: "places")
        }
        guard record.count <= RecordLimits.record else {
            throw .tooLong(record.count, limit: RecordLimits.record, of: "record")
        }
        bytes.removeAll(keepingCapacity: true)
        unsafe bytes.append(contentsOf: record.elements)
    }

    private mutating func begin(_ sheet: LayoutSheet) {
        skeleton.turn(to: sheet.skeleton)
        if targetBytes.count == 0 || targets != sheet.targets {
            targets = sheet.targets
            targetBytes.removeAll()
            targetBytes.append(targets)
            places.forget(targets)
        }
        message += 1
        record.removeAll()
        columns.removeAll()
        shapes.removeAll()
        contents.begin(sheet, nodes: skeleton.nodes.count)
        places.begin()
        filled.refill(false, count: 2 * skeleton.nodes.count)
        numbers.refill(Lanes(), count: sheet.sizes.count * (1 + filled.count))
        lineSizes.refill(LineSizes(), count: sheet.frames.count)
    }

    /// In `numbers`, for a place in the sizes of a sheet: of the shape, or of what fills something.
    @inline(__always)
    private func number(_ layout: Int, fill: Int = -1) -> Int { layout &* (1 &+ filled.count) &+ fill &+ 1 }

    private func targets(_ group: Int) -> Range<Int> {
        group * Lanes.scalarCount..<min((group + 1) * Lanes.scalarCount, targets.count)
    }

    // MARK: Contents

    /// Lines and bars of a node in the layouts of a group.
    struct Fill {
        var node: Int
        /// In the frames of a sheet.
        var place: Int
        /// In `numbers`; the bars are behind the lines.
        var number: Int
        /// The same of the first variant and state, whose lines these are on all targets; nil otherwise.
        var first: (place: Int, number: Int)?
        /// A bit a lane: whether they are others than on the target before.
        var turns: UInt32
    }

    private mutating func encodeContents(of sheet: LayoutSheet) {
        findFilling(sheet)
        for group in 0..<sheet.groupCount {
            findFills(sheet, group)
            for target in targets(group) {
                contents.turn(to: targets[target].scale)
                let lane = target % Lanes.scalarCount
                for i in 0..<fills.count where fills[i].turns >> UInt32(lane) & 1 != 0 { encode(fills[i], lane, sheet) }
            }
            for i in 0..<fills.count {
                guard let first = fills[i].first else { continue }
                lineSizes[fills[i].place] = lineSizes[first.place]
                numbers[fills[i].number] = numbers[first.number]
            }
        }
    }

    private mutating func findFills(_ sheet: LayoutSheet, _ group: Int) {
        let frames = sheet.frames.span
        var isAnyRightToLeft: Int32 = 0
        for line in sheet.lines { isAnyRightToLeft |= line.traits.rawValue & RecordForm.rightToLeftTrait }
        fills.removeAll()
        let firstLayout = sheet.place(group, 0)
        for layout in firstLayout..<firstLayout + sheet.columnCount {
            for i in 0..<filling.count {
                let node = filling[i]
                let dependsOnWidth = isAnyRightToLeft != 0 || skeleton.nodes[node].alignment != .start
                let place = layout &* skeleton.nodes.count &+ node
                let first = firstLayout &* skeleton.nodes.count &+ node
                var own = Fill(node: node, place: place, number: number(layout, fill: 2 &* node), turns: 0)
                if place > first, frames[place].extras < 0, frames[first].extras < 0,
                    frames[place].block == frames[first].block,
                    !dependsOnWidth || frames[place].width == frames[first].width
                {
                    own.first = (first, number(firstLayout, fill: 2 &* node))
                } else {
                    var turns = places.scales[group].isOther .| frames[place].block.isOther
                    if dependsOnWidth { turns = turns .| frames[place].width.isOther }
                    if frames[place].extras >= 0 {
                        let extras = sheet.extras[Int(frames[place].extras)]
                        turns = turns .| extras.firstBar.isOther .| extras.endBar.isOther
                    }
                    own.turns = turns.bits | 1
                }
                fills.append(own)
            }
        }
    }

    /// Finds the nodes in which something is in any layout.
    private mutating func findFilling(_ sheet: LayoutSheet) {
        let frames = sheet.frames.span
        filling.removeAll()
        for node in 0..<skeleton.nodes.count {
            var blocks = Lanes(repeating: -1)
            var hasExtras = false
            var place = node
            while place < frames.count {
                blocks &= frames[place].block
                hasExtras = hasExtras || frames[place].extras >= 0
                place &+= skeleton.nodes.count
            }
            // Of what is none, all bits are set.
            if hasExtras || (blocks .>= 0).isAny { filling.append(node) }
        }
    }

    /// What is in a node from this target on.
    private mutating func encode(_ fill: Fill, _ lane: Int, _ sheet: LayoutSheet) {
        let frames = sheet.frames.span
        let rest = LaneMask(from: lane)
        var lines = ContentTable.KnownBlock()
        let block = frames[fill.place].block[lane]
        if block >= 0 {
            let width = frames[fill.place].width[lane]
            let alignment = skeleton.nodes[fill.node].alignment
            lines = contents.encode(Int(block), node: fill.node, width: width, alignment, sheet)
            filled[2 &* fill.node] = true
        }
        lineSizes[fill.place].width.set(lines.widest, where: rest)
        lineSizes[fill.place].height.set(lines.height, where: rest)
        numbers[fill.number].set(lines.content, where: rest)
        guard frames[fill.place].extras >= 0 else { return }
        let extras = sheet.extras[Int(frames[fill.place].extras)]
        let bars = extras.firstBar[lane]..<extras.endBar[lane]
        if !bars.isEmpty { filled[2 &* fill.node &+ 1] = true }
        numbers[fill.number &+ 1].set(bars.isEmpty ? 0 : contents.encode(bars, of: sheet), where: rest)
    }

    // MARK: Shapes

    private mutating func encodeShapes(of sheet: LayoutSheet) {
        for group in 0..<sheet.groupCount {
            besideLines.removeAll()
            shapeTurns.removeAll()
            let first = sheet.place(group, 0)
            for layout in first..<first + sheet.columnCount {
                let own = sizeBesideLines(layout, sheet)
                besideLines.append(own)
                let turns = places.changes[layout] .| own.stamp.isOther .| own.width.isOther .| own.height.isOther
                shapeTurns.append((turns .| places.scales[group].isOther).bits | 1)
            }
            for target in targets(group) {
                let lane = target % Lanes.scalarCount
                for column in 0..<sheet.columnCount where shapeTurns[column] >> UInt32(lane) & 1 != 0 {
                    encodeShape(first + column, lane, column, targets[target].scale)
                }
            }
        }
    }

    /// The shape of layouts from this target on.
    @inline(never)
    private mutating func encodeShape(_ layout: Int, _ lane: Int, _ column: Int, _ scale: Scale) {
        let stamp = UInt32(bitPattern: besideLines[column].stamp[lane])
        var own = KnownShape(message: message, layout: layout, lane: lane, head: stamp)
        own.setSize(besideLines[column].width[lane], besideLines[column].height[lane], scale)
        let place = own.place(places.hashes[layout][lane])
        let known = knownShapes[place]
        if known.isLike(own), places.areEqual(layout, lane, known.layout, known.lane) {
            own.number = known.number
        } else {
            shapes.number(own.head)
            shapes.number(own.width)
            shapes.number(own.height)
            for node in 0..<skeleton.nodes.count { shapes.number(places.number(layout, lane, node: node)) }
            own.number = shapes.close() + 1
            knownShapes[place] = own
        }
        numbers[number(layout)].set(own.number, where: LaneMask(from: lane))
    }

    /// How much wider and higher layouts are than their lines.
    private func sizeBesideLines(_ place: Int, _ sheet: LayoutSheet) -> LayoutSheet.Sizes {
        var own = sheet.sizes[place]
        var (widest, height) = (Lanes(), Lanes())
        for node in place * skeleton.nodes.count..<(place + 1) * skeleton.nodes.count {
            widest = larger(widest, lineSizes[node].width)
            height &+= lineSizes[node].height
        }
        own.width &-= widest
        own.height &-= height
        return own
    }

    // MARK: Columns

    /// Which layout is whose: for each variant and state a column of shapes, and one for each node that is ever filled.
    private mutating func encodeColumns(of sheet: LayoutSheet) {
        var filledCount = 0
        for i in 0..<filled.count where filled[i] { filledCount += 1 }
        columns.number(filledCount)
        for i in 0..<filled.count where filled[i] { columns.number(i) }
        guard targets.count > 0 else { return }
        let (states, step) = (Int(sheet.stateCount), number(sheet.columnCount) - number(0))
        for column in 0..<sheet.columnCount {
            // A later state is probably as the first, and another variant as the first one.
            let like = column % states > 0 ? column - column % states : 0
            for i in -1..<filled.count where i < 0 || filled[i] {
                encodeColumn(number(column, fill: i), like: number(like, fill: i), step: step)
            }
        }
    }

    /// The numbers of all targets, if they are not as those of a column before. Of both is told where they begin.
    private mutating func encodeColumn(_ first: Int, like base: Int, step: Int) {
        let groups = 0..<(targets.count + Lanes.scalarCount - 1) / Lanes.scalarCount
        var (isAsBase, stretches) = (base < first, 0)
        for group in groups {
            let place = first &+ group &* step
            isAsBase = isAsBase && numbers[place] == numbers[base &+ group &* step]
            stretches &+= turns(place, behind: group > 0 ? place &- step : nil).nonzeroBitCount
        }
        if isAsBase { return columns.number(0 as UInt32) }
        guard 2 * stretches < targets.count else {
            columns.number(1 as UInt32)
            for group in groups {
                for lane in 0..<targets(group).count { columns.number(numbers[first &+ group &* step][lane]) }
            }
            return
        }
        columns.number(stretches + 1)
        var (start, number) = (0, numbers[first][0])
        for group in groups {
            let place = first &+ group &* step
            for lane in LaneWalk(rest: turns(place, behind: group > 0 ? place &- step : nil)) where group + lane > 0 {
                let target = group * Lanes.scalarCount + lane
                columns.number(target - start)
                columns.number(number)
                (start, number) = (target, numbers[place][lane])
            }
        }
        columns.number(targets.count - start)
        columns.number(number)
    }

    /// A bit for each lane in which another number begins.
    @inline(__always)
    private func turns(_ place: Int, behind before: Int?) -> UInt32 {
        let turns = numbers[place].isOther.bits
        guard let before, numbers[before][Lanes.scalarCount - 1] == numbers[place][0] else { return turns | 1 }
        return turns
    }

    /// Sizes stand before tables, so that a cutter knows where each begins.
    private mutating func assemble(_ sheet: LayoutSheet) {
        record.append(sheet.skeleton.drawing == nil ? RecordForm.firstVersion : RecordForm.version)
        record.number(skeleton.shared.count)
        unsafe record.append(skeleton.shared.elements)
        if sheet.skeleton.drawing != nil {
            record.number(skeleton.drawing.count)
            unsafe record.append(skeleton.drawing.elements)
        }
        unsafe record.append(targetBytes.elements)
        record.append(sheet.reaches, of: targets)
        record.number(sheet.variantCount)
        record.number(sheet.stateCount)
        record.number(columns.count)
        record.number(shapes.count)
        record.number(shapes.bytes.count)
        record.number(places.table.count)
        record.number(places.table.bytes.count)
        record.number(contents.faces.chunks.count)
        record.number(contents.faces.chunks.bytes.count)
        record.number(contents.chunks.count)
        record.number(contents.chunks.bytes.count)
        unsafe record.append(columns.elements)
        unsafe record.append(shapes.bytes.elements)
        unsafe record.append(places.table.bytes.elements)
        unsafe record.append(contents.faces.chunks.bytes.elements)
        unsafe record.append(contents.chunks.bytes.elements)
    }
}
