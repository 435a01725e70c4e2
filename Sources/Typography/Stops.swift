/// The opportunities of a plain text, with the width up to each: all that breaking needs, and a tenth of the text.
///
/// A text is plain when one factor turns all of its units into pixels and the width of a line is the difference of two
/// sums: fonts of one scale, one item per paragraph, no tab, no soft hyphen, nothing kerned across an opportunity. Most
/// of chat is. A line of a plain text is found by comparing whole numbers (`LineBreaker+Plain`).
package struct Stops: Hashable, Sendable {
    /// Whether the text is plain; if not, there are no stops.
    package var isPlain = false
    package var unitsPerEm: Int32 = 0
    package var percent: Int32 = 100
    /// Units from the start of the text to the end of what stands before each opportunity, hanging spaces left out.
    package var ends: [Int32] = []
    /// Units to the opportunity itself.
    package var nexts: [Int32] = []
    /// UTF-16 offset of each opportunity.
    package var offsets: [Int32] = []
    package var paragraphs: [Paragraph] = []

    package struct Paragraph: Hashable, Sendable {
        /// One past its last stop.
        package var end: Int32
        package var isRightToLeft: Bool

        init(end: Int, _ run: TextRun) {
            self.end = Int32(truncatingIfNeeded: end)
            isRightToLeft = run.paragraphLevel & 1 == 1
        }
    }

    package init() {}

    /// Sums stay within 32 bits up to here, whatever is added to them for a line.
    package static let largestSum: Int64 = 1 << 29
    /// Longer texts are broken the general way, so that sums of sane advances cannot overflow.
    static let longestText = 1 << 16
}

extension MeasuredText {
    /// Finds the stops of a plain text, or that it is not plain.
    package mutating func findStops() {
        var found = Stops()
        swap(&found, &stops)  // keeps its memory
        found.isPlain = false
        found.paragraphs.removeAll(keepingCapacity: true)
        if let first = runs.first, count <= Stops.longestText, runsArePlain(like: first) {
            found.unitsPerEm = first.unitsPerEm
            found.percent = styles[Int(first.style)].percent
            found.isPlain = sumUp(into: &found)
        }
        if found.isPlain { swap(&found, &stops) }
    }

    /// Writes a stop for every opportunity and the end of every paragraph; false when the text is not plain after all.
    /// Without branches but for newlines: where words end is not to be foretold.
    private func sumUp(into stops: inout Stops) -> Bool {
        // Moved out and back, because three spans of one value may not be open at once.
        var (allEnds, allNexts, allOffsets) = ([Int32](), [Int32](), [Int32]())
        swap(&allEnds, &stops.ends)
        swap(&allNexts, &stops.nexts)
        swap(&allOffsets, &stops.offsets)
        allEnds.setCount(count + 1)
        allNexts.setCount(count + 1)
        allOffsets.setCount(count + 1)
        var ends = allEnds.mutableSpan
        var nexts = allNexts.mutableSpan
        var offsets = allOffsets.mutableSpan
        let marks = marks.span
        let advances = advances.span
        var sum: Int32 = 0
        var content: Int32 = 0
        var largest: Int32 = 0
        var odd: UInt8 = 0
        var k = 0
        var run = 0
        for i in 0..<count {
            let mark = unsafe marks[unchecked: i].rawValue
            let advance = unsafe advances[unchecked: i]
            unsafe ends[unchecked: k] = content
            unsafe nexts[unchecked: k] = sum
            unsafe offsets[unchecked: k] = Int32(truncatingIfNeeded: i)
            k &+= Int(mark &>> 1 & 1)
            odd |= mark & Stops.oddMarks | (mark &>> 5 & mark & Marks.opportunity.rawValue)
            largest |= advance
            sum &+= advance
            content = mark & Stops.hangingMarks != 0 ? content : sum
            if mark & Marks.newline.rawValue != 0 {
                unsafe ends[unchecked: k] = content
                unsafe nexts[unchecked: k] = sum
                unsafe offsets[unchecked: k] = Int32(truncatingIfNeeded: i &+ 1)
                k &+= 1
                while run + 1 < runs.count && runs[run + 1].start <= i { run += 1 }
                stops.paragraphs.append(Stops.Paragraph(end: k, runs[run]))
                content = sum
            }
        }
        if !self.marks[count - 1].contains(.newline) {
            ends[k] = content
            nexts[k] = sum
            offsets[k] = Int32(count)
            k += 1
            stops.paragraphs.append(Stops.Paragraph(end: k, runs[runs.count - 1]))
        }
        allEnds.setCount(k)
        allNexts.setCount(k)
        allOffsets.setCount(k)
        swap(&allEnds, &stops.ends)
        swap(&allNexts, &stops.nexts)
        swap(&allOffsets, &stops.offsets)
        // A negative advance, or one that no font has, shows in the union of all.
        return odd == 0 && 0..<(1 << 13) ~= largest
    }

    private func runsArePlain(like first: TextRun) -> Bool {
        guard first.unitsPerEm > 0 else { return false }
        let percent = styles[Int(first.style)].percent
        for run in runs {
            guard run.unitsPerEm == first.unitsPerEm, styles[Int(run.style)].percent == percent else { return false }
            let beginsParagraph = run.start == 0 || marks[Int(run.start) - 1].contains(.newline)
            guard !run.beginsItem || beginsParagraph else { return false }
        }
        return true
    }
}

extension Stops {
    static let oddMarks: UInt8 = Marks.tab.rawValue | Marks.softHyphen.rawValue
    static let hangingMarks: UInt8 = Marks.space.rawValue | Marks.newline.rawValue
}

extension Array where Element == Int32 {
    /// Keeps what is there; what is new is 0.
    package mutating func setCount(_ wanted: Int) {
        if wanted > count {
            append(contentsOf: repeatElement(0, count: wanted - count))
        } else {
            removeLast(count - wanted)
        }
    }
}
