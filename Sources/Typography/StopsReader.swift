import Bytes

/// Puts stored texts into columns, mostly without decoding them: what one more width for a conversation begins with.
///
/// Most texts of chat are plain, of one run, and in a font and a style that a text before had, too: their stops are summed up
/// while their units are read. All others are decoded first, which takes several times as long, and says what is wrong with bytes
/// that are no text.
///
///     var reader = StopsReader()
///     for bytes in stored { try column.append(stored: bytes.span, &reader) }
package struct StopsReader: ~Copyable {
    // Of the text that is read, in memory that is used again.
    private var ends: [Int32] = []
    private var breaks: [Stops.Break] = []
    private var text = MeasuredText.empty
    /// Of each kind of unit its advance, and above that its marks.
    private var kinds: [UInt32] = Array(repeating: 0, count: StopsReader.mostKinds)
    private var heads: [Head] = []

    /// What stands between the units and the unsafe places of a text that is one run: texts of one role and one script share it.
    private struct Head {
        var bytes: [UInt8]
        var unit: AdvanceUnit
        var traits: LineTraits

        /// Nil where a text is more than one run, or not plain.
        init?(_ text: borrowing MeasuredText) {
            guard text.runs.count == 1, let unit = text.stops.unit else { return nil }
            (bytes, self.unit) = (text.encodedStylesAndRuns, unit)
            traits = text.runs[0].paragraphLevel & 1 == 1 ? .rightToLeft : []
        }
    }

    private static let mostKinds = 256
    private static let mostHeads = 8

    package init() {}

    fileprivate mutating func append(
        _ bytes: borrowing Span<UInt8>, to column: inout StopsColumn
    ) throws(MeasuredTextError) {
        if let (count, unit) = readPlain(bytes, from: column.sum) {
            return column.append(ends[..<(count + Stops.lanes)], breaks[..<count], unit, stored: bytes)
        }
        try text.decode(unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }[...])
        column.append(text, stored: bytes)
        guard let head = Head(text), !heads.contains(where: { $0.bytes == head.bytes }) else { return }
        if heads.count == Self.mostHeads { heads.removeLast() }
        heads.insert(head, at: 0)
    }
}

extension StopsColumn {
    /// Throws for what is no stored text, and then stays as it was.
    package mutating func append(
        stored bytes: borrowing Span<UInt8>, _ reader: inout StopsReader
    ) throws(MeasuredTextError) {
        try reader.append(bytes, to: &self)
    }
}

// The short road. It takes no bytes that decoding would refuse: where anything is unusual it gives up.
extension StopsReader {
    /// How many stops a text has, which are then in `ends` and `breaks`; nil if it is to be decoded.
    private mutating func readPlain(
        _ bytes: borrowing Span<UInt8>, from sum: Int32
    ) -> (stops: Int, unit: AdvanceUnit)? {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var reader = unsafe NumberReader(bytes)
            return readPlain(&reader, from: sum)
        }
    }

    private mutating func readPlain(
        _ reader: inout NumberReader, from sum: Int32
    ) -> (stops: Int, unit: AdvanceUnit)? {
        let version = reader.byte()
        guard MeasuredText.firstCodecVersion...MeasuredText.codecVersion ~= version else { return nil }
        let odd = StopsReader.oddMarks | (version == MeasuredText.firstCodecVersion ? MeasuredText.joinedMark : 0)
        let units = Int(reader.number())
        guard 1...min(reader.end, Stops.longestText) ~= units else { return nil }
        // Pieces that are changed at the same time.
        var (endMemory, breakMemory): ([Int32], [Stops.Break]) = ([], [])
        swap(&endMemory, &ends)
        swap(&breakMemory, &breaks)
        defer {
            swap(&endMemory, &ends)
            swap(&breakMemory, &breaks)
        }
        endMemory.setCount(max(endMemory.count, units + 1 + Stops.lanes))
        breakMemory.setCount(max(breakMemory.count, units + 1), to: Stops.Break(next: 0, offset: 0))
        var endSpan = endMemory.mutableSpan
        var breakSpan = breakMemory.mutableSpan
        guard let stops = readUnits(units, odd: odd, &reader, from: sum, &endSpan, &breakSpan),
            let head = heads.firstIndex(where: { reader.isAt($0.bytes) })
        else { return nil }
        reader.pass(heads[head].bytes.count)
        if heads[head].traits != [] { for k in 0..<stops { breakSpan[k].insert(heads[head].traits) } }
        guard reader.passUnsafePlaces(units, changing: &endSpan, &breakSpan, stops), reader.passPlainRest(units),
            reader.left == 0 && reader.fault == nil
        else { return nil }
        return (stops, heads[head].unit)
    }

    /// As `Stops` sums up the units of one paragraph.
    private mutating func readUnits(
        _ units: Int, odd: UInt8, _ bytes: inout NumberReader, from first: Int32,
        _ ends: inout MutableSpan<Int32>, _ breaks: inout MutableSpan<Stops.Break>
    ) -> Int? {
        var kinds = kinds.mutableSpan
        var (known, k) = (0, 0)
        var (sum, content) = (first, first)
        var reader = bytes  // in registers
        defer { bytes = reader }
        for i in 0..<units {
            var number = Int(reader.number())
            if number >= known {
                guard known < Self.mostKinds, let kind = reader.unitKind(number &- known, odd: odd) else { return nil }
                kinds[known] = kind
                number = known
                known += 1
            }
            let kind = unsafe kinds[unchecked: number]
            let marks = UInt8(truncatingIfNeeded: kind >> 16)
            unsafe ends[unchecked: k] = content
            unsafe breaks[unchecked: k] = Stops.Break(next: sum, offset: i)
            k &+= Int(marks &>> 1 & 1)
            sum &+= Int32(truncatingIfNeeded: kind & 0xffff)
            content = marks & Marks.space.rawValue != 0 ? content : sum
        }
        // Nothing breaks at the start of a paragraph.
        guard k == 0 || breaks[0].offset > 0, 0...Stops.widest ~= sum &- first else { return nil }
        ends[k] = content
        sum &+= Stops.gap
        breaks[k] = Stops.Break(next: sum, offset: units, traits: .lastOfParagraph, isLast: true)
        for lane in 1...Stops.lanes { ends[k + lane] = sum }
        return k + 1
    }
}

