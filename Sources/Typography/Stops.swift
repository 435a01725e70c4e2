/// The opportunities of a plain text, with the width up to each: all that breaking needs, and a tenth of the text.
///
/// A text is plain when one factor turns all of its units into pixels, and the width of a line is the difference of
/// two sums but for what is rounded up where items begin: fonts of one scale, no tab, no soft hyphen. Most of chat
/// is. A line of a plain text is found by comparing whole numbers (`LineBreaker+Plain`).
package struct Stops: Hashable, Sendable {
    /// The unit of all advances; nil when the text is not plain, and then there are no stops.
    private(set) var unit: AdvanceUnit?
    /// For each stop, units from the start of the text to the end of the text before it, hanging spaces left out. The
    /// kerning that a break here gives back is added. Behind the last follow as many as are read at once, all too far
    /// away.
    ///
    /// A paragraph begins `gap` units behind the one before it, so that nothing behind the end of a paragraph ever fits
    /// on its lines: an end needs no other mark. Sums wrap; only differences mean something.
    private(set) var ends: [Int32] = []
    private(set) var breaks: [Break] = []
    /// The items that begin inside of paragraphs; last, one that is never reached.
    private(set) var items: [Item] = []

    /// The facts about a stop that are needed when a line ends there.
    struct Break: Hashable, Sendable {
        /// Units from the start of the text to the start of the next line, less those that a break here adds to that
        /// line.
        var next: Int32
        /// Its place in the text, then traits of the line, and the sign when nothing follows: in one number, because
        /// breaking many texts is as fast as memory comes.
        private var packed: Int32

        init(next: Int32, offset: Int, traits: LineTraits = [], isLast: Bool = false) {
            self.next = next
            packed = Int32(truncatingIfNeeded: offset) | traits.rawValue << 24 | (isLast ? .min : 0)
        }

        /// The place in the text.
        var offset: Int32 { packed & 0xff_ffff }
        var traits: LineTraits { LineTraits(rawValue: packed >> 24 & 0x7f) }
        /// The start of the next line: in this text, or the one behind it.
        var start: Int32 { packed < 0 ? 0 : offset }

        mutating func insert(_ traits: LineTraits) { packed |= traits.rawValue << 24 }
    }

    /// An item that begins before the end of a paragraph.
    struct Item: Hashable, Sendable {
        /// The first stop that is not before its beginning.
        var stop: Int
        /// Units up to its beginning.
        var units: Int32

        static let never = Item(stop: .max, units: 0)
    }

    package init() {}

    package var isPlain: Bool { unit != nil }

    /// The number of ends that are compared at once.
    static let lanes = 16
    /// The widest paragraph of a plain text: with `gap`, differences of as many ends as there are lanes stay within
    /// 32 bits.
    static var widest: Int32 { PlainBreaks.widest }
    static let gap: Int32 = 1 << 26
    /// The bound of an advance, and of the units that a break adds; a stored text may hold any numbers.
    static let largestAdvance: Int32 = 1 << 13
    /// The longest plain text. Longer texts are broken the general way.
    static let longestText = 1 << 16
}

extension MeasuredText {
    /// Finds the stops of a plain text, or else its segments, if it has any.
    package mutating func findStops() {
        var found = Stops()
        swap(&found, &stops)  // keeps its memory
        found.find(in: self)
        swap(&found, &stops)
        if stops.isPlain { segments.removeAll() } else { findSegments() }
    }

    private mutating func findSegments() {
        var found = Segments()
        swap(&found, &segments)
        found.find(in: self)
        swap(&found, &segments)
    }
}

extension Stops {
    fileprivate mutating func find(in text: borrowing MeasuredText) {
        unit = nil
        items.removeAll(keepingCapacity: true)
        if text.count <= Stops.longestText, let common = text.commonUnit, !text.joinsAtOpportunity, sumUp(text) {
            unit = common
        } else {
            ends.removeAll(keepingCapacity: true)
            breaks.removeAll(keepingCapacity: true)
            items.removeAll(keepingCapacity: true)
        }
    }

