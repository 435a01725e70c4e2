import Bytes
import MessageLayout
import Typography

/// The contents of a record: lines of texts, and bars, each there once; and the faces of lines.
struct ContentTable: ~Copyable {
    private(set) var chunks = ChunkTable()
    private(set) var faces = FaceTable()
    private var known = Buffer<KnownBlock>()
    /// Lines at the first scale, which others may be like; for each node the last of them, each with the one before it.
    private var originals = Buffer<Original>()
    private var lastOriginals = Buffer<Int32>()
    /// For each node the last of its blocks that was not known.
    private var lastBlocks = Buffer<Int32>()
    /// Of the target at work, and of the first.
    private var scale = Scale.one
    private var firstScale = Scale.one

    // Not private: the compiler stumbles over memory of what other files cannot name.
    struct KnownBlock {
        var node: Int32 = -1
        var scale: Int32 = 0
        /// Of the node; any is as good where lines begin at its left edge.
        var width: Int32 = 0
        var isOfAnyWidth = false
        /// From 1.
        var content: Int32 = 0
        /// Of its lines.
        var widest: Int32 = 0
        var height: Int32 = 0

        @inline(__always)
        func serves(_ node: Int, _ width: Int32, _ scale: Scale) -> Bool {
            self.node == Int32(truncatingIfNeeded: node) && self.scale == scale.thousandths
                && (isOfAnyWidth || self.width == width)
        }
    }

    struct Original {
        var content: Int32
        var lines: Range<Int32>
        var before: Int32
    }

    /// Turns to another message.
    mutating func begin(_ sheet: LayoutSheet, nodes: Int) {
        chunks.removeAll()
        faces.removeAll()
        known.refill(KnownBlock(), count: sheet.blocks.count)
        originals.removeAll()
        lastOriginals.refill(-1, count: nodes)
        lastBlocks.refill(-1, count: nodes)
        firstScale = sheet.targets.first?.scale ?? .one
    }

    mutating func turn(to scale: Scale) { self.scale = scale }

    /// The lines of a block. Layouts share blocks: as a rule it is known.
    @inline(__always)
    mutating func encode(
        _ block: Int, node: Int, width: Int32, _ alignment: Alignment, _ sheet: LayoutSheet
    ) -> KnownBlock {
        let known = known[block]
        return known.serves(node, width, scale) ? known : encodeNew(block, node: node, width: width, alignment, sheet)
    }

    /// Bars; returns the number of the content, from 1.
    mutating func encode(_ bars: Range<Int32>, of sheet: LayoutSheet) -> Int32 {
        chunks.append(bars: bars, of: sheet)
        return chunks.close() + 1
    }

    @inline(never)
    private mutating func encodeNew(
        _ number: Int, node: Int, width: Int32, _ alignment: Alignment, _ sheet: LayoutSheet
    ) -> KnownBlock {
        let block = sheet.blocks[number]
        // Or it is as the last one of this node.
        let last = Int(lastBlocks[node])
        if last >= 0 && known[last].serves(node, width, scale) && sheet.isEqual(block, sheet.blocks[last]) {
            known[number] = known[last]
            return known[number]
        }
        lastBlocks[node] = Int32(number)
        let kind = LineKind(block, alignment, width: width, sheet.lines.span)
        let face = faces.reference(to: block, at: scale)
        let count = block.lines.upperBound - block.lines.lowerBound
        let isOriginal = scale.thousandths == firstScale.thousandths
        let mayBeLike = kind.unusual.rawValue == 0 && count <= ContentHead.mostAlike && count > 0
        var content: Int32 = -1
        if mayBeLike && !isOriginal { content = encodeLike(block, node: node, face: face, sheet.lines.span) }
        if content < 0 {
            chunks.number(ContentHead.lines(count, kind).rawValue)
            chunks.number(face)
            chunks.append(block, kind, alignment, width: width, of: sheet)
            content = chunks.close()
            if mayBeLike && isOriginal { remember(content, block.lines, node: node) }
        }
        known[number] = KnownBlock(
            node: Int32(node), scale: scale.thousandths, width: width, isOfAnyWidth: !kind.dependsOnWidth,
            content: content + 1, widest: kind.widest, height: block.pitch &* count)
        return known[number]
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
        _ block: LayoutSheet.Block, node: Int, face: Int32, _ lines: borrowing Span<LayoutSheet.BlockLine>
    ) -> Int32 {
        var other = lastOriginals[node]
        while other >= 0 {
            let original = originals[Int(other)]
            other = original.before
            guard let less = original.less(block.lines, lines, at: scale, from: firstScale) else { continue }
            chunks.number(ContentHead.like(original.content).rawValue)
            chunks.number(face)
            chunks.number(less)
            return chunks.close()
        }
        return -1
    }
}

