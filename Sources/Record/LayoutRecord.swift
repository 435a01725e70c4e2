package import Bytes
package import MessageLayout

/// What is stored of one message's layout: all targets, variants and states in a few hundred bytes.
///
/// Opening one reads where its parts begin, and its targets. Layouts come out by `RecordCutter`, which copies what one
/// target and variant need, and by `LayoutRows`, which reads that; neither reads the layouts of others. The
/// documentation has the byte table.
package struct LayoutRecord: Equatable, Sendable {
    package let bytes: [UInt8]
    package let targets: [Target]
    package let variantCount: Int
    package let stateCount: Int
    let parts: Parts

    /// The newest version of rows that can be cut from it.
    package var rowVersion: RowVersion { parts.drawing.isEmpty ? .first : .second }

    /// Where in the bytes everything is.
    struct Parts: Equatable, Sendable {
        /// For each target the place of the first one of its group.
        var groups: [Int32] = []
        var nodeCount = 0
        var shared = 0..<0
        /// Empty in records of version 1.
        var drawing = 0..<0
        var targets = 0..<0
        var reaches = 0..<0
        var columns = 0..<0
        var shapes = Table()
        var places = Table()
        var faces = Table()
        var contents = Table()
    }

    /// Chunks, one behind another.
    struct Table: Equatable, Sendable {
        var count = 0
        var bytes = 0..<0
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
        (targets, parts) = (opening.targets, opening.parts)
        (variantCount, stateCount) = (opening.variantCount, opening.stateCount)
    }

    /// What is read of a record when it is opened.
    private struct Opening {
        var targets: [Target] = []
        var variantCount = 0
        var stateCount = 0
        var parts = Parts()

        mutating func read(_ reader: inout NumberReader, like other: LayoutRecord?) throws(ByteError) {
            let version = reader.byte()
            if let fault = reader.fault { throw fault }
            guard RecordForm.firstVersion...RecordForm.version ~= version else { throw .unknownVersion(version) }
            let shared = reader.count(of: "shared")
            parts.shared = reader.place..<reader.place + shared
            var ahead = reader
            parts.nodeCount = ahead.number(upTo: RecordLimits.nodes, of: "nodes")
            reader.pass(shared)
            if version == RecordForm.version { parts.drawing = reader.part(reader.count(of: "drawing")) }
            try readTargets(&reader, like: other)
            try readReaches(&reader)
            variantCount = reader.number(upTo: RecordLimits.variants, of: "variants")
            stateCount = reader.number(upTo: RecordLimits.states, of: "states")
            let columns = reader.count(of: "columns")
            let (shapeCount, shapes) = (reader.count(of: "shapes"), reader.count(of: "shapes"))
            let (placeCount, places) = (reader.count(of: "places"), reader.count(of: "places"))
            let (faceCount, faces) = (reader.count(of: "faces"), reader.count(of: "faces"))
            let (contentCount, contents) = (reader.count(of: "contents"), reader.count(of: "contents"))
            parts.columns = reader.part(columns)
            parts.shapes = Table(count: shapeCount, bytes: reader.part(shapes))
            parts.places = Table(count: placeCount, bytes: reader.part(places))
            parts.faces = Table(count: faceCount, bytes: reader.part(faces))
            parts.contents = Table(count: contentCount, bytes: reader.part(contents))
            if let fault = ahead.fault ?? reader.fault { throw fault }
            guard reader.left == 0 else { throw .trailing(count: reader.left) }
        }

        private mutating func readTargets(_ reader: inout NumberReader, like other: LayoutRecord?) throws(ByteError) {
            let start = reader.place
            if let other, unsafe other.hasTargets(in: reader.rest) {
                (targets, parts.groups) = (other.targets, other.parts.groups)
                reader.pass(other.parts.targets.count)
                parts.targets = start..<reader.place
                return
            }
            var walk = TargetWalk(&reader)
            targets.reserveCapacity(16)
            parts.groups.reserveCapacity(16)
            while let target = try walk.next(&reader) {
                targets.append(target)
                parts.groups.append(Int32(walk.group))
            }
            parts.targets = start..<reader.place
        }

        /// What they say is read for the target of a row.
        private mutating func readReaches(_ reader: inout NumberReader) throws(ByteError) {
            let start = reader.place
            reader.skip(2 * targets.count + parts.groups.indices.count { parts.groups[$0] == Int32($0) })
            if let fault = reader.fault { throw fault }
            parts.reaches = start..<reader.place
        }
    }
}

extension LayoutRecord {
    /// Whether bytes begin with its targets; how many there are is told first, so that none follow.
    fileprivate func hasTargets(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.prefix(parts.targets.count).elementsEqual(self.bytes[parts.targets])
    }
}

extension NumberReader {
    /// The next so many bytes.
    fileprivate mutating func part(_ count: Int) -> Range<Int> {
        let start = place
        pass(count)
        return start..<place
    }
}

extension LayoutRecord {
    /// Bytes of each part, as `forme-bench record` shows them.
    package static func sections(of bytes: [UInt8]) throws(ByteError) -> [(name: String, bytes: Int)] {
        let parts = try LayoutRecord(bytes).parts
        var sections = [
            ("shared", parts.shared.count), ("drawing", parts.drawing.count), ("targets", parts.targets.count),
            ("reaches", parts.reaches.count),
            ("columns", parts.columns.count), ("shapes", parts.shapes.bytes.count),
            ("places", parts.places.bytes.count), ("faces", parts.faces.bytes.count),
            ("contents", parts.contents.bytes.count),
        ]
        sections.append(("sizes", bytes.count - sections.reduce(0) { $0 + $1.1 }))
        return sections
    }
}
