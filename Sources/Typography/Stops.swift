/// The opportunities of a plain text, with the width up to each: all that breaking needs, and a tenth of the text.
///
/// A text is plain when one factor turns all of its units into pixels and the width of a line is the difference of two
/// sums: fonts of one scale, one item per paragraph, no tab, no soft hyphen. Most of chat is. A line of a plain text is found by comparing whole numbers (`LineBreaker+Plain`).
package struct Stops: Hashable, Sendable {
    private(set) var head = Head()
    /// All in one piece of memory, because breaking is as fast as memory comes: the ends of all stops, padded so that
    /// eight may always be read, then their pairs of next and offset, then for each paragraph the stop it ends before
    /// and whether it runs from right to left.
    ///
    /// *End*: units from the start of the text to the end of what stands before the opportunity, hanging spaces left
    /// out. *Next*: units to the opportunity itself. *Offset*: its place in the text. What a break undoes of kerning is
    /// part of both: it is in the end, and not yet in the next.
    private(set) var numbers: [Int32] = []

    package init() {}

    /// Whether the text is plain; if not, there are no stops.
    package var isPlain: Bool { head.isPlain }

    /// What must be known to read the numbers.
    struct Head: Hashable, Sendable {
        var isPlain = false
        var unitsPerEm: Int32 = 0
        var percent: Int32 = 100
        var count = 0
        /// Each ends with a newline or with the text.
        var paragraphs = 0

        /// Where the pairs of next and offset begin.
        var pairs: Int { count + Stops.padding }
        /// Where the paragraphs begin.
        var ends: Int { pairs + 2 * count }
        var numberCount: Int { ends + 2 * paragraphs }
    }

    /// Sums stay within 32 bits up to here, whatever is added to them for a line.
    package static let largestSum: Int64 = 1 << 29
    /// Longer texts are broken the general way, so that sums of sane advances cannot overflow.
    static let longestText = 1 << 16
    static let padding = 8

    /// The first stop from `stop` on that stands behind `position`.
    func firstStop(behind position: Int32, from stop: Int) -> Int {
        var stop = stop
        while stop < head.count && numbers[head.pairs + 2 * stop + 1] <= position { stop += 1 }
        return stop
    }

    /// Gives back memory that is not needed, for a text that is to be kept.
    package mutating func compact() {
        if numbers.capacity > 2 * numbers.count { numbers = Array(numbers[...]) }
    }
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
}

extension MeasuredText {
    private mutating func findSegments() {
        var found = Segments()
        swap(&found, &segments)
        found.find(in: self)
        swap(&found, &segments)
    }
}

extension Stops {
    fileprivate mutating func find(in text: borrowing MeasuredText) {
        head = Head()
        guard text.count <= Stops.longestText, !text.runs.isEmpty, text.runsArePlain else { return }
        head.unitsPerEm = text.runs[0].unitsPerEm
        head.percent = text.styles[Int(text.runs[0].style)].percent
        head.isPlain = sumUp(text)
    }

