package import Bytes
import MessageLayout
import Typography

/// Cuts from records what one target and variant need: the shared part, and the layouts of their states. Stretches of bytes
/// are copied, in the order in which `LayoutRows` reads them; only faces, and lines that are told by others, are put into
/// whole device pixels.
///
/// It keeps its memory from one record to the next.
///
///     var cutter = RecordCutter()
///     try cutter.cut(record, target: 3, variant: 1, into: &row)
package struct RecordCutter: ~Copyable {
    private var row = Buffer<UInt8>(capacity: 1024)
    private var shapes = ChunkWalk(.shape)
    private var places = ChunkWalk(.place)
    private var faces = ChunkWalk(.face)
    private var contents = ChunkWalk(.content)
    /// Numbers of the shape and the contents of the layout at work, of its variant's first state, and of the first variant's.
    private var own = Buffer<Int32>()
    private var first = Buffer<Int32>()
    private var base = Buffer<Int32>()

    package init() {}

    /// Replaces `bytes` with a row. Throws for a target or variant that the record does not have, too.
    package mutating func cut(
        _ record: LayoutRecord, target: Int, variant: Int, into bytes: inout [UInt8]
    ) throws(ByteError) {
        guard record.targets.indices ~= target else { throw .outOfRange(Int64(target), of: "target") }
        guard 0..<record.variantCount ~= variant else { throw .outOfRange(Int64(variant), of: "variant") }
        begin(record.parts)
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(ByteError) in
            let reach = try unsafe source.reach(target, of: record)
            row.append(RecordForm.version)
            row.number(record.stateCount << 1 | (record.targets[target].isMirrored ? 1 : 0))
            row.number(record.targets[target].scale.thousandths)
            row.number(reach.narrowest)
            row.number(reach.widest)
            row.number(reach.naturalWidth)
            unsafe row.append(UnsafeBufferPointer(rebasing: source[record.parts.shared]))
            try unsafe cutStates(of: record, target, variant, from: source)
        }
        guard row.count <= RecordLimits.row else {
            throw .tooLong(row.count, limit: RecordLimits.row, of: "row")
        }
        bytes.removeAll(keepingCapacity: true)
        unsafe bytes.append(contentsOf: row.elements)
    }

    /// Finds that every table is whole, also where no layout uses it.
    package mutating func check(_ record: LayoutRecord) throws(ByteError) {
        begin(record.parts)
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(ByteError) in
            var walk = unsafe ColumnWalk(record, source)
            if !record.targets.isEmpty {
                for _ in 0..<record.variantCount * record.stateCount { walk.skip() }
            }
            try walk.finish()
            try unsafe shapes.check(in: source)
            try unsafe places.check(in: source)
            try unsafe faces.check(in: source)
            try unsafe contents.check(in: source)
        }
    }

    private mutating func begin(_ parts: LayoutRecord.Parts) {
        row.removeAll()
        shapes.begin(parts.shapes, nodeCount: parts.nodeCount)
        places.begin(parts.places)
        faces.begin(parts.faces)
        contents.begin(parts.contents)
    }

    private mutating func cutStates(
        of record: LayoutRecord, _ target: Int, _ variant: Int, from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        var walk = unsafe ColumnWalk(record, source)
        for column in 0..<(variant + 1) * record.stateCount {
            let state = column % record.stateCount
            if column / record.stateCount < variant && column > 0 {
                walk.skip()
                continue
            }
            if state > 0 {
                walk.read(target, like: first, isFirst: false, into: &own)
            } else {
                walk.read(target, like: base, isFirst: column == 0, into: &own)
            }
            if column == 0 { base.replace(with: own) }
            if let fault = walk.fault { throw fault }
            guard column / record.stateCount == variant else { continue }
            if state > 0 && own.isEqual(to: first) {
                row.number(0 as UInt32)
            } else {
                try unsafe cutLayout(of: record, walk, at: target, from: source)
            }
            if state == 0 { first.replace(with: own) }
        }
    }
}

