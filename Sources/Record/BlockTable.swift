import Bytes
import MessageLayout
import Typography

/// The contents of the nodes in all layouts of a sheet: lines of texts, and bars. Lines that differ in nothing but
/// the scale are one *block*, told once; targets on which the same blocks stand everywhere are a class.
struct BlockTable: ~Copyable {
    private(set) var breaks = ClassMap()
    var slots = Buffer<Slot>()
    var blocks = Buffer<Block>()
    /// Forms by block and scale.
    var forms = Buffer<Form>()
    /// The lines of all blocks.
    var lines = Buffer<LineNumbers>()
    /// Blocks by class, slot, variant and state: one more than the place in the slot, or 0 for none.
    var values = Buffer<Int32>()
    /// The same for the target at work.
    private var own = Buffer<Int32>()
    /// The last place at which it differs from the target before.
    private var changed = 0
    /// Flags by slot, variant and state, set where all is as in the variant or state before; and the ones where it is
    /// not.
    private var repeats = Buffer<Bool>()
    private var others = Buffer<Other>()
    /// The size that lines take in each node, in the order of the frames of the sheet.
    private(set) var lineSizes = Buffer<LineSizes>()
    /// For each block of the sheet, the block that was last found for it: layouts share them.
    private var known = Buffer<Known>()
    var faces = FaceTable()
    /// Blocks in the order in which they are told, and the end of those of each slot.
    var told = Buffer<Int32>()
    var toldEnds = Buffer<Int>()
    /// The end of each of them, in bits.
    var ends = Buffer<Int>()
    var columns = 0
    var scales: [Scale] = []
    var scaleCount: Int { scales.count }

    /// The lines of a node, or its bars.
    struct Slot {
        var node: Int
        var isBars: Bool
        var dependsOnWidth: Bool
        var alignment: Alignment
        /// The last of its blocks, in `blocks`; those of a slot do not stand together.
        var last: Int32 = -1
        var count: Int32 = 0

        var number: Int { 2 &* node &+ (isBars ? 1 : 0) }
    }

    struct Block {
        /// The one before it of the same slot.
        var before: Int32
        /// The place in its slot, from 0.
        var place: Int32
        /// The scale of the target that it came with, at which its lines are told.
        var scale: Scale
        var scaleNumber: Int32
        /// The place in the sheet; and its lines.
        var source: Int32 = -1
        var lines = 0..<0
        var kind = LineKind.none
        var face: Int32 = -1
        var bars: Range<Int32> = 0..<0
        /// Its number among those that are told so far, from 1.
        var number: Int32 = 0
    }

    /// A block at one scale.
    struct Form {
        /// The place in the sheet; -1 for none.
        var source: Int32 = -1
        /// The width of the node.
        var width: Int32 = 0
        var widest: Int32 = 0
    }

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    /// A slot in a variant and state that is not as in the one before.
    struct Other {
        var slot: Int
        var place: Int
        var frame: Int
        /// A bit for each target of the group at work that may have another block than the one before it.
        var turns: UInt32
        /// Numbers of the node: blocks of the sheet and widths, or starts and ends of bars.
        var lanes: (Lanes, Lanes)
    }

    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    struct Known {
        var slot: Int32 = -1
        var scale: Int32 = -1
        /// The width of the node; any is as good if lines begin at its left edge.
        var width: Int32 = 0
        var block: Int32 = 0
        var widest: Int32 = 0
    }

    var valueCount: Int { values.count }

    /// Turns to another message.
    mutating func find(
        _ sheet: LayoutSheet, _ nodes: borrowing Buffer<NodeForm>, _ screens: borrowing SheetScreens, stem: Int
    ) {
        columns = sheet.columnCount
        scales = screens.all.scales
        breaks.removeAll()
        blocks.removeAll()
        forms.removeAll()
        lines.removeAll()
        values.removeAll()
        faces.begin(stem: stem)
        known.refill(Known(), count: sheet.blocks.count)
        lineSizes.refill(LineSizes(), count: sheet.frames.count)
        findSlots(sheet, nodes)
        own.refill(0, count: slots.count * columns)
        changed = 0
        for group in 0..<sheet.groupCount {
            let turns = findTurns(group, sheet, nodes.count, screens.scales[group])
            for lane in 0..<screens.lanes(of: group) {
                let mayTurn = turns &>> UInt32(truncatingIfNeeded: lane) & 1 != 0
                if mayTurn && find(lane, of: group, sheet, screens) || lane == 0 {
                    for place in 0..<own.count where repeats[place] { own[place] = own[place &- 1] }
                    breaks.append(classOfOwn(screens.all))
                } else {
                    breaks.append(breaks.classes[breaks.classes.count &- 1])
                }
            }
            repeatSizes(group, sheet, nodes.count)
        }
    }

