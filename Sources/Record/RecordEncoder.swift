package import Bytes
package import MessageLayout
import Typography

/// Writes layout sheets as layout records. It keeps its memory from one message to the next, so a warm one allocates
/// nothing: give each lane its own.
///
///     var encoder = RecordEncoder()
///     try encoder.encode(sheet, into: &bytes)
///
/// A layout consists of the contents of its nodes, and of their places: in points wherever that is exact and without
/// the sizes of texts, so that most widths and all scales have the same.
package struct RecordEncoder: ~Copyable {
    private var record = Buffer<UInt8>(capacity: 1024)
    private var bits = GolombSink()
    /// Bits that are told behind their own length.
    private var piece = GolombSink()
    private var skeleton = SkeletonBytes()
    private var screens = SheetScreens()
    private var blocks = BlockTable()
    private var arrangements = ArrangementTable()
    private var head = HeadWriter()

    package init() {}

    /// Replaces `bytes` with the record of a sheet. Throws where the sheet is larger than a record may be.
    package mutating func encode(_ sheet: LayoutSheet, into bytes: inout [UInt8]) throws(ByteError) {
        try RecordLimits.check(sheet)
        let isOther = skeleton.turn(to: sheet.skeleton)
        let areOthers = screens.turn(to: sheet.targets)
        if areOthers { arrangements.forget() }
        record.removeAll()
        record.append(RecordForm.version)
        if isOther || areOthers { head.turn(to: skeleton, screens) }
        head.write(to: &record)
        record.number(sheet.variantCount)
        record.number(sheet.stateCount)
        try writeLayouts(of: sheet)
        guard record.count <= RecordLimits.record else {
            throw .tooLong(record.count, limit: RecordLimits.record, of: "record")
        }
        record.copy(to: &bytes)
    }

    private mutating func writeLayouts(of sheet: LayoutSheet) throws(ByteError) {
        precondition(sheet.reaches.count == sheet.targets.count)
        if sheet.targets.isEmpty {
            record.number(0 as UInt32)
            return record.number(0 as UInt32)
        }
        blocks.find(sheet, skeleton.nodes, screens, stem: head.stem)
        guard blocks.valueCount <= RecordLimits.blocks else {
            throw .tooLong(blocks.valueCount, limit: RecordLimits.blocks, of: "blocks")
        }
        arrangements.find(sheet, skeleton.nodes, blocks.lineSizes, screens, stem: head.stem)
        try arrangements.writePlaces(to: &record)
        bits.removeAll()
        blocks.writeMaps(to: &bits, screens)
        arrangements.write(to: &bits, columns: sheet.columnCount, nodes: skeleton.nodes.count, screens.all, by: &piece)
        blocks.writeContents(to: &bits, of: sheet, by: &piece)
        ReachWalk.write(sheet.reaches, to: &bits, blocks.breaks, screens.all)
        record.append(bits)
    }
}
