import MessageLayout
import Typography

/// The lines of a block.
extension RecordEncoder {
    /// Layouts share blocks: as a rule it is known.
    mutating func encodeBlock(_ number: Int, node: Int, width: Int32, _ sheet: LayoutSheet) -> KnownBlock {
        let known = knownBlocks[number]
        if known.node == Int32(node) && known.scale == scale.thousandths && known.width == width { return known }
        let block = sheet.blocks[number]
        let text = sheet.skeleton.nodes[node].text
        let alignment = text < 0 ? Alignment.start : sheet.skeleton.texts[Int(text)].alignment
        let kind = LineKind(block, alignment, width: width, sheet)
        let face = faces.reference(to: block, at: scale)
        let isOriginal = scale == sheet.targets[0].scale
        let mayBeLike = kind.unusual.rawValue == 0 && block.lines.count <= RecordForm.mostAlike && block.lines.count > 0
        var content: Int32 = -1
        if mayBeLike && !isOriginal { content = encodeLike(block, node: node, face: face, kind, sheet) }
        if content < 0 {
            encodeLines(block, alignment, width: width, face: face, kind, sheet)
            content = contents.close()
            if mayBeLike && isOriginal { remember(content, block.lines, node: node) }
        }
        knownBlocks[number] = KnownBlock(
            node: Int32(node), scale: scale.thousandths, width: width, content: content + 1, widest: kind.widest)
        return knownBlocks[number]
    }

    private mutating func remember(_ content: Int32, _ lines: Range<Int32>, node: Int) {
        var other = lastOriginals[node]
        while other >= 0 {
            if originals[Int(other)].content == content { return }
            other = originals[Int(other)].before
        }
        originals.append(Original(content: content, lines: lines, before: lastOriginals[node]))
        lastOriginals[node] = Int32(originals.count - 1)
    }

    /// Lines that break as at the first scale, if there are such.
    private mutating func encodeLike(
        _ block: LayoutSheet.Block, node: Int, face: Int32, _ kind: LineKind, _ sheet: LayoutSheet
    ) -> Int32 {
        var other = lastOriginals[node]
        while other >= 0 {
            let original = originals[Int(other)]
            other = original.before
            guard let less = less(block.lines, original.lines, sheet) else { continue }
            contents.number(UInt32(bitPattern: original.content) << RecordForm.countShift | RecordForm.like)
            contents.number(face)
            contents.number(less)
            return contents.close()
        }
        return -1
    }

    /// Of lines that break alike and are as wide as their scales say or one less, which are one less.
    private func less(_ lines: Range<Int32>, _ others: Range<Int32>, _ sheet: LayoutSheet) -> UInt32? {
        guard lines.count == others.count else { return nil }
        var less: UInt32 = 0
        for i in 0..<lines.count {
            let (own, other) = (sheet.lines[Int(lines.lowerBound) + i], sheet.lines[Int(others.lowerBound) + i])
            guard own.end == other.end, own.traits.rawValue == other.traits.rawValue, other.width >= 0 else { return nil }
            let off = RecordForm.width(other.width, at: scale, from: sheet.targets[0].scale) &- own.width
            guard off == 0 || off == 1 else { return nil }
            less |= UInt32(off) << UInt32(i)
        }
        return less
    }

    private mutating func encodeLines(
        _ block: LayoutSheet.Block, _ alignment: Alignment, width: Int32, face: Int32, _ kind: LineKind,
        _ sheet: LayoutSheet
    ) {
        let unusual = kind.unusual.rawValue
        contents.number(
            UInt32(block.lines.count) << RecordForm.countShift | (kind.isRightToLeft ? RecordForm.rightToLeft : 0)
                | (unusual == 0 ? 0 : RecordForm.unusual))
        contents.number(face)
        if unusual != 0 { contents.number(unusual) }
        if !block.lines.isEmpty { contents.number(kind.widest) }
        var last: Int32 = 0
        for i in Int(block.lines.lowerBound)..<Int(block.lines.upperBound) {
            let line = sheet.lines[i]
            if unusual & RecordForm.Lines.gaps.rawValue != 0 { contents.signed(line.start &- last) }
            contents.number(line.end &- line.start)
            contents.number(kind.widest &- line.width)
            if unusual & RecordForm.Lines.lefts.rawValue != 0 {
                contents.signed(line.left &- line.usualLeft(in: width, alignment))
            }
            if unusual & RecordForm.Lines.traits.rawValue != 0 { contents.number(line.traits.rawValue) }
            last = line.end
        }
        if !block.spans.isEmpty { encodeSpans(of: block, sheet) }
    }

    private mutating func encodeSpans(of block: LayoutSheet.Block, _ sheet: LayoutSheet) {
        contents.number(UInt32(block.spans.count))
        for i in block.spans {
            let span = sheet.spans[Int(i)]
            contents.number(span.entity)
            contents.number(span.line)
            contents.signed(span.left)
            contents.number(span.width)
        }
    }
}

/// What all lines of a block have in common.
struct LineKind {
    var unusual: RecordForm.Lines
    var isRightToLeft: Bool
    /// Width of the widest line.
    var widest: Int32

    init(_ block: LayoutSheet.Block, _ alignment: Alignment, width: Int32, _ sheet: LayoutSheet) {
        let (first, end) = (Int(block.lines.lowerBound), Int(block.lines.upperBound))
        isRightToLeft = first < end && sheet.lines[first].traits.rawValue & RecordForm.rightToLeftTrait != 0
        widest = first < end ? sheet.lines[first].width : 0
        var bits = block.spans.isEmpty ? 0 : RecordForm.Lines.spans.rawValue
        var last: Int32 = 0
        for i in first..<end {
            let line = sheet.lines[i]
            widest = max(widest, line.width)
            if line.start != last { bits |= RecordForm.Lines.gaps.rawValue }
            if line.left != line.usualLeft(in: width, alignment) { bits |= RecordForm.Lines.lefts.rawValue }
            if line.traits.rawValue != RecordForm.traits(isRightToLeft: isRightToLeft, isLast: i == end - 1) {
                bits |= RecordForm.Lines.traits.rawValue
            }
            last = line.end
        }
        unusual = RecordForm.Lines(rawValue: bits)
    }
}

extension LayoutSheet.BlockLine {
    @inline(__always)
    fileprivate func usualLeft(in width: Int32, _ alignment: Alignment) -> Int32 {
        RecordForm.left(
            of: self.width, in: width, alignment, isRightToLeft: traits.rawValue & RecordForm.rightToLeftTrait != 0)
    }
}