    private mutating func findSlots(_ sheet: LayoutSheet, _ nodes: borrowing Buffer<NodeForm>) {
        slots.removeAll()
        var traits: Int32 = 0
        for line in sheet.lines { traits |= line.traits.rawValue }
        let isAnyRightToLeft = traits & RecordForm.rightToLeftTrait != 0
        for node in 0..<nodes.count {
            let (alignment, has) = (nodes[node].alignment, sheet.fills(of: node, nodes.count))
            let dependsOnWidth = isAnyRightToLeft || alignment != .start
            for isBars in [false, true] where isBars ? has.bars : has.lines {
                slots.append(
                    Slot(node: node, isBars: isBars, dependsOnWidth: dependsOnWidth && !isBars, alignment: alignment))
            }
        }
    }

    /// Returns a bit for each target of a group on which anything may differ from the one before it.
    private mutating func findTurns(_ group: Int, _ sheet: LayoutSheet, _ nodes: Int, _ scales: Lanes) -> UInt32 {
        let frames = sheet.frames.span
        let scales = scales.isOther.bits | 1
        var all = scales
        repeats.removeAll()
        others.removeAll()
        for slot in 0..<slots.count {
            let own = slots[slot]
            for column in 0..<columns {
                let place = sheet.place(group, column) &* nodes &+ own.node
                var isRepeat = column > 0
                var turns = scales
                var lanes: (Lanes, Lanes)
                if own.isBars {
                    lanes = sheet.bars(at: place)
                    if isRepeat {
                        let before = sheet.bars(at: place &- nodes)
                        isRepeat = lanes.0 == before.0 && lanes.1 == before.1
                    }
                    turns |= (lanes.0.isOther .| lanes.1.isOther).bits
                } else {
                    lanes = (frames[place].block, frames[place].width)
                    isRepeat =
                        isRepeat && lanes.0 == frames[place &- nodes].block
                        && (!own.dependsOnWidth || lanes.1 == frames[place &- nodes].width)
                    if !isRepeat {
                        turns |= lanes.0.isOther.bits
                        if own.dependsOnWidth { turns |= lanes.1.isOther.bits }
                    }
                }
                if !isRepeat {
                    others.append(Other(slot: slot, place: repeats.count, frame: place, turns: turns, lanes: lanes))
                    all |= turns
                }
                repeats.append(isRepeat)
            }
        }
        return all
    }

    /// Puts the blocks of one target into `own`, which still has those of the target before. False if they are the
    /// same.
    private mutating func find(
        _ lane: Int, of group: Int, _ sheet: LayoutSheet, _ screens: borrowing SheetScreens
    ) -> Bool {
        let scale = screens.scale(group, lane)
        let scaleNumber = screens.all.scaleNumbers[group &* Lanes.scalarCount &+ lane]
        let likely = breaks.count == 0 ? -1 : Int(breaks.expected(screens.all)) &* own.count
        var isOther = false
        for i in 0..<others.count where others[i].turns &>> UInt32(truncatingIfNeeded: lane) & 1 != 0 {
            let (slot, place, frame) = (others[i].slot, others[i].place, others[i].frame)
            let (first, second) = (others[i].lanes.0.number(in: lane), others[i].lanes.1.number(in: lane))
            var value: Int32 = 0
            if slots[slot].isBars {
                value = self.bars(first..<second, slot, scale, sheet)
            } else {
                var size = (width: 0 as Int32, height: 0 as Int32)
                if first >= 0 {
                    let found = find(
                        Int(first), slot, second, scale, scaleNumber, likely: likely < 0 ? 0 : values[likely &+ place],
                        sheet)
                    value = blocks[Int(found.block)].place &+ 1
                    let lines = sheet.blocks[Int(first)].lines
                    size = (found.widest, sheet.blocks[Int(first)].pitch &* (lines.upperBound &- lines.lowerBound))
                }
                // Targets behind it have the same until one turns.
                let rest = LaneMask(from: lane)
                lineSizes[frame].width.set(size.width, where: rest)
                lineSizes[frame].height.set(size.height, where: rest)
            }
            if own[place] == value { continue }
            own[place] = value
            (isOther, changed) = (true, place)
        }
        return isOther
    }

