import MessageLayout

/// The slots: which layout is whose, each told as a change from a layout that is probably like it.
extension RecordEncoder {
    /// A layout of another state is told from the first state's, another variant from the first variant's, another width
    /// from the first of its group; at most four changes lie one on another.
    mutating func encodeSlots(of sheet: LayoutSheet) {
        heads.append(repeating: Head(), count: 2 * sheet.slices.count)
        let states = Int(sheet.stateCount)
        let slotsPerTarget = Int(sheet.variantCount) * states
        precondition(sheet.slots.count == sheet.targets.count * slotsPerTarget)
        lastChanges.append(repeating: LastChange(), count: slotsPerTarget)
        var group = 0
        for target in sheet.targets.indices {
            if target > 0 && !sheet.targets[target].follows(sheet.targets[target - 1]) { group = target }
            let mirror = sheet.targets[target].isMirrored ? 1 : 0
            let first = target * slotsPerTarget
            for slot in 0..<slotsPerTarget {
                var base = -1
                if slot % states > 0 {
                    base = first + slot - slot % states
                } else if slot > 0 {
                    base = first
                } else if group < target {
                    base = group * slotsPerTarget
                }
                let head = 2 * Int(sheet.slots[first + slot]) + mirror
                let from = base < 0 ? -1 : 2 * Int(sheet.slots[base]) + mirror
                slots.append(change(from: from, to: head, slot: slot, sheet))
            }
        }
    }

    /// The number of a change, or 0 where nothing changes. As a rule the target before asked for the same one.
    private mutating func change(from base: Int, to head: Int, slot: Int, _ sheet: LayoutSheet) -> Int32 {
        if base == head { return 0 }
        if lastChanges[slot].base == base && lastChanges[slot].head == head { return lastChanges[slot].number }
        if !heads[head].isKnown { heads[head] = encodeHead(head >> 1, isMirrored: head & 1 == 1, sheet) }
        let number = encodeChange(from: base < 0 ? Head() : heads[base], to: heads[head])
        lastChanges[slot] = LastChange(base: base, head: head, number: number)
        return number
    }

    private mutating func encodeChange(from old: Head, to new: Head) -> Int32 {
        let contentsDiffer = !hasEqualContents(old, new)
        var mask: RecordForm.Change = []
        if old.size.width != new.size.width { mask.insert(.width) }
        if old.size.height != new.size.height { mask.insert(.height) }
        if old.stamp.rawValue != new.stamp.rawValue { mask.insert(.stamp) }
        if old.geometry != new.geometry { mask.insert(.geometry) }
        if contentsDiffer { mask.insert(.contents) }
        if mask.isEmpty { return 0 }
        changes.bytes.number(mask.rawValue)
        if mask.contains(.width) { changes.bytes.signed(new.size.width &- old.size.width) }
        if mask.contains(.height) { changes.bytes.signed(new.size.height &- old.size.height) }
        if mask.contains(.stamp) { changes.bytes.number(UInt32(new.stamp.rawValue)) }
        if mask.contains(.geometry) { changes.bytes.number(new.geometry) }
        if contentsDiffer { encodeContents(from: old, to: new) }
        return changes.close() + 1
    }

    private func hasEqualContents(_ old: Head, _ new: Head) -> Bool {
        guard old.contents.count == new.contents.count else { return false }
        for i in 0..<old.contents.count where content(i, of: old) != content(i, of: new) { return false }
        return true
    }

    private func content(_ i: Int, of head: Head) -> Int32 { contentNumbers[Int(head.contents.lowerBound) + i] }

    /// 0 for what stays, both lists aligned at their ends: a name that appears stands before the text. One content, the
    /// usual case, is an even number; other counts are odd, and their list follows.
    private mutating func encodeContents(from old: Head, to new: Head) {
        let more = new.contents.count - old.contents.count
        if new.contents.count != 1 { changes.bytes.number(new.contents.count << 1 | 1) }
        for i in 0..<new.contents.count {
            let number = content(i, of: new)
            let stays = i >= more && content(i - more, of: old) == number
            let told = stays ? 0 : number + 1
            changes.bytes.number(new.contents.count == 1 ? told << 1 : told)
        }
    }

    /// Another variant changes the first one alike at most widths: such a column is told in stretches.
    mutating func encodeColumns(of sheet: LayoutSheet) {
        let targets = sheet.targets.count
        guard targets > 0 else { return }
        let width = slots.count / targets
        for column in 0..<width {
            var stretches = 1
            for i in 1..<targets where slots[i * width + column] != slots[(i - 1) * width + column] { stretches += 1 }
            guard 2 * stretches < targets else {
                columns.number(0 as UInt32)
                for i in 0..<targets { columns.number(slots[i * width + column]) }
                continue
            }
            columns.number(stretches)
            var start = 0
            for i in 1...targets where i == targets || slots[i * width + column] != slots[start * width + column] {
                columns.number(i - start)
                columns.number(slots[start * width + column])
                start = i
            }
        }
    }
}
