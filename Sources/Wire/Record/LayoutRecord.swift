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

    /// Where in the bytes everything is.
    struct Parts: Equatable, Sendable {
        /// For each target the place of the first one of its group.
        var groups: [Int32] = []
        var nodeCount = 0
        var geometryCount = 0
        var changeCount = 0
        var placeCount = 0
        var contentCount = 0
        var shared = 0..<0
        var targets = 0..<0
        var reaches = 0..<0
        var slots = 0..<0
        var geometries = 0..<0
        var changes = 0..<0
        var places = 0..<0
        var contents = 0..<0

        var bytesPerPlace: Int { placeCount > 255 ? 2 : 1 }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= RecordLimits.record else {
            throw .tooLong(bytes.count, limit: RecordLimits.record, of: "record")
        }
        var opening = Opening()
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(WireError) in
            var reader = unsafe NumberReader(bytes)
            try opening.read(&reader)
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

        mutating func read(_ reader: inout NumberReader) throws(WireError) {
            let version = reader.byte()
            if let fault = reader.fault { throw fault }
            guard version == RecordForm.version else { throw .unknownVersion(version) }
            let shared = reader.count(of: "shared")
            parts.shared = reader.place..<reader.place + shared
            var ahead = reader
            parts.nodeCount = ahead.number(upTo: RecordLimits.nodes, of: "nodes")
            reader.pass(shared)
            try readTargets(&reader)
            try readReaches(&reader)
            variantCount = reader.number(upTo: RecordLimits.variants, of: "variants")
            stateCount = reader.number(upTo: RecordLimits.states, of: "states")
            let slots = reader.count(of: "slots")
            parts.geometryCount = reader.count(of: "geometries")
            parts.changeCount = reader.count(of: "changes")
            let changes = reader.count(of: "changes")
            parts.placeCount = reader.count(of: "places")
            let places = reader.count(of: "places")
            parts.contentCount = reader.count(of: "contents")
            let contents = reader.count(of: "contents")
            parts.slots = reader.part(slots)
            parts.geometries = reader.part(parts.geometryCount * parts.nodeCount * parts.bytesPerPlace)
            parts.changes = reader.part(changes)
            parts.places = reader.part(places)
            parts.contents = reader.part(contents)
            if let fault = ahead.fault ?? reader.fault { throw fault }
            guard reader.left == 0 else { throw .trailing(count: reader.left) }
        }

        private mutating func readTargets(_ reader: inout NumberReader) throws(WireError) {
            let start = reader.place
            var walk = TargetWalk(&reader)
            targets.reserveCapacity(16)
            parts.groups.reserveCapacity(16)
            while let target = try walk.next(&reader) {
                targets.append(target)
                parts.groups.append(Int32(walk.group))
            }
            parts.targets = start..<reader.place
        }

        private mutating func readReaches(_ reader: inout NumberReader) throws(WireError) {
            let start = reader.place
            var walk = ReachWalk()
            for i in targets.indices {
                _ = walk.next(&reader, row: targets[i].rowPixels, beginsGroup: parts.groups[i] == Int32(i))
            }
            if let fault = reader.fault { throw fault }
            parts.reaches = start..<reader.place
        }
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
    /// How many bytes each part takes: what `forme bench record` shows.
    package static func sections(of bytes: [UInt8]) throws(WireError) -> [(name: String, bytes: Int)] {
        let parts = try LayoutRecord(bytes).parts
        var sections = [
            ("shared", parts.shared.count), ("targets", parts.targets.count), ("reaches", parts.reaches.count),
            ("slots", parts.slots.count),
            ("changes", parts.changes.count), ("geometries", parts.geometries.count),
            ("places", parts.places.count), ("contents", parts.contents.count),
        ]
        sections.append(("sizes", bytes.count - sections.reduce(0) { $0 + $1.1 }))
        return sections
    }
}
