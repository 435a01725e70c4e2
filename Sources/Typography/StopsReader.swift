import Bytes

/// A reader that puts stored texts into columns, mostly without decoding them: the first step to one more width for a
/// conversation.
///
/// Most texts of chat are plain, of runs of one kind, and in a font and a style that a text before had, too: their
/// stops are summed up while their units are read. All others are decoded first, which takes several times as long,
/// and reports the fault of bytes that are no text.
///
///     var reader = StopsReader()
///     for bytes in stored { try column.append(stored: bytes.span, &reader) }
package struct StopsReader: ~Copyable {
    // The parts of the text that is read, in memory that is used again.
    private var ends: [Int32] = []
    private var breaks: [Stops.Break] = []
    /// The places where items begin inside of it, as units and as items of the column.
    private var starts: [Int] = []
    private var items: [Stops.Item] = []
    private var text = MeasuredText.empty
    /// The advance of each kind of unit, and its marks above that.
    private var kinds: [UInt32] = Array(repeating: 0, count: StopsReader.mostKinds)
    private var heads: [Head] = []

    /// The bytes between the units and the runs of a text whose runs are of one kind: texts of one role and one
    /// script share them.
    private struct Head {
        var bytes: [UInt8]
        var unit: AdvanceUnit
        var traits: LineTraits
        /// Whether each of its runs begins an item.
        var beginsItems: Bool

        /// The head of a text; nil where the text has runs of several kinds or in two directions, or is not plain.
        init?(_ text: borrowing MeasuredText) {
            guard let first = text.runs.first, text.runs.allSatisfy({ $0.isLike(first) }), !text.isMixed,
                let unit = text.stops.unit
            else {
                return nil
            }
            (bytes, self.unit) = (text.encodedStylesAndKinds, unit)
            traits = first.paragraphLevel & 1 == 1 ? .rightToLeft : []
            beginsItems = first.beginsItem
        }
    }

    /// More runs are rare.
    private static let mostRuns = 16
    private static let space = UInt32(Marks.space.rawValue) << 16
    private static let mostKinds = 256
    private static let mostHeads = 8

    package init() {}

    fileprivate mutating func append(
        _ bytes: borrowing Span<UInt8>, to column: inout StopsColumn
    ) throws(MeasuredTextError) {
        if let (count, unit) = readPlain(bytes, from: column.sum) {
            return column.append(ends[..<(count + Stops.lanes)], breaks[..<count], items, unit, stored: bytes)
        }
        try text.decode(unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }[...])
        column.append(text, stored: bytes)
        guard let head = Head(text), !heads.contains(where: { $0.bytes == head.bytes }) else { return }
        if heads.count == Self.mostHeads { heads.removeLast() }
        heads.insert(head, at: 0)
    }
}

extension StopsColumn {
    /// Appends a stored text. Throws for bytes that are none, and then the column stays as it was.
    package mutating func append(
        stored bytes: borrowing Span<UInt8>, _ reader: inout StopsReader
    ) throws(MeasuredTextError) {
        try reader.append(bytes, to: &self)
    }
}