    /// Copies the sizes of lines that are as in the variant or state before.
    private mutating func repeatSizes(_ group: Int, _ sheet: LayoutSheet, _ nodes: Int) {
        var place = 0
        for slot in 0..<slots.count {
            for column in 0..<columns {
                if repeats[place] && !slots[slot].isBars {
                    let frame = sheet.place(group, column) &* nodes &+ slots[slot].node
                    lineSizes[frame] = lineSizes[frame &- nodes]
                }
                place &+= 1
            }
        }
    }

    /// The class of the target at work; mostly that of its twin.
    private mutating func classOfOwn(_ screens: Screens) -> Int32 {
        let known = breaks.count
        if known > 0 {
            let likely = breaks.expected(screens)
            if hasOwn(Int(likely)) { return likely }
            for number in 0..<known where hasOwn(number) { return Int32(truncatingIfNeeded: number) }
        }
        unsafe values.append(own.elements)
        return Int32(truncatingIfNeeded: known)
    }

    /// Whether a class has the blocks of the target at work. The place that differs from the target before is
    /// compared first.
    @inline(__always)
    private mutating func hasOwn(_ number: Int) -> Bool {
        let first = number &* own.count
        if own.count > 0 && values[first &+ changed] != own[changed] { return false }
        return values.holds(own, at: first)
    }
}

// Blocks.
extension BlockTable {
    private mutating func add(_ block: Block, to slot: Int) -> Int32 {
        let number = Int32(truncatingIfNeeded: blocks.count)
        blocks.append(block)
        forms.append(repeating: Form(), count: scaleCount)
        (slots[slot].last, slots[slot].count) = (number, slots[slot].count &+ 1)
        return number
    }

    private func empty(_ slot: Int, _ scale: Scale, _ scaleNumber: Int32) -> Block {
        Block(before: slots[slot].last, place: slots[slot].count, scale: scale, scaleNumber: scaleNumber)
    }

    /// One more than the place of bars in a slot, or 0.
    private mutating func bars(_ bars: Range<Int32>, _ slot: Int, _ scale: Scale, _ sheet: LayoutSheet) -> Int32 {
        if bars.isEmpty { return 0 }
        var other = slots[slot].last
        while other >= 0 {
            if sheet.hasSameBars(blocks[Int(other)].bars, bars) { return blocks[Int(other)].place &+ 1 }
            other = blocks[Int(other)].before
        }
        var block = empty(slot, scale, -1)
        block.bars = bars
        _ = add(block, to: slot)
        return block.place &+ 1
    }

    /// Finds the block for lines of the sheet in a slot, and the width of the widest line.
    /// - Parameter likely: one more than the place of the block that it probably is; 0 for none.
    private mutating func find(
        _ number: Int, _ slot: Int, _ width: Int32, _ scale: Scale, _ scaleNumber: Int32, likely: Int32,
        _ sheet: LayoutSheet
    ) -> (block: Int32, widest: Int32) {
        let before = known[number]
        if before.slot == Int32(truncatingIfNeeded: slot) && before.scale == scaleNumber
            && (before.width == width || !slots[slot].dependsOnWidth)
        {
            return (before.block, before.widest)
        }
        var own = Lines(block: sheet.blocks[number], width: width, alignment: slots[slot].alignment)
        var found = slots[slot].last
        var second: Int32 = -1
        // First the likely one, then all.
        if likely > 0 {
            while found >= 0 && blocks[Int(found)].place != likely &- 1 { found = blocks[Int(found)].before }
            if found >= 0 && !holds(&own, found, scale, scaleNumber, sheet) {
                second = found
                found = -1
            }
        }
        if likely == 0 || found < 0 {
            found = slots[slot].last
            while found >= 0 && (found == second || !holds(&own, found, scale, scaleNumber, sheet)) {
                found = blocks[Int(found)].before
            }
        }
        if found < 0 { found = new(&own, number, slot, scale, scaleNumber, sheet) }
        let place = Int(found) &* scaleCount &+ Int(scaleNumber)
        if forms[place].source < 0 {
            forms[place] = Form(source: Int32(truncatingIfNeeded: number), width: width, widest: own.widest)
        }
        known[number] = Known(
            slot: Int32(truncatingIfNeeded: slot), scale: scaleNumber, width: width, block: found, widest: own.widest)
        return (found, own.widest)
    }

    /// Lines of the sheet in a node of some width.
    struct Lines {
        var block: LayoutSheet.Block
        var width: Int32
        var alignment: Alignment
        /// The width of the widest line, once a block was sought.
        var widest: Int32 = 0

