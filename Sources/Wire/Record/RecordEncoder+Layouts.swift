import MessageLayout
import Typography

/// One layout: the places of its nodes and what stands in them.
extension RecordEncoder {
    mutating func encodeHead(_ slice: Int, isMirrored: Bool, _ sheet: LayoutSheet) -> Head {
        let own = sheet.slices[slice]
        let all = PixelRect(left: 0, top: 0, width: own.size.width, height: own.size.height)
        let first = Int(own.placements)
        let firstContent = Int32(contentNumbers.count)
        for i in sheet.skeleton.nodes.indices {
            let placement = sheet.placements[first + i]
            guard placement.isPresent else {
                geometries.bytes.reference(0, isWide: true)
                continue
            }
            let parent = Int(sheet.skeleton.nodes[i].parent)
            precondition(parent < i)
            let isInside = parent >= 0 && sheet.placements[first + parent].isPresent
            let outer = isInside ? sheet.placements[first + parent].frame : all
            let place = PinnedFrame(
                placement.frame, in: outer, pins: sheet.skeleton.nodes[i].pins, isMirrored: isMirrored)
            geometries.bytes.reference(encodePlace(place, of: placement, sheet) + 1, isWide: true)
            if placement.block >= 0 {
                encodeLines(Int(placement.block), node: i, width: placement.frame.width, sheet)
                contentNumbers.append(contents.close())
            }
            if !placement.bars.isEmpty {
                encodeBars(placement.bars, sheet)
                contentNumbers.append(contents.close())
            }
        }
        return Head(
            isKnown: true, size: own.size, stamp: own.stamp, geometry: geometries.close(),
            contents: firstContent..<Int32(contentNumbers.count))
    }

    private mutating func encodePlace(
        _ place: PinnedFrame, of placement: LayoutSheet.Placement, _ sheet: LayoutSheet
    ) -> Int32 {
        var parts: RecordForm.Place = .isPresent
        if placement.radius != 0 { parts.insert(.radius) }
        if placement.fill.width | placement.fill.height != 0 { parts.insert(.fill) }
        if placement.block >= 0 { parts.insert(.lines) }
        if !placement.bars.isEmpty { parts.insert(.bars) }
        if place.hasNegativeDistance { parts.insert(.signed) }
        if placement.block >= 0 && !place.down.isStretched {
            let block = sheet.blocks[Int(placement.block)]
            if place.down.second == block.pitch &* Int32(block.lines.count) { parts.insert(.stacked) }
        }
        places.bytes.number(parts.rawValue)
        append(place.across, isSigned: parts.contains(.signed))
        append(place.down, isSigned: parts.contains(.signed), isStacked: parts.contains(.stacked))
        if parts.contains(.radius) { places.bytes.number(placement.radius) }
        if parts.contains(.fill) {
            places.bytes.number(placement.fill.width)
            places.bytes.number(placement.fill.height)
        }
        if parts.contains(.lines) {
            let block = sheet.blocks[Int(placement.block)]
            // Mostly whole pixels: even numbers, in a byte.
            places.bytes.number(block.fontSize & 63 == 0 ? block.fontSize >> 5 : block.fontSize << 1 | 1)
            places.bytes.number(block.pitch)
            places.bytes.number(block.ascent)
        }
        return places.close()
    }

    @inline(__always)
    private mutating func append(_ axis: PinnedFrame.Axis, isSigned: Bool, isStacked: Bool = false) {
        if isSigned { places.bytes.signed(axis.offset) } else { places.bytes.number(axis.offset) }
        if isStacked { return }
        if isSigned && axis.isStretched {
            places.bytes.signed(axis.second)
        } else {
            places.bytes.number(axis.second)
        }
    }

    private mutating func encodeBars(_ bars: Range<Int32>, _ sheet: LayoutSheet) {
        contents.bytes.number(UInt32(bars.count) << RecordForm.countShift | RecordForm.bars)
        for i in bars { contents.bytes.number(UInt32(sheet.bars[Int(i)])) }
    }

    private mutating func encodeLines(_ number: Int, node: Int, width: Int32, _ sheet: LayoutSheet) {
        let block = sheet.blocks[number]
        let text = sheet.skeleton.nodes[node].text
        let alignment = text < 0 ? Alignment.start : sheet.skeleton.texts[Int(text)].alignment
        let (first, end) = (Int(block.lines.lowerBound), Int(block.lines.upperBound))
        let isRightToLeft = first < end && sheet.lines[first].traits.rawValue & RecordForm.rightToLeftTrait != 0

        var unusual: RecordForm.Lines = block.spans.isEmpty ? [] : .spans
        var isHugging = false
        var last: Int32 = 0
        for i in first..<end {
            let line = sheet.lines[i]
            if line.width == width { isHugging = true }
            let usual = RecordForm.left(
                of: line.width, in: width, alignment,
                isRightToLeft: line.traits.rawValue & RecordForm.rightToLeftTrait != 0)
            if line.start != last { unusual.insert(.gaps) }
            if line.left != usual { unusual.insert(.lefts) }
            if line.traits.rawValue != RecordForm.traits(isRightToLeft: isRightToLeft, isLast: i == end - 1) {
                unusual.insert(.traits)
            }
            last = line.end
        }

        var head = UInt32(end - first) << RecordForm.countShift
        if isRightToLeft { head |= RecordForm.rightToLeft }
        if isHugging { head |= RecordForm.hugging }
        if !unusual.isEmpty { head |= RecordForm.unusual }
        contents.bytes.number(head)
        if !unusual.isEmpty { contents.bytes.number(unusual.rawValue) }
        last = 0
        for i in first..<end {
            let line = sheet.lines[i]
            if unusual.contains(.gaps) { contents.bytes.signed(line.start &- last) }
            contents.bytes.number(line.end &- line.start)
            contents.bytes.number(isHugging ? width &- line.width : line.width)
            if unusual.contains(.lefts) {
                let usual = RecordForm.left(
                    of: line.width, in: width, alignment,
                    isRightToLeft: line.traits.rawValue & RecordForm.rightToLeftTrait != 0)
                contents.bytes.signed(line.left &- usual)
            }
            if unusual.contains(.traits) { contents.bytes.number(line.traits.rawValue) }
            last = line.end
        }
        if unusual.contains(.spans) { encodeSpans(of: block, sheet) }
    }

    private mutating func encodeSpans(of block: LayoutSheet.Block, _ sheet: LayoutSheet) {
        contents.bytes.number(block.spans.count)
        for i in block.spans {
            let span = sheet.spans[Int(i)]
            contents.bytes.number(span.entity)
            contents.bytes.number(span.line)
            contents.bytes.signed(span.left)
            contents.bytes.number(span.width)
        }
    }
}