    /// Writes a stop for every opportunity and the end of every paragraph; false when the text is not plain after
    /// all. There are no branches but for the ends of paragraphs, with which runs end, too: the ends of words cannot
    /// be predicted.
    private mutating func sumUp(_ text: borrowing MeasuredText) -> Bool {
        let marks = text.marks.span
        let advances = text.advances.span
        let runs = text.runs.span
        let units = marks.count
        var endMemory: [Int32] = []
        var breakMemory: [Break] = []
        swap(&endMemory, &self.ends)
        swap(&breakMemory, &self.breaks)
        endMemory.setCount(units + 2 + Stops.lanes)
        breakMemory.setCount(units + 2, to: Break(next: 0, offset: 0))
        var ends = endMemory.mutableSpan
        var breaks = breakMemory.mutableSpan
        var (sum, content, largest): (Int32, Int32, Int32) = (0, 0, 0)
        var (any, kerned): (UInt8, UInt8) = (0, 0)
        var (start, k, isSane) = (0, 0, true)
        for run in runs.indices {
            let end = run &+ 1 < runs.count ? min(units, Int(runs[run &+ 1].start)) : units
            guard start < end, end == units || marks[end - 1].contains(.newline) else { continue }
            let (firstSum, firstStop) = (sum, k)
            for i in start..<end {
                let mark = unsafe marks[unchecked: i].rawValue
                let advance = unsafe advances[unchecked: i]
                unsafe ends[unchecked: k] = content
                unsafe breaks[unchecked: k] = Break(next: sum, offset: i)
                k &+= Int(mark &>> 1 & 1)
                any |= mark
                kerned |= mark &>> 5 & mark
                largest |= advance
                sum &+= advance
                content = mark & Stops.hangingMarks != 0 ? content : sum
            }
            isSane = isSane && 0...Stops.widest ~= sum &- firstSum
            ends[k] = content
            sum &+= Stops.gap
            breaks[k] = Break(next: sum, offset: end, traits: .lastOfParagraph, isLast: end == units)
            k &+= 1
            if runs[run].paragraphLevel & 1 == 1 { for n in firstStop..<k { breaks[n].insert(.rightToLeft) } }
            (content, start) = (sum, end)
        }
        for i in 0..<Stops.lanes { ends[k + i] = sum }
        isSane = isSane && findItems(of: text, breaks)
        if kerned & Marks.opportunity.rawValue != 0 && isSane {
            isSane = text.undoKerning(at: k, &ends, &breaks, items.span)
        }
        endMemory.setCount(k + Stops.lanes)
        breakMemory.setCount(k, to: Break(next: 0, offset: 0))
        swap(&endMemory, &self.ends)
        swap(&breakMemory, &self.breaks)
        // A negative advance, or one that no font has, shows in the union of all.
        return any & Stops.oddMarks == 0 && isSane && 0..<Stops.largestAdvance ~= largest
    }

    /// Finds the items; false when a break would change the advances on both sides of an item's beginning.
    private mutating func findItems(of text: borrowing MeasuredText, _ breaks: borrowing MutableSpan<Break>) -> Bool {
        var k = 0
        // A place before the item, and the units up to there. A word may be thousands of items: none is added twice.
        var (place, units): (Int32, Int32) = (0, 0)
        for run in text.runs.dropFirst() where run.beginsItem {
            let mark = text.marks[Int(run.start)]
            guard !text.marks[Int(run.start) - 1].contains(.newline) else { continue }
            guard !mark.contains(.unsafe) else { return false }
            while breaks[k].offset < run.start { k += 1 }
            if k > 0, breaks[k - 1].offset > place { (place, units) = (breaks[k - 1].offset, breaks[k - 1].next) }
            units &+= text.units(from: place, to: run.start)
            place = run.start
            items.append(Item(stop: k, units: units))
        }
        items.append(.never)
        return true
    }

    private static let oddMarks = Marks.tab.rawValue | Marks.softHyphen.rawValue
    private static let hangingMarks = Marks.space.rawValue | Marks.newline.rawValue
}

extension MeasuredText {
    /// Adds the changes of a break to each stop; false when ends would no longer follow each other, or come before
    /// the beginning of their item.
    fileprivate func undoKerning(
        at count: Int, _ ends: inout MutableSpan<Int32>, _ breaks: inout MutableSpan<Stops.Break>,
        _ items: borrowing Span<Stops.Item>
    ) -> Bool {
        var item = 0
        let sane = -Stops.largestAdvance..<Stops.largestAdvance
        for k in 0..<count {
            let offset = Int(breaks[k].offset)
            guard offset < marks.count, marks[offset].contains([.unsafe, .opportunity]) else { continue }
            let place = unsafeBreak(at: Int32(offset))
            guard sane ~= place.ending && sane ~= place.beginning else { return false }
            while items[item].stop <= k { item += 1 }
            if ends[k] == breaks[k].next {
                ends[k] &+= place.ending
                if item > 0 && ends[k] &- items[item - 1].units < 0 { return false }
            }
            breaks[k].next &-= place.beginning
        }
        return (1..<max(1, count)).allSatisfy { ends[$0] &- ends[$0 - 1] >= 0 }
    }

    /// Whether a line may end between joined letters, of which a stop tells nothing.
    fileprivate var joinsAtOpportunity: Bool {
        !joins.isEmpty && marks.indices.contains { marks[$0].contains(.opportunity) && joins.contains($0) }
    }

    /// The unit of all advances, if there is one for all of them.
    fileprivate var commonUnit: AdvanceUnit? {
        guard let first = runs.first, first.unitsPerEm > 0 else { return nil }
        let common = unit(of: first)
        return runs.dropFirst().allSatisfy { unit(of: $0) == common } ? common : nil
    }
}

extension Array {
    /// Sets the count. Elements that are there stay; new ones are `value`.
    mutating func setCount(_ wanted: Int, to value: Element) {
        if wanted > count {
            append(contentsOf: repeatElement(value, count: wanted - count))
        } else if wanted < count {
            removeLast(count - wanted)
        }
    }
}

extension Array where Element == Int32 {
    /// Sets the count. Elements that are there stay; new ones are 0.
    package mutating func setCount(_ wanted: Int) { setCount(wanted, to: 0) }
}
