import Bytes
import MessageLayout
import Typography

/// The common properties of all lines of a block.
struct LineKind {
    var unusual: RecordForm.Lines
    var isRightToLeft: Bool
    /// Width of the widest line.
    var widest: Int32

    /// The kind of a node that has no lines.
    static var none: LineKind { LineKind() }

    private init() { (unusual, isRightToLeft, widest) = ([], false, 0) }

    init(
        _ block: LayoutSheet.Block, _ alignment: Alignment, width: Int32,
        _ lines: borrowing Span<LayoutSheet.BlockLine>
    ) {
        self.init(block)
        let (first, end) = (Int(block.lines.lowerBound), Int(block.lines.upperBound))
        var last: Int32 = 0
        for i in first..<end {
            let line = lines[i]
            take(
                LineNumbers(
                    gap: line.start &- last, units: line.end &- line.start, width: line.width,
                    left: line.left &- line.usualLeft(in: width, alignment), traits: line.traits.rawValue),
                isFirst: i == first, isLast: i == end - 1)
            last = line.end
        }
    }

    /// The kind of a block whose lines follow.
    init(_ block: LayoutSheet.Block) {
        self.init()
        if !block.spans.isEmpty { unusual = .spans }
    }

    /// Hides traits that are not told, as these are not unusual.
    mutating func hide(_ hidden: Int32, _ block: LayoutSheet.Block, _ lines: [LayoutSheet.BlockLine]) {
        guard unusual.has(.traits) else { return }
        for i in Int(block.lines.lowerBound)..<Int(block.lines.upperBound) {
            let usual = RecordForm.traits(isRightToLeft: isRightToLeft, isLast: i == Int(block.lines.upperBound) - 1)
            if lines[i].traits.rawValue & ~hidden != usual { return }
        }
        unusual = unusual.subtracting(.traits)
    }

    @inline(__always)
    mutating func take(_ line: LineNumbers, isFirst: Bool, isLast: Bool) {
        if isFirst {
            isRightToLeft = line.traits & RecordForm.rightToLeftTrait != 0
            widest = line.width
        }
        widest = max(widest, line.width)
        var bits = unusual.rawValue
        if line.gap != 0 { bits |= RecordForm.Lines.gaps.rawValue }
        if line.left != 0 { bits |= RecordForm.Lines.lefts.rawValue }
        if line.traits != RecordForm.traits(isRightToLeft: isRightToLeft, isLast: isLast) {
            bits |= RecordForm.Lines.traits.rawValue
        }
        unusual = RecordForm.Lines(rawValue: bits)
    }
}

extension Buffer<Int32> {
    /// Whether the numbers of another buffer stand at a place.
    func holds(_ other: borrowing Buffer<Int32>, at place: Int) -> Bool {
        precondition(place >= 0 && place &+ other.count <= count)
        let (own, its) = unsafe (elements, other.elements)
        var i = 0
        while i < its.count {
            if unsafe own[place &+ i] != its[i] { return false }
            i &+= 1
        }
        return true
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

// Writing into a row.
extension Buffer<UInt8> {
    /// Appends lines, behind their head and their face.
    ///
    /// - Parameter hidden: traits that are not told.
    mutating func append(
        _ block: LayoutSheet.Block, _ kind: LineKind, _ alignment: Alignment, width: Int32, of sheet: LayoutSheet,
        without hidden: Int32 = 0
    ) {
        let unusual = kind.unusual
        if unusual.rawValue != 0 { number(unusual.rawValue) }
        if !block.lines.isEmpty { number(kind.widest) }
        var last: Int32 = 0
        for i in Int(block.lines.lowerBound)..<Int(block.lines.upperBound) {
            let line = sheet.lines[i]
            append(
                LineNumbers(
                    gap: line.start &- last, units: line.end &- line.start, width: line.width,
                    left: line.left &- line.usualLeft(in: width, alignment), traits: line.traits.rawValue & ~hidden),
                unusual, widest: kind.widest)
            last = line.end
        }
        guard unusual.has(.spans) else { return }
        number(block.spans.count)
        for i in block.spans { append(sheet.spans[Int(i)]) }
    }

    @inline(__always)
    mutating func append(_ line: LineNumbers, _ unusual: RecordForm.Lines, widest: Int32) {
        if unusual.has(.gaps) { signed(line.gap) }
        number(line.units)
        number(widest &- line.width)
        if unusual.has(.lefts) { signed(line.left) }
        if unusual.has(.traits) { number(line.traits) }
    }

    mutating func append(_ span: LayoutSheet.EntitySpan) {
        number(span.entity)
        number(span.line)
        signed(span.left)
        number(span.width)
    }

    /// Appends bars, with their head.
    mutating func append(bars: some Collection<UInt8>) {
        number(ContentHead.bars(bars.count).rawValue)
        for bar in bars { number(bar) }
    }
}

/// The numbers that are told of a line.
struct LineNumbers: Equatable {
    /// The distance from the end of the line before.
    var gap: Int32 = 0
    var units: Int32
    var width: Int32
    /// The distance from the place where it usually begins.
    var left: Int32 = 0
    var traits: Int32 = 0
}
