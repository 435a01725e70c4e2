package import Bytes
package import MessageLayout

/// What is stored of one message's layout: all targets, variants and states in a few hundred bytes.
///
/// Opening one reads its head. Layouts come out by `RecordCutter`, which writes what one target and variant need, and by
/// `LayoutRows`, which reads that. The documentation has the byte table.
package struct LayoutRecord: Equatable, Sendable {
    package let bytes: [UInt8]
    package let variantCount: Int
    package let stateCount: Int
    /// What all layouts share, what drawing needs, and the targets; in records of versions before these stand in `bytes`.
    let head: [UInt8]
    let parts: Parts

    package var targets: [Target] { parts.screens.targets }

    /// The newest version of rows that can be cut from it.
    package var rowVersion: RowVersion { parts.drawing.isEmpty ? .first : .second }

    /// Where everything is.
    struct Parts: Equatable, Sendable {
        var screens = Screens()
        var nodeCount = 0
        /// In the head.
        var shared = 0..<0
        /// Empty where the record does not say it.
        var drawing = 0..<0
        var targets = 0..<0
        /// In the bytes, what the head is told by; the places that its stem has not; and the bits of the layouts.
        var told = 0..<0
        var stem = 0
        var placeCount = 0
        var places = 0..<0
        var layouts = 0..<0
        /// Of a record of a version before.
        var previous: PreviousParts?
    }

    /// - Parameter other: one that was opened before; where it has the same targets, they are not read again.
    package init(_ bytes: [UInt8], like other: LayoutRecord? = nil) throws(ByteError) {
        guard bytes.count <= RecordLimits.record else {
            throw .tooLong(bytes.count, limit: RecordLimits.record, of: "record")
        }
        var opening = Opening()
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var reader = unsafe NumberReader(bytes)
            try opening.read(&reader, like: other)
        }
        self.bytes = bytes
        (head, parts) = (opening.head ?? bytes, opening.parts)
        (variantCount, stateCount) = (opening.variantCount, opening.stateCount)
    }

    /// What is read of a record when it is opened.
    private struct Opening {
        /// Nil where it stands in the bytes.
        var head: [UInt8]?
        var variantCount = 0
        var stateCount = 0
        var parts = Parts()

        mutating func read(_ reader: inout NumberReader, like other: LayoutRecord?) throws(ByteError) {
            let version = reader.byte()
            if let fault = reader.fault { throw fault }
            if RecordForm.previousVersions ~= version { return try readPrevious(&reader, version, like: other) }
            guard version == RecordForm.version else { throw .unknownVersion(version) }
            if let other, unsafe other.hasHead(in: reader.rest) {
                (head, parts) = (other.head, other.parts)
                reader.pass(other.parts.told.count)
            } else {
                let start = reader.place
                let (own, stem) = reader.head()
                parts.stem = stem
                if let fault = reader.fault { throw fault }
                parts.told = start..<reader.place
                try unsafe own.withUnsafeBufferPointer { (bytes) throws(ByteError) in
                    var reader = unsafe NumberReader(bytes)
                    try readHead(&reader, hasDrawing: true, like: other)
                    try reader.finish()
                }
                head = own
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

        private mutating func readHead(
            _ reader: inout NumberReader, hasDrawing: Bool, like other: LayoutRecord?
        ) throws(ByteError) {
            let shared = reader.count(of: "shared")
            parts.shared = reader.place..<reader.place + shared
            var ahead = reader
            parts.nodeCount = ahead.number(upTo: RecordLimits.nodes, of: "nodes")
            reader.pass(shared)
            if hasDrawing { parts.drawing = reader.part(reader.count(of: "drawing")) }
            if let fault = ahead.fault { throw fault }
            let start = reader.place
            defer { parts.targets = start..<reader.place }
            if let other, unsafe other.hasTargets(in: reader.rest) {
                parts.screens = other.parts.screens
                return reader.pass(other.parts.targets.count)
            }
            var walk = TargetWalk(&reader)
            while let target = try walk.next(&reader) { parts.screens.append(target) }
        }

        private mutating func readPrevious(
            _ reader: inout NumberReader, _ version: UInt8, like other: LayoutRecord?
        ) throws(ByteError) {
            try readHead(&reader, hasDrawing: version > 1, like: other)
            var previous = PreviousParts()
            try previous.readReaches(&reader, parts.screens.groups)
            readCounts(&reader)
            previous.readTables(&reader)
            parts.previous = previous
            try reader.finish()
        }
    }
}

extension LayoutRecord {
    /// Whether bytes begin with its targets; how many there are is told first, so that none follow.
    fileprivate func hasTargets(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.prefix(parts.targets.count).elementsEqual(head[parts.targets])
    }

    /// Whether bytes begin as its own do: then they have its head.
    fileprivate func hasHead(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe parts.previous == nil && bytes.prefix(parts.told.count).elementsEqual(self.bytes[parts.told])
    }
}

extension NumberReader {
    /// The next so many bytes.
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
