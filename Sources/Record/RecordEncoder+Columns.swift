import Bytes
import MessageLayout
import Typography

/// Which layout is whose: for each variant and state a column of shapes, and one for each node that is ever filled.
extension RecordEncoder {
    mutating func encodeSlots(of sheet: LayoutSheet) {
        let slotsPerTarget = Int(sheet.variantCount * sheet.stateCount)
        precondition(sheet.slots.count == sheet.targets.count * slotsPerTarget)
        knownSlices.append(repeating: KnownSlice(), count: sheet.slices.count)
        knownBlocks.append(repeating: KnownBlock(), count: sheet.blocks.count)
        lastPlaces.append(repeating: -1, count: nodes.count)
        lastLayouts.append(repeating: -1, count: slotsPerTarget)
        lastOriginals.append(repeating: -1, count: nodes.count)
        lastBlocks.append(repeating: -1, count: nodes.count)
        filled.append(repeating: false, count: 2 * nodes.count)
        firstScale = sheet.targets.first?.scale ?? .one
        scale = firstScale
        for target in sheet.targets.indices {
            if sheet.targets[target].scale.thousandths != scale.thousandths { turn(to: sheet.targets[target].scale) }
            let isMirrored = sheet.targets[target].isMirrored
            for slot in 0..<slotsPerTarget {
                let slice = Int(sheet.slots[target * slotsPerTarget + slot])
                if !knownSlices[slice].serves(scale, isMirrored) {
                    knownSlices[slice] = KnownSlice(
                        layout: Int32(layouts.count), scale: scale.thousandths, isMirrored: isMirrored)
                    encodeLayout(slice, slot: slot, isMirrored: isMirrored, sheet)
                }
                slots.append(knownSlices[slice].layout)
            }
        }
    }

    /// What is known in pixels is of no use at another scale.
    private mutating func turn(to scale: Scale) {
        self.scale = scale
        for i in 0..<lastPlaces.count { lastPlaces[i] = -1 }
        for i in 0..<lastLayouts.count { lastLayouts[i] = -1 }
    }

    mutating func encodeColumns(of sheet: LayoutSheet) {
        var filledCount = 0
        for i in 0..<filled.count where filled[i] { filledCount += 1 }
        columns.number(filledCount)
        for i in 0..<filled.count where filled[i] { columns.number(i) }
        let targets = sheet.targets.count
        guard targets > 0 else { return }
        let states = Int(sheet.stateCount)
        let width = Int(sheet.variantCount) * states
        for column in 0..<width {
            // A later state is probably as the first, and another variant as the first one.
            let like = column % states > 0 ? column - column % states : 0
            var base = like * (1 + filledCount) * targets
            for i in -1..<filled.count where i < 0 || filled[i] {
                gather(column, of: width, fill: i)
                encodeColumn(of: targets, like: like < column ? base : -1)
                base += targets
            }
        }
    }

    /// Brings together the shapes of one variant and state, or what fills something.
    private mutating func gather(_ column: Int, of width: Int, fill: Int) {
        var slot = column
        while slot < slots.count {
            let layout = Int(slots[slot])
            columnNumbers.append(fill < 0 ? layouts[layout].shape : fills[layout * filled.count + fill])
            slot += width
        }
    }

    /// The last numbers that were gathered, if they are not as those from `base` on.
    private mutating func encodeColumn(of targets: Int, like base: Int) {
        let first = columnNumbers.count - targets
        if base >= 0 && columnNumbers.areEqual(first, base, targets) { return columns.number(0 as UInt32) }
        var stretches = 1
        for i in first + 1..<first + targets where columnNumbers[i] != columnNumbers[i - 1] { stretches += 1 }
        guard 2 * stretches < targets else {
            columns.number(1 as UInt32)
            for i in first..<first + targets { columns.number(columnNumbers[i]) }
            return
        }
        columns.number(stretches + 1)
        var start = first
        for i in first + 1...first + targets {
            if i < columnNumbers.count && columnNumbers[i] == columnNumbers[start] { continue }
            columns.number(i - start)
            columns.number(columnNumbers[start])
            start = i
        }
    }
}

extension Buffer<Int32> {
    fileprivate func areEqual(_ one: Int, _ other: Int, _ count: Int) -> Bool {
        for i in 0..<count where self[one + i] != self[other + i] { return false }
        return true
    }
}
