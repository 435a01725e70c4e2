package import Bytes

/// The stored form. `Typography`'s documentation has the byte table.
extension MeasuredText {
    /// The version of the stored form. A change of meaning takes a new number.
    package static let codecVersion: UInt8 = 3
    /// The oldest version that is read. It has no joined letters.
    package static let firstCodecVersion: UInt8 = 2
    /// The mark of a joined unit, in the stored form alone, where unsafe places have a list of their own.
    static let joinedMark = Marks.unsafe.rawValue
    /// Texts are at most this long, in UTF-16 units.
    package static let longest = 1 << 22

    package func encoded() -> [UInt8] {
        var bytes = Buffer<UInt8>(capacity: 2 * count)
        encode(into: &bytes)
        return bytes.array(0..<Int32(bytes.count))
    }

    /// Appends the stored form.
    package func encode(into bytes: inout Buffer<UInt8>) {
        bytes.append(MeasuredText.codecVersion)
        bytes.number(count)
        encodeUnits(&bytes)
        encodeStyles(&bytes)
        encodeRuns(&bytes)
        encodeUnsafePlaces(&bytes)
        bytes.number(boxes.count)
        for box in boxes {
            bytes.number(box.position)
            bytes.signed(box.ascent)
            bytes.signed(box.descent)
        }
        bytes.number(entities.count)
        for entity in entities {
            bytes.append(entity.kind.rawValue)
            bytes.number(entity.start)
            bytes.number(entity.end)
        }
        bytes.number(emojiCount)
    }

    /// A text has few letters: a unit that was there before, with its advance and its marks, takes a byte. Unsafe
    /// places have a list of their own.
    private func encodeUnits(_ bytes: inout Buffer<UInt8>) {
        var numbers = UnitNumbers()
        let (advances, marks) = (advances.span, marks.span)
        let isJoined = !joins.isEmpty
        for i in 0..<advances.count {
            var unit = Unit(advance: advances[i], marks: marks[i].rawValue & ~Marks.unsafe.rawValue)
            if isJoined && joins.contains(i) { unit.marks |= MeasuredText.joinedMark }
            let (number, isNew) = numbers.number(advance: unit.advance, marks: unit.marks)
            if isNew { unit.write(to: &bytes, behind: number) } else { bytes.number(number) }
        }
    }

    /// One unit of a text, as far as lines are concerned.
    private struct Unit {
        var advance: Int32
        var marks: UInt8

        /// The largest advance within a unit's number. A larger one has a number of its own.
        private static let most: UInt32 = 1 << 24

        /// Writes the unit as a number above those of the units before: mostly two bytes.
        @inline(__always)
        func write(to bytes: inout Buffer<UInt8>, behind known: UInt32) {
            let size = min(advance.magnitude, Unit.most)
            let hasMarks = marks != Marks.cluster.rawValue
            bytes.number(known + (size << 2 | (advance < 0 ? 2 : 0) | (hasMarks ? 1 : 0)))
            if size == Unit.most { bytes.signed(advance) }
            if hasMarks { bytes.append(marks) }
        }

        init(advance: Int32, marks: UInt8) { (self.advance, self.marks) = (advance, marks) }

        /// - Parameter mayJoin: whether the stored form has joined letters.
        init(_ number: UInt32, mayJoin: Bool, _ reader: inout NumberReader) throws(MeasuredTextError) {
            let size = number >> 2
            guard size <= Unit.most else { throw .tooLarge }
            advance = number & 2 == 0 ? Int32(size) : -Int32(size)
            if size == Unit.most { advance = reader.signed() }
            marks = number & 1 == 0 ? Marks.cluster.rawValue : reader.byte()
            guard mayJoin || marks & MeasuredText.joinedMark == 0 else { throw .inconsistent(.marks) }
        }
    }

    /// The part of the stored form in front of the runs.
    var encodedStylesAndKinds: [UInt8] {
        var bytes = Buffer<UInt8>()
        encodeStyles(&bytes)
        _ = encodeKinds(&bytes)
        return bytes.array(0..<Int32(bytes.count))
    }

    private func encodeStyles(_ bytes: inout Buffer<UInt8>) {
        bytes.number(styles.count)
        for style in styles {
            bytes.signed(style.unitsPerEm)
            bytes.signed(style.ascent)
            bytes.signed(style.descent)
            bytes.signed(style.space)
            bytes.signed(style.hyphen)
            bytes.signed(style.ellipsis)
            bytes.signed(style.percent)
        }
    }

    /// Runs are of few kinds, though every space between two Arabic words is one: the kinds, then each run's start
    /// and kind.
    private func encodeRuns(_ bytes: inout Buffer<UInt8>) {
        let kinds = encodeKinds(&bytes)
        bytes.number(runs.count)
        var last: Int32 = 0
        for run in runs {
            bytes.number(run.start - last)
            bytes.number(kinds.place(of: run)!)
            last = run.start
        }
    }

