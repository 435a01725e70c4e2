import Bytes
import MessageLayout
import Record
import Wire

/// Layout records and rows, as they might come from a damaged disk or a stranger.
extension Fuzz {
    /// Input: a record without its version, today's and those before. A record that can be read is written and read
    /// again, the same.
    static func openRecord(_ input: ArraySlice<UInt8>) {
        for version in 1...3 as ClosedRange<UInt8> { openRecord(version, input) }
    }

    private static func openRecord(_ version: UInt8, _ input: ArraySlice<UInt8>) {
        guard let record = try? LayoutRecord([version] + input) else { return }
        var cutter = RecordCutter()
        var row: [UInt8] = []
        for target in record.targets.indices {
            for variant in 0..<record.variantCount {
                guard (try? cutter.cut(record, target: target, variant: variant, into: &row)) != nil else { continue }
                readRow(row.dropFirst())
            }
        }
        guard let sheet = try? record.sheet() else { return }
        var encoder = RecordEncoder()
        var bytes: [UInt8] = []
        try! encoder.encode(sheet, into: &bytes)
        let again = try! LayoutRecord(bytes).sheet()
        precondition(again == sheet)
    }

    /// Input: a row, or an excerpt of one, without its version.
    static func readRow(_ input: ArraySlice<UInt8>) {
        for version in [1, 2] as [UInt8] {
            var page = LayoutRows()
            if (try? page.append([version] + input)) != nil {
                for state in 0..<page.rows[0].states.count { _ = page.model(row: 0, state: state) }
            }
            cutLines([version] + input)
        }
    }

    /// Checks that a row that is cut in two is the same when its halves are united.
    private static func cutLines(_ row: [UInt8]) {
        guard let lines = try? RowLines(row) else { return }
        let middle = (lines.lines.lowerBound + lines.lines.upperBound) / 2
        let halves = [lines.lines.lowerBound..<middle, middle..<lines.lines.upperBound].map {
            try! RowLines(lines.excerpt($0))
        }
        let again = try! halves[0].united(with: halves[1])
        precondition(again == row)
    }
}
