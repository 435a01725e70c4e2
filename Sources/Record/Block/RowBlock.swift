package import Bytes
package import MessageLayout
package import Names

/// Some hundred rows of a conversation in columns, so that a million of them open in milliseconds.
///
/// Opening a block finds its columns, and reads none. A reader asks for the ones that it needs: heights of one target
/// (`BlockRows.read`), orders, numbers, or ids. A block carries a checksum, so that they can be trusted when they are
/// read long after: a damaged block does not open. The documentation has the byte table.
package struct RowBlock: Equatable, Sendable {
    /// The number of rows that blocks are sealed with.
    package static let usualCount = 256
    package static let mostRows = 512
    static let version: UInt8 = 1

    package let bytes: [UInt8]
    package let count: Int
    package let targetCount: Int
    let parts: Parts
    /// Heights that hold instead of those in the bytes; nil in a block as it was sealed.
    let restated: Restated?

    /// Heights of its rows on a screen that it was not sealed for.
    struct Restated: Equatable, Sendable {
        let target: Target
        let heights: [ContentHeights]
    }

    /// The places of all parts in the bytes.
    struct Parts: Equatable, Sendable {
        var targets = 0..<0
        var senders = 0..<0
        var looks = 0..<0
        var heights = 0..<0
        var orders = 0..<0
        var numbers = 0..<0
        var times = 0..<0
        /// Senders and looks of rows, one number after another.
        var faces = 0..<0
        /// Heights, a column for each target.
        var columns: [Range<Int>] = []
        var ids = 0..<0
    }

    package init(_ bytes: [UInt8]) throws(ByteError) {
        guard bytes.count <= RecordLimits.block else {
            throw .tooLong(bytes.count, limit: RecordLimits.block, of: "block")
        }
        var opening = Opening()
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var reader = unsafe NumberReader(bytes)
            try unsafe opening.read(&reader, in: bytes)
        }
        self.bytes = bytes
        (count, targetCount, parts) = (opening.count, opening.targetCount, opening.parts)
        restated = nil
    }

    /// The same rows with heights on one other target. Bytes are shared: a screen costs its heights and nothing else.
    package func restated(_ heights: [ContentHeights], for target: Target) throws(ByteError) -> RowBlock {
        guard heights.count == count else { throw .outOfRange(Int64(heights.count), of: "heights") }
        return RowBlock(self, Restated(target: target, heights: heights))
    }

    private init(_ block: RowBlock, _ restated: Restated) {
        (bytes, count, parts, targetCount) = (block.bytes, block.count, block.parts, 1)
        self.restated = restated
    }

    /// Bytes of memory, about.
    package var size: Int { bytes.count + (restated?.heights.count ?? 0) * MemoryLayout<ContentHeights>.stride }

    private struct Opening {
        var count = 0
        var targetCount = 0
        var parts = Parts()

        mutating func read(
            _ reader: inout NumberReader, in bytes: UnsafeBufferPointer<UInt8>
        ) throws(ByteError) {
            let version = reader.byte()
            if let fault = reader.fault { throw fault }
            guard version == RowBlock.version else { throw .unknownVersion(version) }
            let told = reader.word(UInt64.self)
            let found = unsafe BlockChecksum(of: UnsafeRawBufferPointer(reader.rest))
            if let fault = reader.fault { throw fault }
            guard told == found.value else { throw .outOfRange(Int64(bitPattern: found.value), of: "checksum") }
            count = reader.number(upTo: RowBlock.mostRows, of: "rows")
            targetCount = reader.number(upTo: RecordLimits.targets, of: "targets")
            var lengths: [Int] = []
            lengths.reserveCapacity(targetCount + 9)
            for _ in 0..<targetCount + 9 { lengths.append(reader.number(upTo: RecordLimits.block, of: "part")) }
            if let fault = reader.fault { throw fault }
            guard count > 0 else { throw .empty("block") }
            var place = reader.place
            func part(_ i: Int) -> Range<Int> {
                defer { place += lengths[i] }
                return place..<place + lengths[i]
            }
            (parts.targets, parts.senders, parts.looks, parts.heights) = (part(0), part(1), part(2), part(3))
            (parts.orders, parts.times, parts.faces) = (part(4), part(5), part(6))
            parts.columns = (0..<targetCount).map { part(7 + $0) }
            (parts.numbers, parts.ids) = (part(targetCount + 7), part(targetCount + 8))
            let whole = reader.place + reader.left
            guard place >= whole else { throw .trailing(count: whole - place) }
            guard place == whole else { throw .truncated(needed: place - whole, left: 0) }
        }
    }
}

extension RowBlock {
    /// Bytes of each part, as `forme-bench conversation` shows them.
    package var partSizes: KeyValuePairs<String, Int> {
        [
            "head": parts.targets.lowerBound, "targets": parts.targets.count, "senders": parts.senders.count,
            "looks": parts.looks.count, "heights": parts.heights.count, "orders": parts.orders.count,
            "times": parts.times.count, "faces": parts.faces.count,
            "columns": parts.columns.reduce(0) { $0 + $1.count },
            "numbers": parts.numbers.count, "ids": parts.ids.count,
        ]
    }

    /// The screens that it has heights for.
    package func targets() throws(ByteError) -> [Target] {
        if let restated { return [restated.target] }
        var targets: [Target] = []
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var reader = unsafe NumberReader(bytes, from: parts.targets.lowerBound, to: parts.targets.upperBound)
            var walk = TargetWalk(&reader)
            while let target = try walk.next(&reader) { targets.append(target) }
            try reader.finish()
        }
        guard targets.count == targetCount else { throw .outOfRange(Int64(targets.count), of: "targets") }
        return targets
    }

    package func orders() throws(ByteError) -> [Int64] { try steps(parts.orders) }

    package func numbers() throws(ByteError) -> [MessageNumber] { try steps(parts.numbers).map(MessageNumber.init) }

    private func steps(_ part: Range<Int>) throws(ByteError) -> [Int64] {
        var values: [Int64] = []
        values.reserveCapacity(count)
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var reader = unsafe NumberReader(bytes, from: part.lowerBound, to: part.upperBound)
            unsafe reader.steps(count, in: bytes) { values.append($0) }
            try reader.finish()
        }
        return values
    }

    package func messages() throws(ByteError) -> [MessageID] {
        var messages: [MessageID] = []
        messages.reserveCapacity(count)
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var reader = unsafe NumberReader(bytes, from: parts.ids.lowerBound, to: parts.ids.upperBound)
            var walk = NameWalk()
            for _ in 0..<count { messages.append(try MessageID(unsafe walk.next(&reader, in: bytes))) }
            try reader.finish()
        }
        return messages
    }
}
