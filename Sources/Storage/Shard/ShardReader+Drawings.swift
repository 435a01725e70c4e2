import Bytes
package import MessageLayout
package import Names
package import Record
package import Wire

/// The drawing of a row as it is stored, without its message and place, which the caller knows.
package struct StoredDrawing: Sendable {
    package let job: JobNumber
    /// Nil for one that cannot be read.
    package let record: LayoutRecord?
    /// The index of the screen among its targets; nil where it is not laid out for that.
    package let target: Int?
    /// The measured texts that a layout for the screen is made of then.
    package fileprivate(set) var measured: [UInt8] = []
    /// The edition that it was laid out for, where the edition that is read lacks it.
    package var filler: EditionID?
}

/// A memory of the parts that drawings have in common with the one before, as rows that are read
/// one after another mostly do.
package struct DrawingMemory: Sendable {
    private var last: LayoutRecord?
    private var targets: [Target] = []
    private var target: Target?
    private var place: Int?

    package init() {}

    fileprivate mutating func record(_ layout: [UInt8]) -> LayoutRecord? {
        guard let record = try? LayoutRecord(layout, like: last) else { return nil }
        // This record has other targets than the last.
        if record.targets != last?.targets { last = record }
        return record
    }

    /// The index of a target among those of a record, which are mostly the same as those before.
    package mutating func place(of target: Target, in record: LayoutRecord) -> Int? {
        if target != self.target || record.targets != targets {
            (self.target, targets) = (target, record.targets)
            place = targets.firstIndex(of: target)
        }
        return place
    }
}

extension ShardReader {
    /// The drawings of rows, by their numbers: nil for a row that is not there, or is damaged.
    /// Numbers that rise cost the least, as rows that follow each other are read one after the other.
    package mutating func drawings(
        _ numbers: [MessageNumber], for target: Target, _ memory: inout DrawingMemory
    ) throws(StorageError) -> [StoredDrawing?] {
        try atOneMoment { (reader, _) throws(StorageError) in
            defer {
                reader.tables.layouts.reset()
                reader.tables.whole.reset()
            }
            var drawings: [StoredDrawing?] = []
            drawings.reserveCapacity(numbers.count)
            // A row that is not laid out for the screen is mostly followed by others.
            var wantsTexts = false
            for number in numbers {
                var drawing: StoredDrawing?
                if !wantsTexts, let row = try reader.tables.layouts.row(number.number) {
                    drawing = reader.drawing(row, number, for: target, &memory)
                    wantsTexts = drawing.map { $0.record != nil && $0.target == nil } ?? false
                }
                if wantsTexts {
                    drawing = try reader.tables.whole.row(number.number).flatMap { row in
                        reader.drawing(row, number, for: target, &memory, texts: 4)
                    }
                }
                drawings.append(drawing)
            }
            return drawings
        }
    }

    /// - Parameter texts: the column of the measured texts, where there is one.
    private mutating func drawing(
        _ row: Statement.Row, _ number: MessageNumber, for target: Target, _ memory: inout DrawingMemory,
        texts: Int32? = nil
    ) -> StoredDrawing? {
        let job = JobNumber(UInt64(bitPattern: row.integer(1)))
        let layout = row.blob(3)
        guard let sums = row.withBlob(2, { RowHead.sums(in: $0, number, job) }), Checksum.of(layout) == sums.layout
        else {
            damaged += 1
            return nil
        }
        let record = memory.record(layout)
        var drawing = StoredDrawing(
            job: job, record: record, target: record.flatMap { memory.place(of: target, in: $0) })
        if let texts, record != nil, drawing.target == nil {
            drawing.measured = row.blob(texts)
            guard Checksum.of(drawing.measured) == sums.measured else {
                damaged += 1
                return nil
            }
        }
        return drawing
    }
}