// The fast path. It takes no bytes that decoding would refuse: where anything is unusual it gives up.
extension StopsReader {
    /// Reads the stops of a text into `ends` and `breaks`, and returns their number; nil if the text must be decoded.
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
        let start = reader
        guard let stops = readUnits(units, odd: odd, &reader, from: sum, &endSpan, &breakSpan),
            let head = heads.firstIndex(where: { reader.isAt($0.bytes) })
        else { return nil }
        reader.pass(heads[head].bytes.count)
        if heads[head].traits != [] { for k in 0..<stops { breakSpan[k].insert(heads[head].traits) } }
        guard readRuns(units, &reader, beginItems: heads[head].beginsItems, breakSpan) else { return nil }
        for i in items.indices { items[i].units = sum &+ self.sum(ofFirst: starts[i], in: start) }
        guard reader.passUnsafePlaces(units, changing: &endSpan, &breakSpan, stops, starts.span, items.span),
            reader.passPlainRest(units), reader.left == 0 && reader.fault == nil
        else { return nil }
        return (stops, heads[head].unit)
    }

    /// Passes over runs of one kind, and finds the stops that items begin at inside of a text. False for bytes that
    /// are not in order.
    private mutating func readRuns(
        _ units: Int, _ reader: inout NumberReader, beginItems: Bool, _ breaks: borrowing MutableSpan<Stops.Break>
    ) -> Bool {
        starts.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        let count = Int(reader.number())
        guard 1...Self.mostRuns ~= count, reader.number() == 0, reader.number() == 0 else { return false }
        var (start, k) = (0, 0)
        for _ in 1..<count {
            let distance = Int(reader.number())
            guard distance > 0, distance < units - start, reader.number() == 0 else { return false }
            start += distance
            guard beginItems else { continue }
            while breaks[k].offset < start { k += 1 }
            starts.append(start)
            items.append(Stops.Item(stop: k, units: 0))
        }
        return true
    }

    /// The width of the first units of a text together, whose kinds were read before.
    private func sum(ofFirst count: Int, in units: NumberReader) -> Int32 {
        var (reader, known, sum) = (units, 0, 0 as Int32)
        for _ in 0..<count {
            var number = Int(reader.number())
            if number >= known {
                if (number - known) & 1 == 1 { _ = reader.byte() }
                (number, known) = (known, known + 1)
            }
            sum &+= Int32(kinds[number] & 0xffff)
        }
        return sum
    }

    /// Sums up the units of one paragraph, as `Stops` does.
    private mutating func readUnits(
        _ units: Int, odd: UInt8, _ bytes: inout NumberReader, from first: Int32,
        _ ends: inout MutableSpan<Int32>, _ breaks: inout MutableSpan<Stops.Break>
    ) -> Int? {
        var kinds = kinds.mutableSpan
        var (known, k) = (0, 0)
        var (sum, content) = (first, first)
        var short = 0
        // Numbers have two bytes at most, but for letters as wide as four ems. And more than three bytes stand behind
        // the units.
        let rest = unsafe bytes.rest
        let end = rest.count - 3
        var at = 0
        for i in 0..<units {
            guard at < end else { return nil }
            var number = Int(unsafe rest[at])
            at &+= 1
            if number >= short {
                if number >= 0x80 {
                    let next = Int(unsafe rest[at])
                    guard 1..<0x80 ~= next else { return nil }
                    number = number & 0x7f | next &<< 7
                    at &+= 1
                }
                if number >= known {
                    // A kind that was not there before, which its marks may follow.
                    guard known < Self.mostKinds, let kind = unsafe Self.kind(number &- known, rest[at], odd: odd)
                    else {
                        return nil
                    }
                    at &+= (number &- known) & 1
                    kinds[known] = kind
                    number = known
                    known &+= 1
                    short = min(known, 0x80)
                }
            }
            let kind = unsafe kinds[unchecked: number]
            unsafe ends[unchecked: k] = content
            unsafe breaks[unchecked: k] = Stops.Break(next: sum, offset: i)
            k &+= Int(kind &>> 17 & 1)
            sum &+= Int32(truncatingIfNeeded: kind & 0xffff)
            content = kind & Self.space != 0 ? content : sum
        }
        bytes.pass(at)
        // Nothing breaks at the start of a paragraph.
        guard k == 0 || breaks[0].offset > 0, 0...Stops.widest ~= sum &- first else { return nil }
        ends[k] = content
        sum &+= Stops.gap
        breaks[k] = Stops.Break(next: sum, offset: units, traits: .lastOfParagraph, isLast: true)
        for lane in 1...Stops.lanes { ends[k + lane] = sum }
        return k + 1
    }

    /// The advance and the marks of a kind of unit; nil for a kind that makes its text unusual.
    /// - Parameter marks: used where the number says that there are others than of a cluster alone.
    @inline(__always)
    private static func kind(_ number: Int, _ marks: UInt8, odd: UInt8) -> UInt32? {
        let advance = UInt32(truncatingIfNeeded: number >> 2)
        let marks = number & 1 == 0 ? Marks.cluster.rawValue : marks
        let isUsual =
            number & 2 == 0 && advance < Stops.largestAdvance && marks & odd == 0
            && marks & joinedOpportunity != joinedOpportunity
        return isUsual ? advance | UInt32(marks) << 16 : nil
    }
}

extension NumberReader {
    private struct UnsafePlace {
        var distance, before, after: Int
        var ending, beginning: Int32
    }

    @inline(__always)
    private mutating func unsafePlace() -> UnsafePlace {
        // Five numbers of one byte, all in one look.
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

    /// Adds the changes of a break to each stop of a text, as `Stops` does. False for bytes that are not in order,
    /// and where an item begins at an unsafe place, or behind the end that a stop has then.
    fileprivate mutating func passUnsafePlaces(
        _ units: Int, changing ends: inout MutableSpan<Int32>, _ breaks: inout MutableSpan<Stops.Break>, _ stops: Int,
        _ starts: Span<Int>, _ items: Span<Stops.Item>
    ) -> Bool {
        let count = Int(number())
        if count == 0 { return true }
        guard count <= units else { return false }
        let sane = -Stops.largestAdvance..<Stops.largestAdvance
        var (position, k) = (0, 0)
        var (start, item) = (0, 0)
        for i in 0..<count {
            let next = unsafePlace()
            position += next.distance
            guard next.distance > 0 || i == 0, position < units, next.before <= position,
                next.after <= units - position
            else { return false }
            while start < starts.count, starts[start] < position { start += 1 }
            guard start == starts.count || starts[start] != position else { return false }
            while breaks[k].offset < position { k += 1 }
            guard breaks[k].offset == position else { continue }
            guard sane ~= next.ending && sane ~= next.beginning else { return false }
            while item < items.count, items[item].stop <= k { item += 1 }
            if ends[k] == breaks[k].next {
                ends[k] &+= next.ending
                if item > 0 && ends[k] &- items[item - 1].units < 0 { return false }
            }
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

    /// Passes over the parts behind unsafe places: short pieces, no boxes, entities, emoji. False for bytes that are
    /// not in order.
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
    /// Whether other bytes stand at a place, where enough bytes are left. There is no branch for each of them.
    func isEqual(to other: Span<UInt8>, at place: Int) -> Bool {
        precondition(place >= 0 && other.count <= count - place)
        var difference: UInt8 = 0
        for i in other.indices { difference |= unsafe self[unchecked: place &+ i] ^ other[unchecked: i] }
        return difference == 0
    }
}

extension StopsReader {
    /// The marks of which a text must have none, or it is decoded.
    fileprivate static let oddMarks = Marks.tab.rawValue | Marks.newline.rawValue | Marks.softHyphen.rawValue
    /// Both in one unit make a text that is not plain.
    fileprivate static let joinedOpportunity = MeasuredText.joinedMark | Marks.opportunity.rawValue
}