    /// Writes a stop for every opportunity and the end of every paragraph; false when the text is not plain after all.
    /// Without branches but for newlines: where words end is not to be foretold.
    private mutating func sumUp(_ text: borrowing MeasuredText) -> Bool {
        let marks = text.marks.span
        let advances = text.advances.span
        let units = marks.count
        let pairs = units + 1 + Stops.padding
        var paragraphs: [Int32] = []
        var memory: [Int32] = []
        swap(&memory, &self.numbers)
        memory.setCount(pairs + 2 * (units + 1))
        var numbers = memory.mutableSpan
        var sum: Int32 = 0
        var content: Int32 = 0
        var largest: Int32 = 0
        var odd: UInt8 = 0
        var kerned: UInt8 = 0
        var k = 0
        for i in 0..<units {
            let mark = unsafe marks[unchecked: i].rawValue
            let advance = unsafe advances[unchecked: i]
            unsafe numbers[unchecked: k] = content
            unsafe numbers[unchecked: pairs &+ k &+ k] = sum
            unsafe numbers[unchecked: pairs &+ k &+ k &+ 1] = Int32(truncatingIfNeeded: i)
            k &+= Int(mark &>> 1 & 1)
            odd |= mark & Stops.oddMarks
            kerned |= mark &>> 5 & mark & Marks.opportunity.rawValue
            largest |= advance
            sum &+= advance
            content = mark & Stops.hangingMarks != 0 ? content : sum
            if mark & Marks.newline.rawValue != 0 {
                unsafe numbers[unchecked: k] = content
                unsafe numbers[unchecked: pairs &+ k &+ k] = sum
                unsafe numbers[unchecked: pairs &+ k &+ k &+ 1] = Int32(truncatingIfNeeded: i &+ 1)
                k &+= 1
                paragraphs += [Int32(truncatingIfNeeded: k), text.direction(at: i)]
                content = sum
            }
        }
        let endsOpen = text.marks[units - 1].rawValue & Marks.newline.rawValue == 0
        if endsOpen {
            numbers[k] = content
            numbers[pairs + 2 * k] = sum
            numbers[pairs + 2 * k + 1] = Int32(units)
            k += 1
        }
        var isOrdered = true
        if kerned != 0 { isOrdered = text.undoKerning(at: k, &numbers, pairs) }
        for i in 0..<2 * k { unsafe numbers[unchecked: k &+ Stops.padding &+ i] = numbers[unchecked: pairs &+ i] }
        for i in 0..<Stops.padding { numbers[k + i] = .max }
        memory.setCount(3 * k + Stops.padding)
        memory += paragraphs
        if endsOpen { memory += [Int32(truncatingIfNeeded: k), text.direction(at: units - 1)] }
        swap(&memory, &self.numbers)
        head.paragraphs = paragraphs.count / 2 + (endsOpen ? 1 : 0)
        head.count = k
        // A negative advance, or one that no font has, shows in the union of all.
        return odd == 0 && isOrdered && 0..<(1 << 13) ~= largest
    }

    private static let oddMarks = Marks.tab.rawValue | Marks.softHyphen.rawValue
    private static let hangingMarks = Marks.space.rawValue | Marks.newline.rawValue
}

extension MeasuredText {
    /// Adds to the stops what a break at each changes; false when ends would no longer follow each other.
    fileprivate func undoKerning(at count: Int, _ numbers: inout MutableSpan<Int32>, _ pairs: Int) -> Bool {
        var isOrdered = true
        for k in 0..<count {
            let offset = numbers[pairs + 2 * k + 1]
            guard Int(offset) < marks.count, marks[Int(offset)].contains([.unsafe, .opportunity]) else { continue }
            let place = unsafeBreak(at: offset)
            if numbers[k] == numbers[pairs + 2 * k] { numbers[k] += place.ending }
            numbers[pairs + 2 * k] -= place.beginning
        }
        for k in 1..<max(1, count) where numbers[k] < numbers[k - 1] { isOrdered = false }
        return isOrdered
    }

    fileprivate func direction(at i: Int) -> Int32 { Int32(runs[run(at: Int32(i))].paragraphLevel & 1) }

    fileprivate var runsArePlain: Bool {
        let first = runs[0]
        guard first.unitsPerEm > 0 else { return false }
        if runs.count == 1 { return true }
        let percent = styles[Int(first.style)].percent
        for run in runs {
            guard run.unitsPerEm == first.unitsPerEm, styles[Int(run.style)].percent == percent else { return false }
            let beginsParagraph = run.start == 0 || marks[Int(run.start) - 1].contains(.newline)
            guard !run.beginsItem || beginsParagraph else { return false }
        }
        return true
    }
}

extension Array where Element == Int32 {
    /// Keeps what is there; what is new is 0.
    package mutating func setCount(_ wanted: Int) {
        if wanted > count {
            append(contentsOf: repeatElement(0, count: wanted - count))
        } else if wanted < count {
            removeLast(count - wanted)
        }
    }
}
