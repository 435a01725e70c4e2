package import MessageLayout
package import Record

/// Whether the rows that are written from a sheet, for each target and variant and in each version, are those that
/// are cut from its record, with the same size and number of lines.
package func rowsAreCut(
    of sheet: LayoutSheet, _ encoder: inout RecordEncoder, _ cutter: inout RecordCutter, _ writer: inout RowWriter
) throws -> Bool {
    var (bytes, cut, written) = ([UInt8](), [UInt8](), [UInt8]())
    try encoder.encode(sheet, into: &bytes)
    let record = try LayoutRecord(bytes)
    for variant in 0..<Int(sheet.variantCount) {
        for target in sheet.targets.indices {
            let (group, lane) = target.quotientAndRemainder(dividingBy: Lanes.scalarCount)
            try writer.turn(to: sheet, group: group, [lane], variant: variant)
            for version in RowVersion.allCases {
                try cutter.cut(record, target: target, variant: variant, upTo: version, into: &cut)
                try writer.write(sheet, lane, upTo: version, into: &written)
                guard written == cut, writer.size == cutter.size, writer.lineCount == cutter.lineCount else {
                    return false
                }
            }
        }
    }
    return true
}
