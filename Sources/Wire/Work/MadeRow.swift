package import Bytes
import Record

/// A row that a worker without the folder made of a job. The worker beside the folder stores it under its own
/// epoch, or makes it anew.
package struct MadeRow: Equatable, Sendable {
    /// The index of its job in the batch, from zero.
    package var place: UInt16
    /// The template of the row, and whether it belongs to a series.
    package var template: String
    package var joinsSeries: Bool
    package var key: [UInt8]
    package var layout: [UInt8]
    package var measured: [UInt8]

    package init(
        place: UInt16, template: String, joinsSeries: Bool, key: [UInt8], layout: [UInt8], measured: [UInt8]
    ) {
        (self.place, self.template, self.joinsSeries) = (place, template, joinsSeries)
        (self.key, self.layout, self.measured) = (key, layout, measured)
    }
}

/// The rows of a batch, as they came from elsewhere. They are passed on unread.
package struct MadeRows: Equatable, Sendable {
    /// One `MadeRow` after the other.
    package var bytes: [UInt8]
    /// Jobs of the batch that are laid out beside the folder, too, and compared.
    package var checks: [UInt16]

    package init(bytes: [UInt8], checks: [UInt16]) { (self.bytes, self.checks) = (bytes, checks) }

    package func rows() throws(ByteError) -> [MadeRow] {
        var reader = ByteReader(bytes)
        var rows: [MadeRow] = []
        while !reader.isAtEnd { rows.append(try reader.value()) }
        return rows
    }
}

extension MadeRow: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(place)
        writer.text(template)
        writer.flag(joinsSeries)
        writer.block(key)
        writer.block(layout)
        writer.block(measured)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        place = try reader.integer()
        template = try reader.text(atMost: Limits.name, of: "row template")
        joinsSeries = try reader.flag(of: "series")
        key = Array(try reader.block(atMost: Limits.key, of: "key"))
        layout = Array(try reader.block(atMost: RecordLimits.record, of: "layout"))
        measured = Array(try reader.block(atMost: Limits.frame, of: "measured texts"))
    }
}

extension MadeRows: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.block(bytes)
        writer.integer(UInt16(checks.count))
        for check in checks { writer.integer(check) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        bytes = Array(try reader.block(atMost: Limits.madeRows, of: "rows"))
        let count = try reader.integer(in: 0...UInt16(Limits.jobsPerBatch), of: "checks")
        checks = []
        for _ in 0..<count { checks.append(try reader.integer()) }
    }
}
