import MessageLayout
import Typography

/// Reads a row: what its layouts share, then one of them for each state.
extension LayoutRows {
    mutating func readRow(_ reader: inout NumberReader) {
        let version = reader.byte()
        guard version == RecordForm.version else { return reader.fail(.unknownVersion(version)) }
        let head = reader.number(upTo: 2 * RecordLimits.states + 1, of: "states")
        var row = Row()
        row.isMirrored = head & 1 == 1
        row.reach = LayoutSheet.Reach(
            narrowest: reader.length(), widest: reader.length(), naturalWidth: reader.length())
        readSkeleton(&reader, of: &row)
        let first = Int32(slices.count)
        for state in 0..<head >> 1 { readState(state, &reader, of: row) }
        row.states = first..<Int32(slices.count)
        rows.append(row)
    }

    private mutating func readState(_ state: Int, _ reader: inout NumberReader, of row: Row) {
        let changes = reader.number(upTo: 4, of: "changes")
        if changes == 0 && state > 0 { return slices.append(slices[slices.count - 1]) }
        var slice = LayoutSheet.Slice(size: .zero, stamp: .none, placements: Int32(placements.count))
        for _ in 0..<changes { readChange(&reader, of: &slice) }
        slices.append(slice)
        let all = PixelRect(left: 0, top: 0, width: slice.size.width, height: slice.size.height)
        for i in 0..<row.nodes.count { readPlace(&reader, of: i, row, first: Int(slice.placements), in: all) }
    }

    /// Geometry and contents are for the cutter; what they named follows.
    @inline(__always)
    private func readChange(_ reader: inout NumberReader, of slice: inout LayoutSheet.Slice) {
        let mask = RecordForm.Change(rawValue: UInt32(reader.small(of: "change")))
        if mask.contains(.width) { slice.size.width &+= reader.signed() }
        if mask.contains(.height) { slice.size.height &+= reader.signed() }
        if mask.contains(.stamp) {
            let code = reader.small(of: "stamp")
            if let stamp = StampMode(rawValue: code) {
                slice.stamp = stamp
            } else {
                reader.fail(.unknownCase(code, of: "stamp"))
            }
        }
        if mask.contains(.geometry) { reader.skip(1) }
        if mask.contains(.contents) {
            let contents = reader.number()
            if contents & 1 == 1 { reader.skip(Int(contents >> 1)) }
        }
    }

    @inline(__always)
    private mutating func readPlace(
        _ reader: inout NumberReader, of node: Int, _ row: Row, first: Int, in all: PixelRect
    ) {
        let code = reader.number()
        if code == 0 { return placements.append(.absent) }
        let parts = RecordForm.Place(rawValue: code)
        guard code <= RecordForm.Place.all.rawValue && parts.contains(.isPresent) else {
            placements.append(.absent)
            return reader.fail(.unknownCase(UInt8(clamping: code), of: "place"))
        }
        let pins = nodes[Int(row.nodes.lowerBound) + node].pins
        let parent = Int(nodes[Int(row.nodes.lowerBound) + node].parent)
        let isInside = parent >= 0 && placements[first + parent].isPresent
        let outer = isInside ? placements[first + parent].frame : all
        var place = reader.pinnedFrame(pins, parts)
        var placement = LayoutSheet.Placement(
            frame: place.frame(in: outer, pins: pins, isMirrored: row.isMirrored))
        if parts.contains(.radius) { placement.radius = reader.length() }
        if parts.contains(.fill) {
            placement.fill.width = reader.length()
            placement.fill.height = reader.length()
        }
        if parts.contains(.lines) {
            placement.block = Int32(blocks.count)
            readBlock(&reader, of: node, row, width: placement.frame.width)
            if parts.contains(.stacked) {
                let block = blocks[Int(placement.block)]
                place.down.second = block.pitch &* Int32(block.lines.count)
                placement.frame = place.frame(in: outer, pins: pins, isMirrored: row.isMirrored)
            }
        }
        if parts.contains(.bars) { placement.bars = readBars(&reader) }
        placements.append(placement)
    }

