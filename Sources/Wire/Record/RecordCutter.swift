import MessageLayout

/// Cuts from records what one target and variant need: the shared part, and the layouts of their states. Nothing is
/// decoded; stretches of bytes are copied, in the order in which `LayoutRows` reads them.
///
/// It keeps its memory from one record to the next.
///
///     var cutter = RecordCutter()
///     try cutter.cut(record, target: 3, variant: 1, into: &row)
package struct RecordCutter: ~Copyable {
    private var row = Column<UInt8>(capacity: 1024)
    private var changes = ChunkWalk(.change)
    private var places = ChunkWalk(.place)
    private var contents = ChunkWalk(.content)
    /// Numbers of the changes that make a layout, one on another.
    private var path = Column<Int32>()
    /// Numbers of the contents of the layout, and of the one that it changes.
    private var list = Column<Int32>()
    private var old = Column<Int32>()

    package init() {}

    /// Replaces `bytes` with a row. Throws for a target or variant that the record does not have, too.
    package mutating func cut(
        _ record: LayoutRecord, target: Int, variant: Int, into bytes: inout [UInt8]
    ) throws(WireError) {
        guard record.targets.indices ~= target else { throw .outOfRange(Int64(target), of: "target") }
        guard 0..<record.variantCount ~= variant else { throw .outOfRange(Int64(variant), of: "variant") }
        begin(record.parts)
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(WireError) in
            row.append(RecordForm.version)
            row.number(record.stateCount << 1 | (record.targets[target].isMirrored ? 1 : 0))
            let reach = try unsafe source.reach(target, of: record)
            row.number(reach.narrowest)
            row.number(reach.widest)
            row.number(reach.naturalWidth)
            unsafe row.append(UnsafeBufferPointer(rebasing: source[record.parts.shared]))
            for state in 0..<record.stateCount {
                try unsafe findPath(record, target, variant, state, in: source)
                row.number(path.count)
                if path.count > 0 { try unsafe cutLayout(record.parts, in: source) }
            }
        }
        guard row.count <= RecordLimits.row else {
            throw .tooLong(row.count, limit: RecordLimits.row, of: "row")
        }
        bytes.removeAll(keepingCapacity: true)
        unsafe bytes.append(contentsOf: row.elements)
    }

    /// Finds that every table is whole, also where no layout uses it.
    package mutating func check(_ record: LayoutRecord) throws(WireError) {
        begin(record.parts)
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(WireError) in
            try unsafe source.checkSlots(of: record)
            try unsafe changes.check(in: source)
            try unsafe places.check(in: source)
            try unsafe contents.check(in: source)
        }
    }

    private mutating func begin(_ parts: LayoutRecord.Parts) {
        row.removeAll()
        changes.begin(parts.changes, count: parts.changeCount)
        places.begin(parts.places, count: parts.placeCount)
        contents.begin(parts.contents, count: parts.contentCount)
    }

    /// The first target of the group, the target, its variant, the variant's state: each changes what the one before has.
    /// A later state that changes nothing has no path.
    private mutating func findPath(
        _ record: LayoutRecord, _ target: Int, _ variant: Int, _ state: Int, in source: UnsafeBufferPointer<UInt8>
    ) throws(WireError) {
        path.removeAll()
        let group = Int(record.parts.groups[target])
        let column = variant * record.stateCount
        var number = try unsafe source.slot(group, column: 0, of: record)
        if number > 0 { path.append(number - 1) }
        if target != group {
            number = try unsafe source.slot(target, column: 0, of: record)
            if number > 0 { path.append(number - 1) }
        }
        if column > 0 {
            number = try unsafe source.slot(target, column: column, of: record)
            if number > 0 { path.append(number - 1) }
        }
        if state > 0 {
            number = try unsafe source.slot(target, column: column + state, of: record)
            if number > 0 { path.append(number - 1) } else { path.removeAll() }
        }
    }

    private mutating func cutLayout(
        _ parts: LayoutRecord.Parts, in source: UnsafeBufferPointer<UInt8>
    ) throws(WireError) {
        var geometry = -1
        list.removeAll()
        for i in 0..<path.count {
            let range = try unsafe changes.range(of: Int(path[i]), in: source)
            unsafe row.append(UnsafeBufferPointer(rebasing: source[range]))
            var reader = unsafe NumberReader(source, from: range.lowerBound, to: range.upperBound)
            try follow(&reader, geometry: &geometry)
        }
        guard 0..<parts.geometryCount ~= geometry else { throw .outOfRange(Int64(geometry), of: "geometry") }
        var used = 0
        for node in 0..<parts.nodeCount {
            let number = unsafe source.reference(
                geometry * parts.nodeCount + node, in: parts.geometries, width: parts.bytesPerPlace)
            if number == 0 {
                row.append(0)
                continue
            }
            let range = try unsafe places.range(of: Int(number) - 1, in: source)
            unsafe row.append(UnsafeBufferPointer(rebasing: source[range]))
            let place = RecordForm.Place(rawValue: UInt32(unsafe source[range.lowerBound]))
            if place.contains(.lines) { try unsafe cutContent(&used, in: source) }
            if place.contains(.bars) { try unsafe cutContent(&used, in: source) }
        }
        guard used == list.count else { throw .outOfRange(Int64(used), of: "contents") }
    }

    /// What a change says about which geometry and which contents.
    private mutating func follow(_ reader: inout NumberReader, geometry: inout Int) throws(WireError) {
        let mask = RecordForm.Change(rawValue: reader.number())
        reader.skip(mask.plainNumbers)
        if mask.contains(.geometry) { geometry = Int(reader.number()) }
        if mask.contains(.contents) {
            swap(&list, &old)
            list.removeAll()
            let head = reader.number()
            let count = head & 1 == 0 ? 1 : reader.items(Int(head >> 1))
            for i in 0..<count {
                let number = Int32(truncatingIfNeeded: head & 1 == 0 ? head >> 1 : reader.number())
                let before = i - (count - old.count)
                if number > 0 {
                    list.append(number - 1)
                } else if number == 0 && before >= 0 && before < old.count {
                    list.append(old[before])
                } else {
                    throw .outOfRange(Int64(number), of: "content")
                }
            }
        }
        if let fault = reader.fault { throw fault }
    }

    private mutating func cutContent(_ used: inout Int, in source: UnsafeBufferPointer<UInt8>) throws(WireError) {
        guard used < list.count else { throw .outOfRange(Int64(used), of: "contents") }
        let range = try unsafe contents.range(of: Int(list[used]), in: source)
        guard row.count + range.count <= RecordLimits.row else {
            throw .tooLong(row.count + range.count, limit: RecordLimits.row, of: "row")
        }
        unsafe row.append(UnsafeBufferPointer(rebasing: source[range]))
        used += 1
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func reach(_ target: Int, of record: LayoutRecord) throws(WireError) -> LayoutSheet.Reach {
        let part = record.parts.reaches
        var reader = unsafe NumberReader(self, from: part.lowerBound, to: part.upperBound)
        var walk = ReachWalk()
        var reach = LayoutSheet.Reach.unlimited
        for i in 0...target {
            reach = walk.next(
                &reader, row: record.targets[i].rowPixels, beginsGroup: record.parts.groups[i] == Int32(i))
        }
        if let fault = reader.fault { throw fault }
        return reach
    }

    /// The number of the change of one target in one column.
    fileprivate func slot(_ target: Int, column: Int, of record: LayoutRecord) throws(WireError) -> Int32 {
        let part = record.parts.slots
        var reader = unsafe NumberReader(self, from: part.lowerBound, to: part.upperBound)
        for _ in 0..<column {
            let stretches = Int(reader.number())
            reader.skip(stretches == 0 ? record.targets.count : 2 * stretches)
        }
        var stretches = Int(reader.number())
        if stretches == 0 {
            reader.skip(target)
        } else {
            var end = Int(reader.number())
            while end <= target && stretches > 1 {
                reader.skip(1)
                end += Int(reader.number())
                stretches -= 1
            }
            if end <= target { reader.fail(.outOfRange(Int64(target), of: "slots")) }
        }
        let number = reader.length()
        if let fault = reader.fault { throw fault }
        guard number >= 0 else { throw .outOfRange(Int64(number), of: "slot") }
        return number
    }

    /// Whether the columns are all there, each for all targets, and nothing else.
    fileprivate func checkSlots(of record: LayoutRecord) throws(WireError) {
        let part = record.parts.slots
        var reader = unsafe NumberReader(self, from: part.lowerBound, to: part.upperBound)
        for _ in 0..<(record.targets.isEmpty ? 0 : record.variantCount * record.stateCount) {
            let stretches = reader.number(upTo: record.targets.count, of: "slots")
            var targets = stretches == 0 ? record.targets.count : 0
            if stretches == 0 { reader.skip(targets) }
            for _ in 0..<stretches {
                targets += Int(reader.number())
                reader.skip(1)
            }
            if targets != record.targets.count { reader.fail(.outOfRange(Int64(targets), of: "slots")) }
        }
        if let fault = reader.fault { throw fault }
        guard reader.left == 0 else { throw .trailing(count: reader.left) }
    }

    /// A number of one byte, or of two with the lower first, in a part that is known to be long enough.
    fileprivate func reference(_ i: Int, in part: Range<Int>, width: Int) -> Int32 {
        let place = part.lowerBound + i * width
        precondition(place + width <= part.upperBound)
        let low = Int32(unsafe self[place])
        return width == 1 ? low : low | Int32(unsafe self[place + 1]) << 8
    }
}