extension LayoutSheet {
    @inline(__always)
    fileprivate func isEqual(_ one: Block, _ other: Block) -> Bool {
        guard one.fontSize == other.fontSize, one.pitch == other.pitch, one.ascent == other.ascent,
            one.lines.upperBound &- one.lines.lowerBound == other.lines.upperBound &- other.lines.lowerBound,
            one.spans.lowerBound == one.spans.upperBound, other.spans.lowerBound == other.spans.upperBound
        else { return false }
        let lines = lines.span
        let (first, otherFirst) = (Int(one.lines.lowerBound), Int(other.lines.lowerBound))
        for i in 0..<Int(one.lines.upperBound) - first {
            let (own, its) = (lines[first + i], lines[otherFirst + i])
            guard own.end == its.end, own.width == its.width, own.left == its.left, own.start == its.start,
                own.traits.rawValue == its.traits.rawValue
            else { return false }
        }
        return true
    }
}

extension ContentTable.Original {
    /// Of lines that break alike and are as wide as their scales say or one less, which are one less.
    fileprivate func less(
        _ own: Range<Int32>, _ all: borrowing Span<LayoutSheet.BlockLine>, at scale: Scale, from firstScale: Scale
    ) -> UInt32? {
        let (first, otherFirst) = (Int(own.lowerBound), Int(lines.lowerBound))
        let count = Int(own.upperBound) - first
        guard count == Int(lines.upperBound) - otherFirst else { return nil }
        var less: UInt32 = 0
        for i in 0..<count {
            let (own, other) = (all[first + i], all[otherFirst + i])
            let isAlike = own.end == other.end && own.traits.rawValue == other.traits.rawValue
            guard isAlike, other.width >= 0 else { return nil }
            let off = RecordForm.width(other.width, at: scale, from: firstScale) &- own.width
            guard off == 0 || off == 1 else { return nil }
            less |= UInt32(off) << UInt32(i)
        }
        return less
    }
}

/// What all lines of a block have in common.
struct LineKind {
    var unusual: RecordForm.Lines
    var isRightToLeft: Bool
    /// Width of the widest line.
    var widest: Int32

    /// Whether where a line begins depends on how wide the node is.
    var dependsOnWidth = false

    /// Of what has no lines.
    static var none: LineKind { LineKind() }

    private init() { (unusual, isRightToLeft, widest) = ([], false, 0) }

    init(
        _ block: LayoutSheet.Block, _ alignment: Alignment, width: Int32,
        _ lines: borrowing Span<LayoutSheet.BlockLine>
    ) {
        let (first, end) = (Int(block.lines.lowerBound), Int(block.lines.upperBound))
        isRightToLeft = first < end && lines[first].isRightToLeft
        widest = first < end ? lines[first].width : 0
        var bits = block.spans.isEmpty ? 0 : RecordForm.Lines.spans.rawValue
        var last: Int32 = 0
        for i in first..<end {
            let line = lines[i]
            widest = max(widest, line.width)
            switch alignment {
            case .start: dependsOnWidth = dependsOnWidth || line.isRightToLeft
            case .center: dependsOnWidth = true
            case .end: dependsOnWidth = dependsOnWidth || !line.isRightToLeft
            }
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
    fileprivate var isRightToLeft: Bool { traits.rawValue & RecordForm.rightToLeftTrait != 0 }

    @inline(__always)
    func usualLeft(in width: Int32, _ alignment: Alignment) -> Int32 {
        RecordForm.left(of: self.width, in: width, alignment, isRightToLeft: isRightToLeft)
    }
}