    private func encodeKinds(_ bytes: inout Buffer<UInt8>) -> RunKinds {
        let kinds = RunKinds(of: runs)
        bytes.number(kinds.list.count)
        for kind in kinds.list {
            bytes.number(kind.unitsPerEm)
            bytes.number(kind.font)
            bytes.number(kind.script)
            bytes.append(kind.level)
            bytes.append(kind.style)
            bytes.append(kind.paragraphLevel << 1 | (kind.beginsItem ? 1 : 0))
        }
        return kinds
    }

    private func encodeUnsafePlaces(_ bytes: inout Buffer<UInt8>) {
        bytes.number(unsafeBreaks.count)
        var last: Int32 = 0
        for place in unsafeBreaks {
            bytes.number(place.position - last)
            last = place.position
            bytes.number(place.position - place.safeBefore)
            bytes.number(place.safeAfter - place.position)
            bytes.signed(place.ending)
            bytes.signed(place.beginning)
        }
        bytes.number(shortPieces.count)
        for piece in shortPieces {
            bytes.number(piece.start)
            bytes.number(piece.end - piece.start)
            bytes.signed(piece.units)
        }
    }
}

extension MeasuredText {
    /// Reads a stored form. For any bytes, the result is safe to break.
    package init(decoding bytes: some Collection<UInt8>) throws(MeasuredTextError) {
        self = .empty
        try decode(Array(bytes)[...])
    }

    /// Reads a stored form into this value, whose memory is used again. After an error the value is empty.
    package mutating func decode(_ bytes: ArraySlice<UInt8>) throws(MeasuredTextError) {
        removeAll()
        do throws(MeasuredTextError) {
            try decodeParts(bytes)
        } catch {
            self = .empty
            throw error
        }
        findStops()
    }

