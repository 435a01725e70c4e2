import Bytes
import MessageLayout
import Typography

/// Writes blocks, and their places in layouts, into the bits of a record.
extension BlockTable {
    /// Writes the maps, which say where blocks stand, and the face and the number of lines of each block.
    mutating func writeMaps(to bits: inout GolombSink, _ screens: borrowing SheetScreens) {
        breaks.write(to: &bits, screens.all)
        told.removeAll()
        toldEnds.removeAll()
        bits.number(Int32(truncatingIfNeeded: slots.count), 1)
        var last = -1
        for slot in 0..<slots.count {
            bits.number(Int32(truncatingIfNeeded: slots[slot].number &- last &- 1), 1)
            last = slots[slot].number
            writeMaps(of: slot, to: &bits)
            toldEnds.append(told.count)
        }
    }

    private mutating func writeMaps(of slot: Int, to bits: inout GolombSink) {
        let (first, size) = (slot &* columns, slots.count &* columns)
        let blocksBefore = self.told.count
        var told = LastBlock()
        for column in 0..<columns {
            let item = first &+ column
            let start = column == 0 ? 0 : values[item &- 1]
            var (isRepeat, place, last, others) = (true, item, start, 0 as UInt64)
            for number in 0..<breaks.count {
                let own = values[place]
                if own != (column == 0 ? 0 : values[place &- 1]) { isRepeat = false }
                if own != last { others |= 1 &<< UInt64(truncatingIfNeeded: number) }
                last = own
                place &+= size
            }
            bits.flag(isRepeat)
            if isRepeat { continue }
            bits.flags(~others, breaks.count)
            while others != 0 {
                let number = others.trailingZeroBitCount
                others &= others &- 1
                write(values[number &* size &+ item], slot, blocksBefore, &told, to: &bits)
            }
        }
    }

    /// The face and the number of lines of the block that was told last in a slot.
    private struct LastBlock {
        var face: Int32 = -1
        var lineCount: Int32 = 0
    }

    /// - Parameter own: one more than a place in the slot, or 0.
    private mutating func write(
        _ own: Int32, _ slot: Int, _ first: Int, _ last: inout LastBlock, to bits: inout GolombSink
    ) {
        let next = Int32(truncatingIfNeeded: told.count &- first) &+ 1
        guard own > 0 else { return bits.number(next, 0) }
        var block = slots[slot].last
        while blocks[Int(block)].place != own &- 1 { block = blocks[Int(block)].before }
        let number = blocks[Int(block)].number
        guard number == 0 else { return bits.number(next &- number, 0) }
        bits.number(0 as UInt32, 0)
        blocks[Int(block)].number = next
        told.append(block)
        if slots[slot].isBars { return }
        last.face = faces.write(blocks[Int(block)].face, expected: last.face, to: &bits)
        let count = Int32(truncatingIfNeeded: blocks[Int(block)].lines.count)
        bits.signed(count &- last.lineCount, 1)
        last.lineCount = count
        blocks[Int(block)].face = last.face
    }

    /// Writes the lines and bars themselves, behind the number of bits of each block.
    mutating func writeContents(to bits: inout GolombSink, of sheet: LayoutSheet, by piece: inout GolombSink) {
        var first = 0
        ends.removeAll()
        for slot in 0..<slots.count {
            var walk = LineWalk()
            for i in first..<toldEnds[slot] {
                writeContent(of: told[i], slot, &walk, to: &piece, sheet)
                ends.append(piece.count)
            }
            first = toldEnds[slot]
        }
        bits.lengths(ends)
        bits.append(&piece)
    }

    private mutating func writeContent(
        of block: Int32, _ slot: Int, _ walk: inout LineWalk, to bits: inout GolombSink, _ sheet: LayoutSheet
    ) {
        if slots[slot].isBars {
            write(blocks[Int(block)].bars, to: &bits, of: sheet)
        } else {
            writeLines(of: block, &walk, to: &bits, sheet)
        }
    }

    private mutating func write(_ bars: Range<Int32>, to bits: inout GolombSink, of sheet: LayoutSheet) {
        bits.number(Int32(truncatingIfNeeded: bars.count), 3)
        for bar in bars { bits.bits(UInt64(sheet.bars[Int(bar)]), 8) }
    }

    private mutating func writeLines(
        of number: Int32, _ walk: inout LineWalk, to bits: inout GolombSink, _ sheet: LayoutSheet
    ) {
        let (block, own) = (blocks[Int(number)], sheet.blocks[Int(blocks[Int(number)].source)])
        let unusual = block.kind.unusual
        bits.number(unusual.rawValue << 1 | (block.kind.isRightToLeft ? 1 : 0), 0)
        walk.begin(
            Int32(truncatingIfNeeded: block.lines.count), face: block.face, block.scale, fontSize: own.fontSize,
            isRightToLeft: block.kind.isRightToLeft)
        walk.write(lines, block.lines, unusual, widest: block.kind.widest, to: &bits)
        if unusual.has(.spans) {
            var walk = SpanWalk()
            bits.number(Int32(truncatingIfNeeded: own.spans.count), 1)
            for span in sheet.spans(of: own) { walk.write(span, to: &bits) }
        }
        for scale in 0..<scaleCount where scale != Int(block.scaleNumber) {
            let other = forms[Int(number) &* scaleCount &+ scale].source
            if other >= 0 { writeLacks(of: sheet.blocks[Int(other)], block, scale, to: &bits, sheet) }
        }
    }

    /// Writes for each line whether it is one less than its scaled width, and for each rectangle how much it is off.
    private mutating func writeLacks(
        of own: LayoutSheet.Block, _ block: Block, _ scale: Int, to bits: inout GolombSink, _ sheet: LayoutSheet
    ) {
        let (all, scale) = (sheet.lines.span, scales[scale])
        var i = Int(own.lines.lowerBound)
        for line in block.lines {
            bits.flag(RecordForm.width(lines[line].width, at: scale, from: block.scale) != all[i].width)
            i &+= 1
        }
        guard block.kind.unusual.has(.spans) else { return }
        for (one, its) in zip(sheet.spans(of: own), sheet.spans(of: sheet.blocks[Int(block.source)])) {
            let its = its.scaled(to: scale, from: block.scale)
            bits.signed(one.left &- its.left, 0)
            bits.signed(one.width &- its.width, 0)
        }
    }
}
