package import Bytes
package import MessageLayout

/// The stored layouts of one message: all targets, variants and states in a few hundred bytes.
///
/// Opening a record reads its head. `RecordCutter` cuts the row from it that one target and variant need, and
/// `LayoutRows` reads that. The documentation has the byte table.
package struct LayoutRecord: Equatable, Sendable {
    package let bytes: [UInt8]
    package let variantCount: Int
    package let stateCount: Int
    let head: RecordHead
    let parts: Parts

    package var targets: [Target] { head.screens.targets }

    /// The newest version of rows that can be cut from it.
    package var rowVersion: RowVersion { head.drawing.isEmpty ? .first : .second }

    /// Places in the bytes of all that is not the head.
    struct Parts: Equatable, Sendable {
        /// Bytes that tell the head; then the places that its stem has not, and the bits of the layouts.
        var told = 0..<0
        var placeCount = 0
        var places = 0..<0
        var layouts = 0..<0
        /// The parts of a record of a version before.
        var previous: PreviousParts?
    }

    /// - Parameter other: a record that was opened before; if it has the same targets, they are not read again.
    package init(_ bytes: [UInt8], like other: LayoutRecord? = nil) throws(ByteError) {
        guard bytes.count <= RecordLimits.record else {
            throw .tooLong(bytes.count, limit: RecordLimits.record, of: "record")
        }
        var opening = Opening()
        let own = bytes
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var reader = unsafe NumberReader(bytes)
            try opening.read(&reader, of: own, like: other)
        }
        self.bytes = bytes
        (head, parts) = (opening.head, opening.parts)
        (variantCount, stateCount) = (opening.variantCount, opening.stateCount)
    }

    /// The parts of a record that are read when it is opened.
    private struct Opening {
        var head = RecordHead.none
        var variantCount = 0
        var stateCount = 0
        var parts = Parts()

        mutating func read(
            _ reader: inout NumberReader, of bytes: [UInt8], like other: LayoutRecord?
        ) throws(ByteError) {
            let version = reader.byte()
            if let fault = reader.fault { throw fault }
            if RecordForm.previousVersions ~= version {
                return try readPrevious(&reader, of: bytes, version, like: other)
            }
            guard version == RecordForm.version else { throw .unknownVersion(version) }
            if let other, unsafe other.hasHead(in: reader.rest) {
                (head, parts.told) = (other.head, other.parts.told)
                reader.pass(parts.told.count)
            } else {
                let start = reader.place
                let (own, stem) = reader.head()
                if let fault = reader.fault { throw fault }
                parts.told = start..<reader.place
                try unsafe own.withUnsafeBufferPointer { (bytes) throws(ByteError) in
                    var reader = unsafe NumberReader(bytes)
                    head = try RecordHead(&reader, of: own, stem: stem, hasDrawing: true, like: other?.head)
                    try reader.finish()
                }
            }
            readCounts(&reader)
            parts.placeCount = reader.count(of: "places", upTo: RecordLimits.places)
            let start = reader.place
            for _ in 0..<parts.placeCount where reader.fault == nil {
                reader.skip(RecordForm.Place(rawValue: reader.number()).numbers)
            }
            parts.places = start..<reader.place
            parts.layouts = reader.part(reader.count(of: "layouts"))
            try reader.finish()
        }

        private mutating func readCounts(_ reader: inout NumberReader) {
            variantCount = reader.number(upTo: RecordLimits.variants, of: "variants")
            stateCount = reader.number(upTo: RecordLimits.states, of: "states")
        }

        private mutating func readPrevious(
            _ reader: inout NumberReader, of bytes: [UInt8], _ version: UInt8, like other: LayoutRecord?
        ) throws(ByteError) {
            head = try RecordHead(&reader, of: bytes, hasDrawing: version > 1, like: other?.head)
            var previous = PreviousParts()
            try previous.readReaches(&reader, head.screens.groups)
            readCounts(&reader)
            previous.readTables(&reader)
            parts.previous = previous
            try reader.finish()
        }
    }
}

extension LayoutRecord {
    /// Whether bytes begin as its own do: then they have its head.
    fileprivate func hasHead(in other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard parts.previous == nil else { return false }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe other.begins(with: UnsafeBufferPointer(rebasing: bytes[parts.told]))
        }
    }
}

extension NumberReader {
    /// Passes over `count` bytes, and returns their range.
    mutating func part(_ count: Int) -> Range<Int> {
        let start = place
        pass(count)
        return start..<place
    }
}

extension LayoutRecord {
    /// Bytes of each part, as `forme-bench record` shows them.
    package static func sections(of bytes: [UInt8]) throws(ByteError) -> [(name: String, bytes: Int)] {
        let parts = try LayoutRecord(bytes).parts
        let sections = [("head", parts.told.count), ("places", parts.places.count), ("layouts", parts.layouts.count)]
        return sections + [("version and counts", bytes.count - sections.reduce(0) { $0 + $1.1 })]
    }
}