    private mutating func decodeParts(_ bytes: ArraySlice<UInt8>) throws(MeasuredTextError) {
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(MeasuredTextError) in
            var reader = unsafe NumberReader(bytes)
            do throws(MeasuredTextError) {
                try decodeParts(&reader)
            } catch {
                throw reader.fault.map(MeasuredTextError.init) ?? error
            }
            if let fault = reader.fault { throw MeasuredTextError(fault) }
        }
    }

    private mutating func decodeParts(_ reader: inout NumberReader) throws(MeasuredTextError) {
        let version = reader.byte()
        guard MeasuredText.firstCodecVersion...MeasuredText.codecVersion ~= version else {
            throw .unknownVersion(version)
        }
        let count = Int(reader.number())
        // Each unit takes a byte.
        guard count <= min(MeasuredText.longest, reader.end) else { throw .tooLarge }
        try decodeUnits(count, mayJoin: version > MeasuredText.firstCodecVersion, &reader)
        try decodeStyles(&reader)
        try decodeRuns(&reader)
        try decodeUnsafePlaces(&reader)
        try decodeBoxes(&reader)
        try decodeEntities(&reader)
        let emoji = reader.number()
        guard emoji <= count else { throw .inconsistent(.marks) }
        emojiCount = Int32(emoji)
        guard reader.left == 0 else { throw .trailingBytes }
    }

    private mutating func removeAll() {
        advances.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        styles.removeAll(keepingCapacity: true)
        unsafeBreaks.removeAll(keepingCapacity: true)
        shortPieces.removeAll(keepingCapacity: true)
        boxes.removeAll(keepingCapacity: true)
        entities.removeAll(keepingCapacity: true)
        joins.removeAll()
    }

    private mutating func decodeUnits(
        _ count: Int, mayJoin: Bool, _ reader: inout NumberReader
    ) throws(MeasuredTextError) {
        var known: [Unit] = []
        known.reserveCapacity(min(count, 64))
        var (advanceMemory, markMemory): ([Int32], [Marks]) = ([], [])
        swap(&advanceMemory, &advances)
        swap(&markMemory, &marks)
        advanceMemory.setCount(count)
        markMemory.setCount(count, to: [])
        var advanceSpan = advanceMemory.mutableSpan
        var markSpan = markMemory.mutableSpan
        for i in 0..<count {
            let number = reader.number()
            let isNew = number >= known.count
            if isNew { known.append(try Unit(number - UInt32(known.count), mayJoin: mayJoin, &reader)) }
            let unit = known[isNew ? known.count - 1 : Int(number)]
            advanceSpan[i] = unit.advance
            markSpan[i] = Marks(rawValue: unit.marks & ~MeasuredText.joinedMark)
            if unit.marks & MeasuredText.joinedMark != 0 { joins.insert(i) }
        }
        swap(&advanceMemory, &advances)
        swap(&markMemory, &marks)
    }

    private mutating func decodeStyles(_ reader: inout NumberReader) throws(MeasuredTextError) {
        for _ in 0..<reader.items(Int(reader.number())) {
            let style = StyleMetrics(
                unitsPerEm: try reader.measure(), ascent: try reader.measure(), descent: try reader.measure(),
                space: try reader.measure(), hyphen: try reader.measure(), ellipsis: try reader.measure(),
                percent: try reader.measure())
            guard 16...1 << 14 ~= style.unitsPerEm, 1...10_000 ~= style.percent else { throw .inconsistent(.styles) }
            styles.append(style)
        }
    }

    private mutating func decodeRuns(_ reader: inout NumberReader) throws(MeasuredTextError) {
        var kinds: [TextRun] = []
        for _ in 0..<reader.items(Int(reader.number())) { kinds.append(try decodeRunKind(&reader)) }
        var last: Int32 = 0
        for _ in 0..<reader.items(Int(reader.number())) {
            let start = last + reader.position(upTo: count)
            let number = Int(reader.number())
            guard runs.isEmpty ? start == 0 : start > last, start < count, number < kinds.count else {
                throw .inconsistent(.runs)
            }
            runs.append(kinds[number])
            runs[runs.count - 1].start = start
            last = start
        }
        guard runs.isEmpty == (count == 0), paragraphsAreWhole else { throw .inconsistent(.runs) }
    }

    private func decodeRunKind(_ reader: inout NumberReader) throws(MeasuredTextError) -> TextRun {
        let unitsPerEm = reader.number()
        let font = reader.number()
        let script = reader.number()
        var kind = TextRun(
            start: 0, unitsPerEm: Int32(clamping: unitsPerEm), font: UInt16(clamping: font),
            script: UInt16(clamping: script), level: reader.byte(), style: reader.byte())
        let item = reader.byte()
        kind.beginsItem = item & 1 == 1
        kind.paragraphLevel = item >> 1
        guard kind.unitsPerEm == 0 || 16...1 << 14 ~= kind.unitsPerEm, Int(kind.style) < styles.count else {
            throw .inconsistent(.runs)
        }
        return kind
    }

    /// A run begins behind every newline, all runs of a paragraph agree about its level, and nothing breaks at its
    /// start.
    private var paragraphsAreWhole: Bool {
        var run = 0
        for i in marks.indices {
            let begins = i == 0 || marks[i - 1].contains(.newline)
            let next = run + 1 < runs.count && runs[run + 1].start == i
            if begins && (marks[i].contains(.opportunity) || i > 0 && !next) { return false }
            if next && !begins && runs[run + 1].paragraphLevel != runs[run].paragraphLevel { return false }
            if next { run += 1 }
        }
        return true
    }

    private mutating func decodeUnsafePlaces(_ reader: inout NumberReader) throws(MeasuredTextError) {
        var last: Int32 = 0
        for _ in 0..<reader.items(Int(reader.number())) {
            let position = last + reader.position(upTo: count)
            guard position < count, position > last || unsafeBreaks.isEmpty else { throw .inconsistent(.unsafeBreaks) }
            let before = reader.position(upTo: Int(position))
            let after = reader.position(upTo: count - Int(position))
            let place = UnsafeBreak(
                position: position, safeBefore: position - before, safeAfter: position + after,
                ending: reader.signed(), beginning: reader.signed())
            unsafeBreaks.append(place)
            marks[Int(position)].insert(.unsafe)
            last = position
        }
        for _ in 0..<reader.items(Int(reader.number())) {
            let start = reader.position(upTo: count)
            let length = reader.position(upTo: count - Int(start))
            let piece = ShortPiece(start: start, end: start + length, units: reader.signed())
            let follows = shortPieces.last.map { ($0.start, $0.end) < (piece.start, piece.end) } ?? true
            guard follows else { throw .inconsistent(.shortPieces) }
            shortPieces.append(piece)
        }
    }

    private mutating func decodeBoxes(_ reader: inout NumberReader) throws(MeasuredTextError) {
        for _ in 0..<reader.items(Int(reader.number())) {
            let box = MeasuredBox(
                position: reader.position(upTo: count), ascent: reader.signed(),
                descent: reader.signed())
            guard boxes.last.map({ $0.position < box.position }) ?? true else { throw .inconsistent(.boxes) }
            boxes.append(box)
        }
    }

    private mutating func decodeEntities(_ reader: inout NumberReader) throws(MeasuredTextError) {
        for _ in 0..<reader.items(Int(reader.number())) {
            guard let kind = Entity.Kind(rawValue: reader.byte()) else { throw .inconsistent(.entities) }
            let start = reader.position(upTo: count)
            let end = reader.position(upTo: count)
            guard start < end else { throw .inconsistent(.entities) }
            entities.append(Entity(kind: kind, start: start, end: end))
        }
    }
}

extension NumberReader {
    /// Reads a measure of a font. A cluster, which may be a base and a hundred thousand marks, has no such limit, nor
    /// has a box.
    fileprivate mutating func measure() throws(MeasuredTextError) -> Int32 {
        let value = signed()
        guard -(1 << 24)...(1 << 24) ~= value else { throw .tooLarge }
        return value
    }

    fileprivate mutating func position(upTo limit: Int) -> Int32 { Int32(number(upTo: limit, of: "position")) }
}
