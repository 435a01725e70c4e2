import Bytes
import MessageLayout
import Typography

/// Cuts rows from records of versions 1 and 2, which are there until an edition of a newer release has all rows.
/// Stretches of bytes are copied, in the order in which `LayoutRows` reads them; only faces, and lines that are told
/// by others, are put into whole device pixels.
struct PreviousCutter: ~Copyable {
    private var row = Buffer<UInt8>(capacity: 1024)
    private var shapes = ChunkWalk(.shape)
    private var places = ChunkWalk(.place)
    private var faces = ChunkWalk(.face)
    private var contents = ChunkWalk(.content)
    /// Numbers of shape and contents: of the layout at work, of its variant's first state, and of the first variant's.
    private var own = Buffer<Int32>()
    private var first = Buffer<Int32>()
    private var base = Buffer<Int32>()
    /// The size that the lines of the layout at work take.
    private var lines = PixelSize.zero
    /// Traits of lines that the row does not tell.
    private var hidden: Int32 = 0
    /// The size of the row that was cut last, collapsed, and the number of its lines in all states.
    private(set) var size = PixelSize.zero
    private(set) var lineCount = 0

    init() {}

    /// Replaces `bytes` with a row. Throws for a target or variant that the record does not have, too.
    ///
    /// - Parameter newest: the newest version of rows that the receiver reads.
    mutating func cut(
        _ record: LayoutRecord, target: Int, variant: Int, upTo newest: RowVersion = .first, into bytes: inout [UInt8]
    ) throws(ByteError) {
        guard record.targets.indices ~= target else { throw .outOfRange(Int64(target), of: "target") }
        guard 0..<record.variantCount ~= variant else { throw .outOfRange(Int64(variant), of: "variant") }
        guard let parts = record.parts.previous else { throw .unknownVersion(RecordForm.version) }
        begin(parts, record.head.nodeCount)
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(ByteError) in
            let reach = try unsafe source.reach(target, of: record)
            let version = newest == .first ? .first : record.rowVersion
            hidden = version == .first ? RecordForm.joinedTraits : 0
            row.append(version, states: record.stateCount, record.targets[target], reach)
            unsafe row.append(UnsafeBufferPointer(rebasing: source[record.head.shared]))
            if version == .second {
                unsafe row.append(UnsafeBufferPointer(rebasing: source[record.head.drawing]))
            }
            try unsafe cutStates(of: record, target, variant, from: source)
        }
        try checkRoom(0)
        row.copy(to: &bytes)
    }

    /// Checks that a row may have so many bytes more.
    private func checkRoom(_ more: Int) throws(ByteError) {
        guard row.count + more <= RecordLimits.row else {
            throw .tooLong(row.count + more, limit: RecordLimits.row, of: "row")
        }
    }

    /// Checks that every table is whole, also one that no layout uses.
    mutating func check(_ record: LayoutRecord) throws(ByteError) {
        guard let parts = record.parts.previous else { throw .unknownVersion(RecordForm.version) }
        begin(parts, record.head.nodeCount)
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

    private mutating func begin(_ parts: PreviousParts, _ nodeCount: Int) {
        row.removeAll()
        lineCount = 0
        shapes.begin(parts.shapes, nodeCount: nodeCount)
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
                let size = try unsafe cutLayout(of: record, walk, at: target, from: source)
                if state == 0 { self.size = size }
            }
            if state == 0 { first.replace(with: own) }
        }
    }
}

// One layout: contents, then places.
extension PreviousCutter {
    private mutating func cutLayout(
        of record: LayoutRecord, _ walk: ColumnWalk, at target: Int, from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) -> PixelSize {
        var shape = try unsafe shapes.reader(of: Int(own[0]) - 1, in: source)
        let head = shape.place
        let beside = shape.sizeBesideLines(in: shape.number(), record.targets[target].scale)
        let headEnd = shape.place
        lines = .zero
        // The places say which contents there are; they must be these.
        var count = 0
        for i in 1..<max(1, own.count) where own[i] > 0 { count += 1 }
        row.number(count + 1)
        for i in 1..<max(1, own.count) where own[i] > 0 {
            try unsafe cutContent(Int(own[i]) - 1, of: record, at: target, from: source)
        }
        unsafe row.append(UnsafeBufferPointer(rebasing: source[head..<headEnd]))
        for node in 0..<record.head.nodeCount {
            let number = Int(shape.number())
            var parts = RecordForm.Place()
            if number == 0 {
                row.append(0)
            } else {
                let range = try unsafe places.range(of: number - 1, in: source)
                try checkRoom(range.count)
                unsafe row.append(UnsafeBufferPointer(rebasing: source[range]))
                var place = unsafe NumberReader(source, from: range.lowerBound, to: range.upperBound)
                parts = RecordForm.Place(rawValue: place.number())
            }
            guard parts.has(.lines) == walk.fills(2 * node, own), parts.has(.bars) == walk.fills(2 * node + 1, own)
            else { throw .outOfRange(Int64(node), of: "contents") }
        }
        return PixelSize(width: lines.width &+ beside.width, height: lines.height &+ beside.height)
    }

