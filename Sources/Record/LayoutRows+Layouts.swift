import Bytes
import MessageLayout
import Typography

/// Reads a row: the part that its layouts share, then one layout for each state.
extension LayoutRows {
    mutating func readRow(_ reader: inout NumberReader) {
        guard let (version, isExcerpt) = reader.rowVersion() else { return }
        excerpt = isExcerpt ? ExcerptWalk(&reader) : nil
        let head = reader.number(upTo: 2 * RecordLimits.states + 1, of: "states")
        var row = Row()
        row.isMirrored = head & 1 == 1
        row.scale.thousandths = reader.length()
        row.reach = LayoutSheet.Reach(
            narrowest: reader.length(), widest: reader.length(), naturalWidth: reader.length())
        let shared = excerpt.map { _ in reader.count(of: "shared") + reader.place }
        readSkeleton(&reader, version, of: &row)
        if let shared, shared != reader.place { reader.fail(.outOfRange(Int64(shared), of: "shared")) }
        let first = Int32(slices.count)
        for state in 0..<head >> 1 { readState(state, &reader, of: row) }
        excerpt?.end(&reader)
        row.states = first..<Int32(slices.count)
        rows.append(row)
    }

    /// Reads a state. Contents come first: sizes and places are told from those of lines.
    private mutating func readState(_ state: Int, _ reader: inout NumberReader, of row: Row) {
        let head = Int(reader.number())
        if head == 0 && state > 0 { return slices.append(slices[slices.count - 1]) }
        if head == 0 { reader.fail(.empty("layout")) }
        widests.removeAll()
        stretches.removeAll()
        let firstBlock = blocks.count
        var lines = PixelSize.zero
        for _ in 0..<reader.items(max(0, head - 1)) { readContent(&reader, &lines) }
        let (stamp, beside) = reader.shape(row.scale)
        let slice = LayoutSheet.Slice(
            size: PixelSize(width: lines.width &+ beside.width, height: lines.height &+ beside.height), stamp: stamp,
            placements: Int32(placements.count))
        slices.append(slice)
        let all = PixelRect(left: 0, top: 0, width: slice.size.width, height: slice.size.height)
        var next = (block: firstBlock, stretch: 0)
        for i in 0..<row.nodes.count {
            readPlace(&reader, of: i, row, first: Int(slice.placements), in: all, firstBlock: firstBlock, &next)
        }
        if next.block != blocks.count || next.stretch != stretches.count {
            reader.fail(.outOfRange(Int64(head - 1), of: "contents"))
        }
    }

    @inline(__always)
    private mutating func readPlace(
        _ reader: inout NumberReader, of node: Int, _ row: Row, first: Int, in all: PixelRect, firstBlock: Int,
        _ next: inout (block: Int, stretch: Int)
    ) {
        let code = reader.number()
        if code == 0 { return placements.append(.absent) }
        let parts = RecordForm.Place(rawValue: code)
        let isOdd = parts.has(.points) && parts.has(.signed)
        guard code <= RecordForm.Place.all.rawValue && parts.has(.isPresent) && !isOdd else {
            placements.append(.absent)
            return reader.fail(.unknownCase(UInt8(clamping: code), of: "place"))
        }
        let own = skeletonNode(node, of: row)
        let isInside = own.parent >= 0 && placements[first + own.parent].isPresent
        let outer = isInside ? placements[first + own.parent].frame : all
        let scale = parts.has(.points) ? row.scale : nil
        var place = reader.pinnedFrame(own.pins, parts, scale)
        var placement = LayoutSheet.Placement(frame: .zero)
        if parts.has(.radius) { placement.radius = reader.length(scale) }
        if parts.has(.fill) {
            placement.fill.width = reader.length(scale)
            placement.fill.height = reader.length(scale)
        }
        if parts.has(.lines) && next.block < blocks.count {
            placement.block = Int32(next.block)
            if parts.has(.hugging) { place.across.second = widests[next.block - firstBlock].width }
            if parts.has(.stacked) { place.down.second = widests[next.block - firstBlock].height }
        } else if parts.rawValue & RecordForm.Place.ofLines != 0 {
            reader.fail(.outOfRange(Int64(next.block), of: "contents"))
        }
        placement.frame = place.frame(in: outer, pins: own.pins, isMirrored: row.isMirrored)
        if placement.block >= 0 {
            align(next.block, isPlain: widests[next.block - firstBlock].isPlain, own.text, row, placement.frame.width)
            next.block += 1
        }
        if parts.has(.bars) {
            if next.stretch < stretches.count { placement.bars = stretches[next.stretch] }
            next.stretch += 1
        }
        placements.append(placement)
    }

    @inline(__always)
    private func skeletonNode(_ node: Int, of row: Row) -> (parent: Int, pins: Pins, text: Int32) {
        let place = Int(row.nodes.lowerBound) + node
        return (Int(nodes[place].parent), nodes[place].pins, nodes[place].text)
    }

    /// Moves lines to where they begin in their node.
    @inline(__always)
    private mutating func align(_ block: Int, isPlain: Bool, _ text: Int32, _ row: Row, _ width: Int32) {
        // The text is there unless there is a fault, and then any alignment will do.
        let alignment =
            text < 0 || text >= row.texts.count ? .start : texts[Int(row.texts.lowerBound + text)].alignment
        if isPlain && alignment.rawValue == Alignment.start.rawValue { return }
        for i in blocks[block].lines {
            var line = lines[Int(i)]
            line.left &+= RecordForm.left(
                of: line.width, in: width, alignment,
                isRightToLeft: line.traits.rawValue & RecordForm.rightToLeftTrait != 0)
            lines[Int(i)] = line
        }
    }
}