    private mutating func readBars(_ reader: inout NumberReader) -> Range<Int32> {
        let first = Int32(bars.count)
        let head = reader.number()
        guard head & 15 == RecordForm.bars else {
            reader.fail(.unknownCase(UInt8(clamping: head), of: "bars"))
            return first..<first
        }
        for _ in 0..<reader.items(Int(head >> RecordForm.countShift)) {
            bars.append(reader.small(of: "bar"))
        }
        return first..<Int32(bars.count)
    }

    @inline(__always)
    private mutating func readBlock(_ reader: inout NumberReader, of node: Int, _ row: Row, width: Int32) {
        var block = LayoutSheet.Block(
            fontSize: reader.fontSize(), pitch: reader.length(), ascent: reader.length(), lines: 0..<0, spans: 0..<0)
        let text = nodes[Int(row.nodes.lowerBound) + node].text
        // The text is known to be there unless there is a fault, and then it does not matter which is taken.
        let alignment =
            text < 0 || text >= row.texts.count ? .start : texts[Int(row.texts.lowerBound + text)].alignment
        let firstLine = Int32(lines.count)
        let unusual = readLines(&reader, alignment, width: width)
        block.lines = firstLine..<Int32(lines.count)
        if unusual.contains(.spans) {
            let firstSpan = Int32(spans.count)
            for _ in 0..<reader.count(of: "spans") {
                spans.append(
                    .init(
                        entity: reader.length(), line: reader.length(), left: reader.signed(),
                        width: reader.length()))
            }
            block.spans = firstSpan..<Int32(spans.count)
        }
        blocks.append(block)
    }

    @inline(__always)
    private mutating func readLines(
        _ reader: inout NumberReader, _ alignment: Alignment, width: Int32
    ) -> RecordForm.Lines {
        let head = reader.number()
        if head & RecordForm.bars != 0 { reader.fail(.unknownCase(UInt8(clamping: head), of: "lines")) }
        var unusual: RecordForm.Lines = []
        if head & RecordForm.unusual != 0 {
            unusual = .init(rawValue: UInt32(reader.number(upTo: Int(RecordForm.Lines.all.rawValue), of: "lines")))
        }
        let isRightToLeft = head & RecordForm.rightToLeft != 0
        let count = reader.items(Int(head >> RecordForm.countShift))
        var start: Int32 = 0
        for i in 0..<count {
            if unusual.contains(.gaps) { start &+= reader.signed() }
            let end = start &+ reader.length()
            let told = reader.length()
            let own = head & RecordForm.hugging == 0 ? told : width &- told
            let more = unusual.contains(.lefts) ? reader.signed() : 0
            let traits =
                unusual.contains(.traits)
                ? reader.length()
                : RecordForm.traits(isRightToLeft: isRightToLeft, isLast: i == count - 1)
            let left = RecordForm.left(
                of: own, in: width, alignment, isRightToLeft: traits & RecordForm.rightToLeftTrait != 0)
            lines.append(
                .init(start: start, end: end, left: left &+ more, width: own, traits: LineTraits(rawValue: traits)))
            start = end
        }
        return unusual
    }
}

extension NumberReader {
    @inline(__always)
    fileprivate mutating func pinnedFrame(_ pins: Pins, _ parts: RecordForm.Place) -> PinnedFrame {
        let isSigned = parts.contains(.signed)
        return PinnedFrame(
            across: axis(isStretched: pins.rawValue & 3 == 3, isSigned: isSigned),
            down: axis(
                isStretched: pins.rawValue & 12 == 12, isSigned: isSigned, isStacked: parts.contains(.stacked)))
    }

    /// Whole pixels as even numbers, others as odd ones; below 2³⁰.
    @inline(__always)
    fileprivate mutating func fontSize() -> Int32 {
        let number = number()
        return Int32(bitPattern: number & 1 == 0 ? number << 5 : number >> 1)
    }

    @inline(__always)
    private mutating func axis(isStretched: Bool, isSigned: Bool, isStacked: Bool = false) -> PinnedFrame.Axis {
        let offset = isSigned ? signed() : length()
        let second = isStacked ? 0 : isSigned && isStretched ? signed() : length()
        return PinnedFrame.Axis(offset: offset, second: second, isStretched: isStretched)
    }
}
