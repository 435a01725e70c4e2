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
    /// The shared part, and what it says; empty before the first message.
    private var shared = Buffer<UInt8>(capacity: 512)
    private var skeleton = Skeleton()
    private var columns = Buffer<UInt8>()
    private var shapes = ChunkTable()
    private var contents = ContentTable()
    private var places = PlaceFinder()
    /// What layouts ask of each node; known as long as the skeleton stays.
    private var nodes = Buffer<NodeForm>()
    /// Nodes that have lines or bars in any layout.
    private var filling = Buffer<Int>()
    /// As the frames of a sheet are ordered, whether the lines are those of the first variant and state.
    private var isAsFirst = Buffer<Bool>()
    /// Whether each node has lines in any layout, and whether it has bars.
    private var filled = Buffer<Bool>()
    /// For each variant and state the shapes of all targets; then for each node its lines, and its bars.
    private var numbers = Buffer<Int32>()
    /// Of the lines in each node, as the frames of a sheet are ordered.
    private var lineSizes = Buffer<LineSizes>()
    /// How much wider and higher layouts are than their lines.
    private var besideLines = Buffer<LayoutSheet.Sizes>()
    /// Where that, or a place, is another than on the target before.
    private var isOther = Buffer<LaneMask>()
    /// For each variant and state how its layout on the target before was written.
    private var lastLayouts = Buffer<Layout>()
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
        places.find(sheet, nodes, filled, lineSizes)
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
        // Messages of a kind mostly share their skeleton, down to its memory.
        if shared.count == 0 || skeleton != sheet.skeleton {
            skeleton = sheet.skeleton
            shared.removeAll()
            shared.append(skeleton)
            nodes.removeAll()
            for node in skeleton.nodes { nodes.append(NodeForm(node, in: skeleton)) }
        }
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
        contents.begin(sheet, nodes: nodes.count)
        places.begin()
        filled.refill(false, count: 2 * nodes.count)
        numbers.refill(0, count: sheet.columnCount * (1 + 2 * nodes.count) * targets.count)
        lineSizes.refill(LineSizes(), count: sheet.frames.count)
        lastLayouts.refill(Layout(), count: sheet.columnCount)
    }

    /// In `numbers`: of the shape, or of what fills something.
    @inline(__always)
    private func place(_ column: Int, fill: Int) -> Int {
        (column &* (1 &+ filled.count) &+ fill &+ 1) &* targets.count
    }

    // MARK: Contents

    private mutating func encodeContents(of sheet: LayoutSheet) {
        let frames = sheet.frames.span
        let columnCount = sheet.columnCount
        findFilling(sheet)
        findThoseAsFirst(sheet)
        for target in 0..<targets.count {
            contents.turn(to: targets[target].scale)
            let lane = target % Lanes.scalarCount
            let first = target / Lanes.scalarCount &* columnCount
            for column in 0..<columnCount {
                for i in 0..<filling.count {
                    let node = filling[i]
                    let place = (first &+ column) &* nodes.count &+ node
                    if isAsFirst[place] { continue }
                    let block = frames[place].block[lane]
                    if block >= 0 { encodeBlock(block, at: place, target, lane, column, node, sheet) }
                    let extras = frames[place].extras
                    if extras >= 0 { encodeBars(sheet.extras[Int(extras)], target, lane, column, node, sheet) }
                }
            }
        }
        copyFirst(sheet)
    }

    /// Finds the nodes of later variants and states whose lines are those of the first one on all targets.
    private mutating func findThoseAsFirst(_ sheet: LayoutSheet) {
        let frames = sheet.frames.span
        var isAnyRightToLeft: Int32 = 0
        for line in sheet.lines { isAnyRightToLeft |= line.traits.rawValue & RecordForm.rightToLeftTrait }
        isAsFirst.refill(false, count: frames.count)
        for layout in 0..<sheet.sizes.count where layout % sheet.columnCount > 0 {
            let first = layout - layout % sheet.columnCount
            for i in 0..<filling.count {
                let node = filling[i]
                let (own, other) = (layout &* nodes.count &+ node, first &* nodes.count &+ node)
                guard frames[own].extras < 0, frames[other].extras < 0, frames[own].block == frames[other].block else {
                    continue
                }
                isAsFirst[own] =
                    nodes[node].alignment == .start && isAnyRightToLeft == 0 || frames[own].width == frames[other].width
            }
        }
    }

    private mutating func copyFirst(_ sheet: LayoutSheet) {
        for layout in 0..<sheet.sizes.count where layout % sheet.columnCount > 0 {
            let (group, column) = layout.quotientAndRemainder(dividingBy: sheet.columnCount)
            let targets = group * Lanes.scalarCount..<min((group + 1) * Lanes.scalarCount, targets.count)
            for i in 0..<filling.count {
                let node = filling[i]
                let place = layout &* nodes.count &+ node
                guard isAsFirst[place] else { continue }
                lineSizes[place] = lineSizes[place &- column &* nodes.count]
                let (own, first) = (self.place(column, fill: 2 &* node), self.place(0, fill: 2 &* node))
                for target in targets { numbers[own &+ target] = numbers[first &+ target] }
            }
        }
    }

    /// Finds the nodes in which something is in any layout.
    private mutating func findFilling(_ sheet: LayoutSheet) {
        let frames = sheet.frames.span
        filling.removeAll()
        for node in 0..<nodes.count {
            var blocks = Lanes(repeating: -1)
            var hasExtras = false
            var place = node
            while place < frames.count {
                blocks &= frames[place].block
                hasExtras = hasExtras || frames[place].extras >= 0
                place &+= nodes.count
            }
            // Of what is none, all bits are set.
            if hasExtras || (blocks .>= 0).isAny { filling.append(node) }
        }
    }

    @inline(__always)
    private mutating func encodeBlock(
        _ block: Int32, at place: Int, _ target: Int, _ lane: Int, _ column: Int, _ node: Int, _ sheet: LayoutSheet
    ) {
        let width = sheet.frames.span[place].width[lane]
        let known = contents.encode(Int(block), node: node, width: width, nodes[node].alignment, sheet)
        lineSizes[place].width[lane] = known.widest
        lineSizes[place].height[lane] = known.height
        numbers[self.place(column, fill: 2 &* node) &+ target] = known.content
        filled[2 &* node] = true
    }

    private mutating func encodeBars(
        _ extras: LayoutSheet.Extras, _ target: Int, _ lane: Int, _ column: Int, _ node: Int, _ sheet: LayoutSheet
    ) {
        let bars = extras.firstBar[lane]..<extras.endBar[lane]
        guard !bars.isEmpty else { return }
        numbers[place(column, fill: 2 * node + 1) + target] = contents.encode(bars, of: sheet)
        filled[2 * node + 1] = true
    }

    // MARK: Shapes

    private mutating func encodeShapes(of sheet: LayoutSheet) {
        besideLines.removeAll()
        isOther.removeAll()
        for place in 0..<sheet.sizes.count {
            let own = sizeBesideLines(place, sheet)
            besideLines.append(own)
            isOther.append(places.changes[place] .| own.stamp.isOther .| own.width.isOther .| own.height.isOther)
        }
        let columnCount = sheet.columnCount
        for target in 0..<targets.count {
            let scale = targets[target].scale
            let (group, lane) = target.quotientAndRemainder(dividingBy: Lanes.scalarCount)
            let isAlike = lane > 0 && targets[target - 1].scale.thousandths == scale.thousandths
            for column in 0..<columnCount {
                let place = group &* columnCount &+ column
                if !isAlike || isOther[place][lane] { encodeShape(place, lane, column, scale) }
                numbers[self.place(column, fill: -1) &+ target] = lastLayouts[column].shape
            }
        }
    }

    /// The shape of a layout that is not like the one on the target before.
    @inline(never)
    private mutating func encodeShape(_ place: Int, _ lane: Int, _ column: Int, _ scale: Scale) {
        let own = besideLines[place]
        let isAsBefore = lane > 0 && !places.changes[place][lane]
        var layout = Layout(
            stamp: own.stamp[lane], width: own.width[lane], height: own.height[lane],
            places: isAsBefore ? lastLayouts[column].places : places.number(place, lane, nodes: nodes.count))
        layout.shape = encodeShape(layout, scale)
        lastLayouts[column] = layout
    }

    /// How much wider and higher layouts are than their lines.
    private func sizeBesideLines(_ place: Int, _ sheet: LayoutSheet) -> LayoutSheet.Sizes {
        var own = sheet.sizes[place]
        var (widest, height) = (Lanes(), Lanes())
        for node in place * nodes.count..<(place + 1) * nodes.count {
            widest = larger(widest, lineSizes[node].width)
            height &+= lineSizes[node].height
        }
        own.width &-= widest
        own.height &-= height
        return own
    }

    /// From 1.
    private mutating func encodeShape(_ layout: Layout, _ scale: Scale) -> Int32 {
        var own = KnownShape(
            message: message, head: UInt32(bitPattern: layout.stamp), width: UInt32(bitPattern: layout.width),
            height: UInt32(bitPattern: layout.height), places: layout.places, number: 0)
        let isPoints: Bool
        if let wide = RecordForm.points(layout.width, scale), let high = RecordForm.points(layout.height, scale) {
            (own.head, own.width, own.height, isPoints) = (own.head | RecordForm.pointsShape, wide, high, true)
        } else {
            isPoints = false
        }
        let place = own.place
        if knownShapes[place].isLike(own) { return knownShapes[place].number }
        shapes.number(own.head)
        if isPoints {
            shapes.number(own.width)
            shapes.number(own.height)
        } else {
            shapes.signed(layout.width)
            shapes.signed(layout.height)
        }
        for i in Int(layout.places)..<Int(layout.places) + nodes.count { shapes.number(places.numbers[i]) }
        own.number = shapes.close() + 1
        knownShapes[place] = own
        return own.number
    }

    // MARK: Columns

    /// Which layout is whose: for each variant and state a column of shapes, and one for each node that is ever filled.
    private mutating func encodeColumns(of sheet: LayoutSheet) {
        var filledCount = 0
        for i in 0..<filled.count where filled[i] { filledCount += 1 }
        columns.number(filledCount)
        for i in 0..<filled.count where filled[i] { columns.number(i) }
        guard targets.count > 0 else { return }
        let states = Int(sheet.stateCount)
        for column in 0..<sheet.columnCount {
            // A later state is probably as the first, and another variant as the first one.
            let like = column % states > 0 ? column - column % states : 0
            for i in -1..<filled.count where i < 0 || filled[i] {
                encodeColumn(place(column, fill: i), like: like < column ? place(like, fill: i) : -1)
            }
        }
    }

    /// The numbers of all targets from `first` on, if they are not as those from `base` on.
    private mutating func encodeColumn(_ first: Int, like base: Int) {
        let end = first + targets.count
        if base >= 0 && numbers.areEqual(first, base, targets.count) { return columns.number(0 as UInt32) }
        var stretches = 1
        for i in first + 1..<end where numbers[i] != numbers[i - 1] { stretches += 1 }
        guard 2 * stretches < targets.count else {
            columns.number(1 as UInt32)
            for i in first..<end { columns.number(numbers[i]) }
            return
        }
        columns.number(stretches + 1)
        var start = first
        for i in first + 1...end {
            if i < end && numbers[i] == numbers[start] { continue }
            columns.number(i - start)
            columns.number(numbers[start])
            start = i
        }
    }

    /// Sizes stand before tables, so that a cutter knows where each begins.
    private mutating func assemble(_ sheet: LayoutSheet) {
        record.append(RecordForm.version)
        record.number(shared.count)
        unsafe record.append(shared.elements)
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

extension Buffer<Int32> {
    fileprivate func areEqual(_ one: Int, _ other: Int, _ count: Int) -> Bool {
        for i in 0..<count where self[one + i] != self[other + i] { return false }
        return true
    }
}