// Contents.
extension LayoutRows {
    private mutating func readContent(_ reader: inout NumberReader, _ size: inout PixelSize) {
        let head = reader.contentHead()
        let count = Int(head.count)
        if head.isBars {
            let first = Int32(bars.count)
            for _ in 0..<reader.items(count) { bars.append(reader.small(of: "bar")) }
            return stretches.append(first..<Int32(bars.count))
        }
        if head.isLike { reader.fail(.unknownCase(UInt8(clamping: head.rawValue), of: "content")) }
        var block = LayoutSheet.Block(
            fontSize: reader.length(), pitch: reader.length(), ascent: reader.length(), lines: 0..<0, spans: 0..<0)
        let unusual = reader.unusual(of: head)
        let widest = count > 0 ? reader.length() : 0
        let firstLine = Int32(lines.count)
        let told = excerpt?.next(count) ?? (lines: 0..<count, start: 0)
        block.firstLine = Int32(told.lines.lowerBound)
        lines.append(
            from: &reader, reader.items(told.lines.count), unusual, widest: widest, isRightToLeft: head.isRightToLeft,
            from: told.start, last: count - 1 - told.lines.lowerBound)
        block.lines = firstLine..<Int32(lines.count)
        if unusual.rawValue & RecordForm.Lines.spans.rawValue != 0 { block.spans = readSpans(&reader) }
        blocks.append(block)
        let height = block.pitch &* Int32(count)
        let hasUsualTraits = unusual.rawValue & RecordForm.Lines.traits.rawValue == 0
        widests.append((widest, height, !head.isRightToLeft && hasUsualTraits))
        size.width = max(size.width, widest)
        size.height &+= height
    }

    private mutating func readSpans(_ reader: inout NumberReader) -> Range<Int32> {
        let first = Int32(spans.count)
        for _ in 0..<reader.count(of: "spans") {
            spans.append(
                .init(
                    entity: reader.length(), line: reader.length(), left: reader.signed(), width: reader.length()))
        }
        return first..<Int32(spans.count)
    }
}

extension NumberReader {
    /// Reads how the stamp found its place, and how much wider and higher a layout is than its lines.
    @inline(__always)
    fileprivate mutating func shape(_ scale: Scale) -> (stamp: StampMode, beside: PixelSize) {
        let head = small(of: "shape")
        let stamp = StampMode(rawValue: head & 7)
        if stamp == nil || head >= 16 { fail(.unknownCase(head, of: "stamp")) }
        return (stamp ?? .none, sizeBesideLines(in: UInt32(head), scale))
    }

    @inline(__always)
    fileprivate mutating func pinnedFrame(
        _ pins: Pins, _ parts: RecordForm.Place, _ scale: Scale?
    ) -> PinnedFrame {
        let isSigned = parts.has(.signed)
        return PinnedFrame(
            across: axis(isStretched: pins.rawValue & 3 == 3, isSigned, isAlone: parts.has(.hugging), scale),
            down: axis(isStretched: pins.rawValue & 12 == 12, isSigned, isAlone: parts.has(.stacked), scale))
    }

    @inline(__always)
    private mutating func axis(
        isStretched: Bool, _ isSigned: Bool, isAlone: Bool, _ scale: Scale?
    ) -> PinnedFrame.Axis {
        let offset = isSigned ? signed() : length(scale)
        let second = isAlone ? 0 : isSigned && isStretched ? signed() : length(scale)
        return PinnedFrame.Axis(offset: offset, second: second, isStretched: isStretched)
    }

    /// Reads a length; it is in points if there is a scale.
    @inline(__always)
    fileprivate mutating func length(_ scale: Scale?) -> Int32 {
        let number = number()
        guard let scale else { return Int32(bitPattern: number) }
        return RecordForm.pixels(number, scale)
    }
}

extension Buffer<LayoutSheet.BlockLine> {
    @inline(__always)
    fileprivate mutating func append(
        from reader: inout NumberReader, _ count: Int, _ unusual: RecordForm.Lines, widest: Int32, isRightToLeft: Bool,
        from start: Int32, last: Int
    ) {
        var start = start
        if unusual.rawValue & RecordForm.Lines.ofLines == 0 {
            for i in 0..<count {
                let end = start &+ reader.length()
                let traits = RecordForm.traits(isRightToLeft: isRightToLeft, isLast: i == last)
                append(
                    .init(
                        start: start, end: end, left: 0, width: widest &- reader.length(),
                        traits: LineTraits(rawValue: traits)))
                start = end
            }
            return
        }
        for i in 0..<count {
            if unusual.contains(.gaps) { start &+= reader.signed() }
            let end = start &+ reader.length()
            let width = widest &- reader.length()
            let left = unusual.contains(.lefts) ? reader.signed() : 0
            let traits =
                unusual.contains(.traits)
                ? reader.length()
                : RecordForm.traits(isRightToLeft: isRightToLeft, isLast: i == last)
            append(
                .init(start: start, end: end, left: left, width: width, traits: LineTraits(rawValue: traits)))
            start = end
        }
    }
}
