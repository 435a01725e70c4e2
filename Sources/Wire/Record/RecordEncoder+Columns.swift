import MessageLayout
import Typography

/// Which layout is whose: for each variant and state a column of shapes, and one for each node that is ever filled.
extension RecordEncoder {
    mutating func encodeSlots(of sheet: LayoutSheet) {
        let nodeCount = sheet.skeleton.nodes.count
        let slotsPerTarget = Int(sheet.variantCount * sheet.stateCount)
        precondition(sheet.slots.count == sheet.targets.count * slotsPerTarget)
        knownSlices.append(repeating: -1, count: sheet.slices.count)
        knownBlocks.append(repeating: KnownBlock(), count: sheet.blocks.count)
        knownPlaces.append(repeating: KnownPlace(), count: slotsPerTarget * nodeCount)
        lastOriginals.append(repeating: -1, count: nodeCount)
        filled.append(repeating: false, count: 2 * nodeCount)
        for target in sheet.targets.indices {
            scale = sheet.targets[target].scale
            let isMirrored = sheet.targets[target].isMirrored
            for slot in 0..<slotsPerTarget {
                let slice = Int(sheet.slots[target * slotsPerTarget + slot])
                let known = Int(knownSlices[slice])
                if known < 0 || heads[known].scale != scale.thousandths || heads[known].isMirrored != isMirrored {
                    knownSlices[slice] = Int32(heads.count)
                    encodeLayout(slice, slot: slot, isMirrored: isMirrored, sheet)
                }
                slots.append(knownSlices[slice])
            }
        }
    }

    mutating func encodeColumns(of sheet: LayoutSheet) {
        var filledCount = 0
        for i in 0..<filled.count where filled[i] { filledCount += 1 }
        columns.number(filledCount)
        for i in 0..<filled.count where filled[i] { columns.number(i) }
        guard sheet.targets.count > 0 else { return }
        let states = Int(sheet.stateCount)
        for column in 0..<Int(sheet.variantCount) * states {
            // A later state is probably as the first, and another variant as the first one.
            let like = column % states > 0 ? column - column % states : 0
            let width = Int(sheet.variantCount) * states
            encodeColumn(column, of: width, like: like, fill: -1)
            for i in 0..<filled.count where filled[i] { encodeColumn(column, of: width, like: like, fill: i) }
        }
    }

    /// The shapes, or what fills something.
    private mutating func encodeColumn(_ column: Int, of width: Int, like base: Int, fill: Int) {
        let targets = slots.count / width
        var stretches = 1
        var isLike = column != base
        var last = number(column, fill)
        if isLike && last != number(base, fill) { isLike = false }
        for target in 1..<max(1, targets) {
            let own = number(target * width + column, fill)
            if own != last { stretches += 1 }
            if isLike && own != number(target * width + base, fill) { isLike = false }
            last = own
        }
        if isLike { return columns.number(0 as UInt32) }
        guard 2 * stretches < targets else {
            columns.number(1 as UInt32)
            for target in 0..<targets { columns.number(number(target * width + column, fill)) }
            return
        }
        columns.number(stretches + 1)
        var start = 0
        last = number(column, fill)
        for target in 1...targets {
            let own = target < targets ? number(target * width + column, fill) : -1
            if own == last { continue }
            columns.number(target - start)
            columns.number(last)
            (start, last) = (target, own)
        }
    }

    @inline(__always)
    private func number(_ slot: Int, _ fill: Int) -> Int32 {
        let head = heads[Int(slots[slot])]
        return fill < 0 ? head.shape : fills[Int(head.fills) + fill]
    }
}