extension NumberReader {
    /// A kind of unit that was not there before, in one number; nil for one that makes its text unusual.
    @inline(__always)
    fileprivate mutating func unitKind(_ number: Int, odd: UInt8) -> UInt32? {
        let advance = UInt32(truncatingIfNeeded: number >> 2)
        let marks = number & 1 == 0 ? Marks.cluster.rawValue : byte()
        let isUsual =
            number & 2 == 0 && advance < Stops.largestAdvance && marks & odd == 0
            && marks & StopsReader.joinedOpportunity != StopsReader.joinedOpportunity
        return isUsual ? advance | UInt32(marks) << 16 : nil
    }

    private struct UnsafePlace {
        var distance, before, after: Int
        var ending, beginning: Int32
    }

    @inline(__always)
    private mutating func unsafePlace() -> UnsafePlace {
        // Numbers of one byte, all five in one look.
        if let word = nextEight, word & 0x80_8080_8080 == 0 {
            pass(5)
            func byte(_ i: UInt64) -> Int { Int(word >> (8 * i) & 0x7f) }
            func signed(_ i: UInt64) -> Int32 { Int32(byte(i) >> 1) ^ -Int32(byte(i) & 1) }
            return UnsafePlace(
                distance: byte(0), before: byte(1), after: byte(2), ending: signed(3), beginning: signed(4))
        }
        return UnsafePlace(
            distance: Int(number()), before: Int(number()), after: Int(number()), ending: signed(), beginning: signed())
    }

    /// Adds to the stops of a text what a break at each changes, as `Stops` does. False for what is not in order.
    fileprivate mutating func passUnsafePlaces(
        _ units: Int, changing ends: inout MutableSpan<Int32>, _ breaks: inout MutableSpan<Stops.Break>, _ stops: Int
    ) -> Bool {
        let count = Int(number())
        if count == 0 { return true }
        guard count <= units else { return false }
        let sane = -Stops.largestAdvance..<Stops.largestAdvance
        var (position, k) = (0, 0)
        for i in 0..<count {
            let next = unsafePlace()
            position += next.distance
            guard next.distance > 0 || i == 0, position < units, next.before <= position,
                next.after <= units - position
            else { return false }
            while breaks[k].offset < position { k += 1 }
            guard breaks[k].offset == position else { continue }
            guard sane ~= next.ending && sane ~= next.beginning else { return false }
            if ends[k] == breaks[k].next { ends[k] &+= next.ending }
            breaks[k].next &-= next.beginning
        }
        for k in 1..<stops where ends[k] &- ends[k - 1] < 0 { return false }
        return true
    }

    /// Whether these are the next bytes.
    fileprivate func isAt(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= left else { return false }
        return unsafe rest.span.isEqual(to: bytes.span, at: 0)
    }

    /// Passes over what follows unsafe places: short pieces, no boxes, entities, emoji. False for what is not in order.
    fileprivate mutating func passPlainRest(_ units: Int) -> Bool {
        var last = (start: -1, end: -1)
        let pieces = number()
        guard pieces <= left else { return false }
        for _ in 0..<pieces {
            let start = Int(number())
            let piece = (start: start, end: start + Int(number()))
            guard piece.end <= units, last < piece else { return false }
            _ = signed()
            last = piece
        }
        guard number() == 0 else { return false }
        let entities = number()
        guard entities <= left else { return false }
        for _ in 0..<entities {
            let kind = byte()
            let (start, end) = (number(), number())
            guard Entity.Kind(rawValue: kind) != nil, start < end, end <= units else { return false }
        }
        return number() <= units
    }
}

extension Span<UInt8> {
    /// Whether others stand at a place, of which there are enough bytes left. Without a branch for each of them.
    func isEqual(to other: Span<UInt8>, at place: Int) -> Bool {
        precondition(place >= 0 && other.count <= count - place)
        var difference: UInt8 = 0
        for i in other.indices { difference |= unsafe self[unchecked: place &+ i] ^ other[unchecked: i] }
        return difference == 0
    }
}

extension StopsReader {
    /// A text that has any of these is decoded.
    fileprivate static let oddMarks = Marks.tab.rawValue | Marks.newline.rawValue | Marks.softHyphen.rawValue
    /// Both in one unit make a text that is not plain.
    fileprivate static let joinedOpportunity = MeasuredText.joinedMark | Marks.opportunity.rawValue
}
