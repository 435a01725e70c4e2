package import Bytes
package import MessageLayout
import Typography

/// Writes rows of a sheet, as they would be cut from its record: a sheet that is solved for one answer never becomes
/// one.
///
/// It keeps its memory from one sheet to the next.
///
///     var writer = RowWriter()
///     try writer.turn(to: sheet, variant: 1)
///     try writer.write(sheet, 0, into: &row)
package struct RowWriter: ~Copyable {
    private var row = Buffer<UInt8>(capacity: 1024)
    private var skeleton = SkeletonBytes()
    /// The group of targets at work, those of them whose rows are wanted, and the first layout of the variant.
    private var group = 0
    private var wanted: [Int] = []
    private var firstLayout = 0
    /// The places of nodes, by state and node.
    private var places = Buffer<PlaceLanes>()
    /// The width and height that each state has beyond its lines.
    private var besideLines = Buffer<LayoutSheet.Sizes>()
    /// The kinds of lines, by state, node and lane.
    private var kinds = Buffer<LineKind>()
    /// The size of the row that was written last, collapsed, and the number of its lines in all states.
    package private(set) var size = PixelSize.zero
    package private(set) var lineCount = 0

    package init() {}

    /// Turns to a variant of another sheet, for some targets of a group.
    package mutating func turn(
        to sheet: LayoutSheet, group: Int = 0, _ lanes: [Int] = [0], variant: Int
    ) throws(ByteError) {
        try RecordLimits.check(sheet)
        guard 0..<sheet.groupCount ~= group else { throw .outOfRange(Int64(group), of: "target") }
        guard 0..<Int(sheet.variantCount) ~= variant else { throw .outOfRange(Int64(variant), of: "variant") }
        skeleton.turn(to: sheet.skeleton)
        (self.group, wanted) = (group, lanes)
        firstLayout = sheet.place(group, variant * Int(sheet.stateCount))
        places.removeAll()
        besideLines.removeAll()
        kinds.removeAll()
        var mirrored = LaneMask(Lanes())
        for lane in lanes { mirrored[lane] = target(lane, of: sheet).isMirrored }
        for layout in firstLayout..<firstLayout + Int(sheet.stateCount) { find(layout, of: sheet, mirrored) }
    }

    private func target(_ lane: Int, of sheet: LayoutSheet) -> Target {
        sheet.targets[group * Lanes.scalarCount + lane]
    }

    private mutating func find(_ layout: Int, of sheet: LayoutSheet, _ mirrored: LaneMask) {
        var beside = sheet.sizes[layout]
        let outermost = PlaceLanes.Outer(width: beside.width, height: beside.height)
        var widest = Lanes()
        for node in 0..<skeleton.nodes.count {
            let place = layout &* skeleton.nodes.count &+ node
            let lines = findLines(at: place, node, of: sheet)
            if let lines {
                widest = larger(widest, lines.width)
                beside.height &-= lines.height
            }
            places.append(
                PlaceLanes(sheet, place, node, skeleton.nodes, in: outermost, lines, mirrored: mirrored))
        }
        beside.width &-= widest
        besideLines.append(beside)
    }

    /// Finds the sizes of a node's lines; nil if it has none.
    private mutating func findLines(at place: Int, _ node: Int, of sheet: LayoutSheet) -> LineSizes? {
        var sizes: LineSizes?
        let first = kinds.count
        kinds.append(repeating: .none, count: Lanes.scalarCount)
        for lane in wanted {
            let block = sheet.frames[place].block[lane]
            guard block >= 0 else { continue }
            let own = sheet.blocks[Int(block)]
            let kind = LineKind(
                own, skeleton.nodes[node].alignment, width: sheet.frames[place].width[lane], sheet.lines.span)
            kinds[first &+ lane] = kind
            sizes = sizes ?? LineSizes()
            sizes?.width[lane] = kind.widest
            sizes?.height[lane] = own.pitch &* Int32(truncatingIfNeeded: own.lines.count)
        }
        return sizes
    }

    /// Whether the layouts of a record have the same skeleton as those of the sheet.
    package func hasSkeleton(of record: LayoutRecord) -> Bool {
        let own = unsafe skeleton.shared.elements.span
        let bytes = record.head.bytes
        let other = bytes.span.extracting(record.head.shared)
        guard own.count == other.count else { return false }
        // Without a branch for each byte: they are mostly equal.
        var difference: UInt8 = 0
        for i in own.indices { difference |= unsafe own[unchecked: i] ^ other[unchecked: i] }
        return difference == 0
    }

    /// Replaces `bytes` with the row of a target, by its place in the group.
    ///
    /// - Parameters:
    /// - record: another record of the message, with the same skeleton, that has the data for drawing; nil if the
    /// sheet has it.
    ///   - newest: the newest version of rows that the receiver reads.
    package mutating func write(
        _ sheet: LayoutSheet, _ lane: Int, drawnAs record: LayoutRecord? = nil, upTo newest: RowVersion = .first,
        into bytes: inout [UInt8]
    ) throws(ByteError) {
        precondition(wanted.contains(lane))
        row.removeAll()
        lineCount = 0
        let known = record?.rowVersion ?? (sheet.skeleton.drawing == nil ? .first : .second)
        let version = newest == .first ? .first : known
        row.append(
            version, states: Int(sheet.stateCount), target(lane, of: sheet),
            sheet.reaches[group * Lanes.scalarCount + lane])
        unsafe row.append(skeleton.shared.elements)
        if version == .second {
            if let record { row.append(record.head.bytes[record.head.drawing]) } else { row.append(skeleton.drawing) }
        }
        let first = row.count
        let hidden = version == .first ? RecordForm.cutTraits : 0
        for state in 0..<Int(sheet.stateCount) { write(state, lane, behind: first, of: sheet, without: hidden) }
        guard row.count <= RecordLimits.row else {
            throw .tooLong(row.count, limit: RecordLimits.row, of: "row")
        }
        row.copy(to: &bytes)
        let sizes = sheet.sizes[firstLayout]
        size = PixelSize(width: sizes.width[lane], height: sizes.height[lane])
    }

    /// - Parameter first: the place where the first state begins, which another is mostly like.
    private mutating func write(
        _ state: Int, _ lane: Int, behind first: Int, of sheet: LayoutSheet, without hidden: Int32
    ) {
        let start = row.count
        let lines = writeContents(state, lane, of: sheet, without: hidden)
        writeShape(state, lane, target(lane, of: sheet).scale)
        if state > 0, unsafe row.elements[first..<start].elementsEqual(row.elements[start...]) {
            row.shrink(to: start)
            row.number(0 as UInt32)
        } else {
            lineCount += lines
        }
    }

    /// Writes contents, and returns the number of their lines.
    private mutating func writeContents(
        _ state: Int, _ lane: Int, of sheet: LayoutSheet, without hidden: Int32
    ) -> Int {
        let nodes = skeleton.nodes.count
        let frames = (firstLayout &+ state) &* nodes
        var (count, lines) = (0, 0)
        for node in 0..<nodes {
            let parts = places[state &* nodes &+ node].parts(of: lane)
            count += (parts.has(.lines) ? 1 : 0) + (parts.has(.bars) ? 1 : 0)
        }
        row.number(count + 1)
        for node in 0..<nodes {
            let parts = places[state &* nodes &+ node].parts(of: lane)
            let place = frames &+ node
            if parts.has(.lines) {
                let block = sheet.blocks[Int(sheet.frames[place].block[lane])]
                var kind = kinds[(state &* nodes &+ node) &* Lanes.scalarCount &+ lane]
                if hidden != 0 { kind.hide(hidden, block, sheet.lines) }
                let count = block.lines.upperBound &- block.lines.lowerBound
                row.number(ContentHead.lines(count, kind.unusual, isRightToLeft: kind.isRightToLeft).rawValue)
                row.number(block.fontSize)
                row.number(block.pitch)
                row.number(block.ascent)
                row.append(
                    block, kind, skeleton.nodes[node].alignment, width: sheet.frames[place].width[lane], of: sheet,
                    without: hidden)
                lines += Int(count)
            }
            if parts.has(.bars) {
                let extras = sheet.extras[Int(sheet.frames[place].extras)]
                row.append(bars: sheet.bars[Int(extras.firstBar[lane])..<Int(extras.endBar[lane])])
            }
        }
        return lines
    }

    private mutating func writeShape(_ state: Int, _ lane: Int, _ scale: Scale) {
        let beside = besideLines[state]
        let shape = PlaceNumbers(
            stamp: beside.stamp[lane], width: beside.width[lane], height: beside.height[lane], at: scale)
        shape.append(PlaceNumbers.ofLayout, to: &row)
        let nodes = skeleton.nodes.count
        for node in 0..<nodes {
            places[state &* nodes &+ node].numbers(lane, at: scale, skeleton.nodes[node].sides).appendPlace(to: &row)
        }
    }
}

extension Buffer<UInt8> {
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    fileprivate mutating func append(_ other: borrowing Buffer<UInt8>) { unsafe append(other.elements) }

    /// Appends the beginning of a row.
    mutating func append(_ version: RowVersion, states: Int, _ target: Target, _ reach: LayoutSheet.Reach) {
        append(version.whole)
        number(states << 1 | (target.isMirrored ? 1 : 0))
        number(target.scale.thousandths)
        number(reach.narrowest)
        number(reach.widest)
        number(reach.naturalWidth)
    }
}
