import Bytes
import MessageLayout
import Typography

/// Where the numbers of contents and places go: into a table of a record, which knows again what it has, or into a row.
protocol NumberSink: ~Copyable {
    mutating func number(_ value: UInt32)
    mutating func number(_ value: Int32)
    mutating func signed(_ value: Int32)
}

extension ChunkTable: NumberSink {}
extension Buffer: NumberSink where Element == UInt8 {}

extension NumberSink where Self: ~Copyable {
    /// Lines, behind their head and their face.
    ///
    /// - Parameter hidden: traits that are not told.
    mutating func append(
        _ block: LayoutSheet.Block, _ kind: LineKind, _ alignment: Alignment, width: Int32, of sheet: LayoutSheet,
        without hidden: Int32 = 0
    ) {
        let unusual = kind.unusual.rawValue
        if unusual != 0 { number(unusual) }
        if !block.lines.isEmpty { number(kind.widest) }
        var last: Int32 = 0
        for i in Int(block.lines.lowerBound)..<Int(block.lines.upperBound) {
            let line = sheet.lines[i]
            if unusual & RecordForm.Lines.gaps.rawValue != 0 { signed(line.start &- last) }
            number(line.end &- line.start)
            number(kind.widest &- line.width)
            if unusual & RecordForm.Lines.lefts.rawValue != 0 {
                signed(line.left &- line.usualLeft(in: width, alignment))
            }
            if unusual & RecordForm.Lines.traits.rawValue != 0 { number(line.traits.rawValue & ~hidden) }
            last = line.end
        }
        if !block.spans.isEmpty { appendSpans(of: block, sheet) }
    }

    private mutating func appendSpans(of block: LayoutSheet.Block, _ sheet: LayoutSheet) {
        number(UInt32(block.spans.count))
        for i in block.spans {
            let span = sheet.spans[Int(i)]
            number(span.entity)
            number(span.line)
            signed(span.left)
            number(span.width)
        }
    }

    /// Bars, with their head.
    mutating func append(bars: Range<Int32>, of sheet: LayoutSheet) {
        number(ContentHead.bars(bars.count).rawValue)
        for i in bars { number(UInt32(sheet.bars[Int(i)])) }
    }
}