    private mutating func cutContent(
        _ number: Int, of record: LayoutRecord, at target: Int, from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        let range = try unsafe contents.range(of: number, in: source)
        try checkRoom(range.count)
        var reader = unsafe NumberReader(source, from: range.lowerBound, to: range.upperBound)
        let head = reader.contentHead()
        if head.isBars {
            return unsafe row.append(UnsafeBufferPointer(rebasing: source[range]))
        }
        let face = Int(reader.number())
        if head.isLike {
            let less = reader.number()
            return try unsafe cutLines(
                like: Int(head.count), less, face: face, of: record, at: target, from: source)
        }
        row.number(head.rawValue)
        let pitch = try unsafe cutFace(face, at: record.targets[target].scale, from: source)
        let start = row.count - reader.place
        unsafe row.append(UnsafeBufferPointer(rebasing: source[reader.place..<range.upperBound]))
        let unusual = reader.unusual(of: head)
        add(head.count, pitch: pitch, widest: head.count > 0 ? reader.length() : 0)
        if hidden != 0 && unusual.contains(.traits) { hideTraits(of: Int(head.count), unusual, reader, from: start) }
    }

    /// Clears hidden traits in lines that were copied to `start` beyond their place: traits are the last byte of a
    /// line.
    private mutating func hideTraits(
        of lines: Int, _ unusual: RecordForm.Lines, _ reader: NumberReader, from start: Int
    ) {
        var reader = reader
        for _ in 0..<lines where reader.left > 0 {
            reader.skip(unusual.numbersPerLine - 1)
            if reader.left > 0 { row[start + reader.place] &= ~UInt8(hidden) }
            reader.skip(1)
        }
    }

    private mutating func add(_ count: Int32, pitch: Int32, widest: Int32) {
        lines.width = max(lines.width, widest)
        lines.height &+= pitch &* count
        lineCount += Int(count)
    }

    /// Writes a face, and returns its pitch.
    private mutating func cutFace(
        _ reference: Int, at scale: Scale, from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) -> Int32 {
        var reader = try unsafe faces.reader(of: reference / 3, in: source)
        let face = Face(previous: &reader).pixels(at: scale)
        row.number(face.size)
        row.number(face.pitch)
        row.number(face.ascent &+ [0, 1, -1][reference % 3])
        return face.pitch
    }

    /// Writes the lines of another content, as wide as they are at this scale.
    private mutating func cutLines(
        like other: Int, _ less: UInt32, face: Int, of record: LayoutRecord, at target: Int,
        from source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        var reader = try unsafe contents.reader(of: other, in: source)
        let head = reader.contentHead()
        let count = Int(head.count)
        guard head.isPlain, 1...ContentHead.mostAlike ~= count else { throw .outOfRange(Int64(other), of: "content") }
        let (scale, otherScale) = (record.targets[target].scale, record.targets[0].scale)
        row.number(head.rawValue)
        let pitch = try unsafe cutFace(face, at: scale, from: source)
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
        add(Int32(count), pitch: pitch, widest: own)
        for line in 0..<count {
            row.number(reader.number())
            row.number(own &- width(line, reader.length()))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func reach(_ target: Int, of record: LayoutRecord) throws(ByteError) -> LayoutSheet.Reach {
        let part = record.parts.previous?.reaches ?? 0..<0
        var reader = unsafe NumberReader(self, from: part.lowerBound, to: part.upperBound)
        var walk = PreviousReachWalk()
        var reach = LayoutSheet.Reach.unlimited
        for i in 0...target {
            reach = walk.next(
                &reader, row: record.targets[i].rowPixels, beginsGroup: record.head.screens.groups[i] == Int32(i))
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