// One layout: contents, then what is where.
extension RecordCutter {
    private mutating func cutLayout(
        of record: LayoutRecord, _ walk: ColumnWalk, at target: Int, from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        var shape = try unsafe shapes.reader(of: Int(own[0]) - 1, in: source)
        let head = shape.place
        shape.skip(3)
        let headEnd = shape.place
        // Which of them are there, the places say; they must be those.
        var count = 0
        for i in 1..<max(1, own.count) where own[i] > 0 { count += 1 }
        row.number(count + 1)
        for i in 1..<max(1, own.count) where own[i] > 0 {
            try unsafe cutContent(Int(own[i]) - 1, of: record, at: target, from: source)
        }
        unsafe row.append(UnsafeBufferPointer(rebasing: source[head..<headEnd]))
        for node in 0..<record.parts.nodeCount {
            let number = Int(shape.number())
            var parts = RecordForm.Place()
            if number == 0 {
                row.append(0)
            } else {
                let range = try unsafe places.range(of: number - 1, in: source)
                unsafe row.append(UnsafeBufferPointer(rebasing: source[range]))
                var place = unsafe NumberReader(source, from: range.lowerBound, to: range.upperBound)
                parts = RecordForm.Place(rawValue: place.number())
            }
            guard parts.has(.lines) == walk.fills(2 * node, own), parts.has(.bars) == walk.fills(2 * node + 1, own)
            else { throw .outOfRange(Int64(node), of: "contents") }
        }
    }

    private mutating func cutContent(
        _ number: Int, of record: LayoutRecord, at target: Int, from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        let range = try unsafe contents.range(of: number, in: source)
        guard row.count + range.count <= RecordLimits.row else {
            throw .tooLong(row.count + range.count, limit: RecordLimits.row, of: "row")
        }
        var reader = unsafe NumberReader(source, from: range.lowerBound, to: range.upperBound)
        let head = reader.number()
        if head & RecordForm.bars != 0 {
            return unsafe row.append(UnsafeBufferPointer(rebasing: source[range]))
        }
        let face = Int(reader.number())
        if head & RecordForm.like != 0 {
            let less = reader.number()
            return try unsafe cutLines(
                like: Int(head >> RecordForm.countShift), less, face: face, of: record, at: target, from: source)
        }
        row.number(head)
        try unsafe cutFace(face, at: record.targets[target].scale, from: source)
        unsafe row.append(UnsafeBufferPointer(rebasing: source[reader.place..<range.upperBound]))
    }

    private mutating func cutFace(
        _ reference: Int, at scale: Scale, from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        var reader = try unsafe faces.reader(of: reference / 3, in: source)
        let face = Face(&reader).pixels(at: scale)
        row.number(face.size)
        row.number(face.pitch)
        row.number(face.ascent &+ RecordForm.ascents[reference % 3])
    }

    /// The lines of another content, as wide as they are at this scale.
    private mutating func cutLines(
        like other: Int, _ less: UInt32, face: Int, of record: LayoutRecord, at target: Int,
        from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        var reader = try unsafe contents.reader(of: other, in: source)
        let head = reader.number()
        let count = Int(head >> RecordForm.countShift)
        let isPlain = head & (RecordForm.bars | RecordForm.like | RecordForm.unusual) == 0
        guard isPlain, 1...RecordForm.mostAlike ~= count else { throw .outOfRange(Int64(other), of: "content") }
        let (scale, otherScale) = (record.targets[target].scale, record.targets[0].scale)
        row.number(head)
        try unsafe cutFace(face, at: scale, from: source)
        reader.skip(1)
        let widest = reader.length()
        func width(_ line: Int, _ lack: Int32) -> Int32 {
            RecordForm.width(widest &- lack, at: scale, from: otherScale) &- Int32(less >> UInt32(line) & 1)
        }
        var lines = reader
        var own = Int32.min
        for line in 0..<count {
            lines.skip(1)
            own = max(own, width(line, lines.length()))
        }
        row.number(own)
        for line in 0..<count {
            row.number(reader.number())
            row.number(own &- width(line, reader.length()))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func reach(_ target: Int, of record: LayoutRecord) throws(ByteError) -> LayoutSheet.Reach {
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
}

extension Buffer<Int32> {
    fileprivate mutating func replace(with other: borrowing Buffer<Int32>) {
        removeAll()
        unsafe append(other.elements)
    }

    fileprivate func isEqual(to other: borrowing Buffer<Int32>) -> Bool {
        unsafe elements.elementsEqual(other.elements)
    }
}
