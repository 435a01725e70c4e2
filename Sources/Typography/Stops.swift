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

        package init(end: Int32, isRightToLeft: Bool) {
            self.end = end
            self.isRightToLeft = isRightToLeft
        }
    }

    package init() {}

    package mutating func removeAll() {
        isPlain = false
        ends.removeAll(keepingCapacity: true)
        nexts.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        paragraphs.removeAll(keepingCapacity: true)
    }

    /// Sums stay within 32 bits up to here, whatever is added to them for a line.
    package static let largestSum: Int64 = 1 << 29
}

extension MeasuredText {
    /// Finds the stops of a plain text, or that it is not plain.
    package mutating func findStops() {
        stops.removeAll()
        guard let first = runs.first else {
            stops.isPlain = advances.isEmpty
            return
        }
        guard isPlain(like: first) else { return }
        stops.unitsPerEm = first.unitsPerEm
        stops.percent = styles[Int(first.style)].percent
        var sum: Int32 = 0
        var content: Int32 = 0
        var run = 0
        for i in 0..<count {
            let mark = marks[i]
            if mark.contains(.opportunity) && i > 0 && !marks[i - 1].contains(.newline) {
                addStop(end: content, next: sum, offset: i)
            }
            while run + 1 < runs.count && runs[run + 1].start <= i { run += 1 }
            sum += advances[i]
            if mark.contains(.newline) {
                addStop(end: content, next: sum, offset: i + 1)
                endParagraph(runs[run])
                content = sum
            } else if !mark.contains(.space) {
                content = sum
            }
        }
        if !marks[count - 1].contains(.newline) {
            addStop(end: content, next: sum, offset: count)
            endParagraph(runs[run])
        }
        stops.isPlain = true
    }

    private mutating func addStop(end: Int32, next: Int32, offset: Int) {
        stops.ends.append(end)
        stops.nexts.append(next)
        stops.offsets.append(Int32(offset))
    }

    private mutating func endParagraph(_ run: TextRun) {
        stops.paragraphs.append(
            Stops.Paragraph(end: Int32(stops.ends.count), isRightToLeft: run.paragraphLevel & 1 == 1))
    }

    private func isPlain(like first: TextRun) -> Bool {
        guard first.unitsPerEm > 0 else { return false }
        let percent = styles[Int(first.style)].percent
        for run in runs {
            guard run.unitsPerEm == first.unitsPerEm, styles[Int(run.style)].percent == percent else { return false }
            let beginsParagraph = run.start == 0 || marks[Int(run.start) - 1].contains(.newline)
            guard !run.beginsItem || beginsParagraph else { return false }
        }
        var sum: Int64 = 0
        for i in 0..<count {
            if marks[i].contains([.unsafe, .opportunity]) { return false }
            if !marks[i].isDisjoint(with: [.tab, .softHyphen]) || advances[i] < 0 { return false }
            sum += Int64(advances[i])
        }
        return sum <= Stops.largestSum
    }
}
