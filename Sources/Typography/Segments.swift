/// The words of a text that is not plain, and the stretches between them: fonts of several scales, inline boxes,
/// tabs, soft hyphens. Sums that a walk over every unit would make again for each width are made once.
package struct Segments: Hashable, Sendable {
    /// The segments in order; behind the last a sentinel at the end of the text. Empty when the text is not for
    /// segments.
    private(set) var list: [Segment] = []
    /// The units that the advances of a segment may be counted in.
    private(set) var scales: [AdvanceUnit] = []

    struct Segment: Hashable, Sendable {
        var start: Int32
        var units: Int32 = 0
        /// The units that a break before the segment adds to the line that ends there.
        var ending: Int16 = 0
        /// The units that it adds to the line that begins there.
        var beginning: Int16 = 0
        var traits: Traits
        /// Place in `scales`.
        var scale: UInt8
    }

    struct Traits: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let opportunity = Traits(rawValue: 1)
        static let beginsItem = Traits(rawValue: 2)
        static let space = Traits(rawValue: 4)
        /// A newline, or the sentinel.
        static let endsParagraph = Traits(rawValue: 8)
        static let rightToLeft = Traits(rawValue: 16)
        static let tab = Traits(rawValue: 32)
        static let softHyphen = Traits(rawValue: 64)
    }

    package init() {}

    /// The most scales; a text with more is walked.
    static let mostScales = 4

    mutating func removeAll() {
        list.removeAll(keepingCapacity: true)
        scales.removeAll(keepingCapacity: true)
    }
}

extension Segments {
    mutating func find(in text: borrowing MeasuredText) {
        removeAll()
        guard text.count > 0 else { return }
        for run in text.runs.indices {
            guard addRun(run, of: text) else {
                removeAll()
                return
            }
        }
        let last = text.runs[text.runs.count - 1]
        list.append(Segment(start: Int32(text.count), traits: Segments.traits(of: last, .endsParagraph), scale: 0))
    }

    /// Adds the segments of a run. False when it has numbers that no font has, but a stored text may.
    private mutating func addRun(_ number: Int, of text: borrowing MeasuredText) -> Bool {
        let run = text.runs[number]
        let end = number + 1 < text.runs.count ? Int(text.runs[number + 1].start) : text.count
        guard let scale = scaleNumber(run, text), text.styles[Int(run.style)].hyphen >= 0 else { return false }
        let marks = text.marks.span
        let advances = text.advances.span
        var before: UInt8 = Segments.none
        for i in Int(run.start)..<end {
            let mark = marks[i].rawValue
            guard advances[i] >= 0 else { return false }
            let kind = mark & Segments.kinds
            if kind != before || mark & Segments.alone != 0 {
                var segment = Segment(
                    start: Int32(i), traits: Segments.traits(of: run, Segments.traits(of: mark)), scale: scale)
                if i == Int(run.start) && run.beginsItem { segment.traits.insert(.beginsItem) }
                guard segment.isOrdinary(in: text), segment.undoKerning(in: text) else { return false }
                list.append(segment)
                before = kind
            }
            list[list.count - 1].units &+= advances[i]
        }
        return true
    }

    private mutating func scaleNumber(_ run: TextRun, _ text: borrowing MeasuredText) -> UInt8? {
        let scale = text.unit(of: run)
        if let known = scales.firstIndex(of: scale) { return UInt8(known) }
        guard scales.count < Segments.mostScales else { return nil }
        scales.append(scale)
        return UInt8(scales.count - 1)
    }

    private static func traits(of run: TextRun, _ traits: Traits) -> Traits {
        run.paragraphLevel & 1 == 1 ? traits.union(.rightToLeft) : traits
    }

    private static func traits(of mark: UInt8) -> Traits {
        var traits: Traits = []
        if mark & Marks.opportunity.rawValue != 0 { traits.insert(.opportunity) }
        if mark & Marks.space.rawValue != 0 { traits.insert(.space) }
        if mark & Marks.newline.rawValue != 0 { traits.insert(.endsParagraph) }
        if mark & Marks.tab.rawValue != 0 { traits.insert(.tab) }
        if mark & Marks.softHyphen.rawValue != 0 { traits.insert(.softHyphen) }
        return traits
    }

    private static let none: UInt8 = 0xff
    private static let kinds =
        Marks.space.rawValue | Marks.newline.rawValue | Marks.tab.rawValue | Marks.softHyphen.rawValue
    /// Marks that begin a segment even behind one of the same kind.
    private static let alone = Marks.opportunity.rawValue | Marks.newline.rawValue | Marks.tab.rawValue
}

extension Segments.Segment {
    /// Whether the marks are such as shaped texts have.
    fileprivate func isOrdinary(in text: borrowing MeasuredText) -> Bool {
        if traits.contains(.tab) {
            guard traits.contains(.beginsItem), text.style(at: start).space > 0 else { return false }
        }
        // A line begins behind a newline and does not end before one, even where a mark says so.
        let isBesideNewline =
            traits.contains(.endsParagraph) || start == 0 || text.marks[Int(start) - 1].contains(.newline)
        return !(traits.contains(.opportunity) && isBesideNewline)
    }

    /// Takes over the changes of a break before the segment; false when they are larger than those of fonts.
    fileprivate mutating func undoKerning(in text: borrowing MeasuredText) -> Bool {
        guard text.marks[Int(start)].contains(.unsafe) else { return true }
        let place = text.unsafeBreak(at: start)
        guard let ending = Int16(exactly: place.ending), let beginning = Int16(exactly: place.beginning) else {
            return false
        }
        // A break does not change the text before spaces that hang.
        let hangs = start > 0 && text.marks[Int(start) - 1].contains(.space)
        self.ending = traits.contains(.opportunity) && !hangs ? ending : 0
        self.beginning = beginning
        return true
    }
}