        @inline(__always)
        var count: Int { Int(block.lines.upperBound &- block.lines.lowerBound) }

        @inline(__always)
        func left(of line: LayoutSheet.BlockLine) -> Int32 { line.left &- line.usualLeft(in: width, alignment) }
    }

    private mutating func new(
        _ own: inout Lines, _ number: Int, _ slot: Int, _ scale: Scale, _ scaleNumber: Int32, _ sheet: LayoutSheet
    ) -> Int32 {
        let (all, start) = (sheet.lines.span, lines.count)
        var last: Int32 = 0
        var block = empty(slot, scale, scaleNumber)
        block.kind = LineKind(own.block)
        for i in Int(own.block.lines.lowerBound)..<Int(own.block.lines.upperBound) {
            let line = all[i]
            let told = LineNumbers(
                gap: line.start &- last, units: line.end &- line.start, width: line.width, left: own.left(of: line),
                traits: line.traits.rawValue)
            block.kind.take(told, isFirst: lines.count == start, isLast: i == Int(own.block.lines.upperBound) &- 1)
            lines.append(told)
            last = line.end
        }
        (block.source, block.lines) = (Int32(truncatingIfNeeded: number), start..<lines.count)
        block.face = faces.place(of: own.block, at: scale)
        own.widest = block.kind.widest
        return add(block, to: slot)
    }

    /// Whether lines at a scale are those of a block.
    @inline(__always)
    private mutating func holds(
        _ own: inout Lines, _ block: Int32, _ scale: Scale, _ scaleNumber: Int32, _ sheet: LayoutSheet
    ) -> Bool {
        guard own.count == blocks[Int(block)].lines.count else { return false }
        let known = forms[Int(block) &* scaleCount &+ Int(scaleNumber)]
        if known.source >= 0 { return isSame(&own, known, sheet) }
        return isAlike(&own, Int(block), scale, sheet) && faces.serves(blocks[Int(block)].face, own.block, at: scale)
    }

    /// Whether lines are those of a block at their scale.
    private mutating func isSame(_ own: inout Lines, _ form: Form, _ sheet: LayoutSheet) -> Bool {
        let other = Lines(block: sheet.blocks[Int(form.source)], width: form.width, alignment: own.alignment)
        guard own.block.pitch == other.block.pitch, own.block.fontSize == other.block.fontSize,
            own.block.ascent == other.block.ascent
        else { return false }
        let all = sheet.lines.span
        for i in 0..<own.count {
            let (one, its) = (
                all[Int(own.block.lines.lowerBound) &+ i], all[Int(other.block.lines.lowerBound) &+ i]
            )
            guard one.end == its.end, one.start == its.start, one.width == its.width,
                one.traits.rawValue == its.traits.rawValue, own.left(of: one) == other.left(of: its)
            else { return false }
        }
        own.widest = form.widest
        return own.block.spans.isEmpty && other.block.spans.isEmpty
            || sheet.spans(of: own.block).elementsEqual(sheet.spans(of: other.block))
    }

    /// Whether lines are those of a block at another scale than it is told at: each as wide as scales say, or one
    /// less. Rectangles may be a pixel off.
    private mutating func isAlike(_ own: inout Lines, _ block: Int, _ scale: Scale, _ sheet: LayoutSheet) -> Bool {
        let (told, kind, otherScale) = (blocks[block].lines, blocks[block].kind, blocks[block].scale)
        guard !told.isEmpty, own.block.spans.isEmpty != kind.unusual.has(.spans), !kind.unusual.has(.lefts)
        else { return false }
        let all = sheet.lines.span
        var (last, widest) = (0 as Int32, Int32.min)
        for i in 0..<told.count {
            let (one, its) = (all[Int(own.block.lines.lowerBound) &+ i], lines[told.lowerBound &+ i])
            guard one.end &- one.start == its.units, one.start &- last == its.gap, one.traits.rawValue == its.traits,
                its.width >= 0, 0...1 ~= RecordForm.width(its.width, at: scale, from: otherScale) &- one.width,
                own.left(of: one) == 0
            else { return false }
            last = one.end
            widest = max(widest, one.width)
        }
        own.widest = widest
        return kind.unusual.has(.spans)
            ? sheet.spans(of: own.block).elementsEqual(sheet.spans(of: sheet.blocks[Int(blocks[block].source)])) {
                $0.isAlike($1.scaled(to: scale, from: otherScale))
            } : true
    }
}
