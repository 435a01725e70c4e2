/// Words and the spaces between them, of a text that is not plain: bidi items, fonts of several scales, inline boxes.
/// What a walk over every unit would add up again for each width is added up once.
///
/// Lines are still found by the walk where more than sums decide: tabs, soft hyphens, kerning undone at an opportunity.
/// Such texts have no segments.
package struct Segments: Hashable, Sendable {
    /// In order; behind the last a sentinel at the end of the text. Empty when the text is not for segments.
    private(set) var list: [Segment] = []
    /// What the units of a segment may be counted in.
    private(set) var scales: [Scale] = []

    struct Segment: Hashable, Sendable {
        var start: Int32
        var units: Int32
        var traits: Traits
        /// Place in `scales`.
        var scale: UInt8
    }

    struct Scale: Hashable, Sendable {
        var unitsPerEm: Int32
        var percent: Int32
    }

    struct Traits: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let opportunity = Traits(rawValue: 1)
        static let beginsItem = Traits(rawValue: 2)
        static let space = Traits(rawValue: 4)
        /// A newline, or the sentinel.
        static let endsParagraph = Traits(rawValue: 8)
        static let rightToLeft = Traits(rawValue: 16)
    }

    package init() {}

    /// Of scales; a text with more is walked.
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
        add(at: Int32(text.count), [.endsParagraph], last, 0)
    }

    /// False when the run has something that sums do not decide.
    private mutating func addRun(_ number: Int, of text: borrowing MeasuredText) -> Bool {
        let run = text.runs[number]
        let end = number + 1 < text.runs.count ? Int(text.runs[number + 1].start) : text.count
        guard let scale = scaleNumber(run, text) else { return false }
        let marks = text.marks.span
        let advances = text.advances.span
        var before: UInt8 = Segments.none
        for i in Int(run.start)..<end {
            let mark = marks[i].rawValue
            let isKerned = mark & Segments.unsafeOpportunity == Segments.unsafeOpportunity
            if mark & Segments.odd != 0 || isKerned || advances[i] < 0 { return false }
            // A line begins behind a newline, whatever else is said there.
            if mark & Marks.opportunity.rawValue != 0 && (i == 0 || marks[i - 1].contains(.newline)) { return false }
            let kind = mark & Segments.kinds
            if kind != before || mark & (Marks.opportunity.rawValue | Marks.newline.rawValue) != 0 {
                var traits: Traits = []
                if mark & Marks.opportunity.rawValue != 0 { traits.insert(.opportunity) }
                if mark & Marks.space.rawValue != 0 { traits.insert(.space) }
                if mark & Marks.newline.rawValue != 0 { traits.insert(.endsParagraph) }
                if i == Int(run.start) && run.beginsItem { traits.insert(.beginsItem) }
                add(at: Int32(i), traits, run, scale)
                before = kind
            }
            list[list.count - 1].units &+= advances[i]
        }
        return true
    }

    private mutating func add(at start: Int32, _ traits: Traits, _ run: TextRun, _ scale: UInt8) {
        var traits = traits
        if run.paragraphLevel & 1 == 1 { traits.insert(.rightToLeft) }
        list.append(Segment(start: start, units: 0, traits: traits, scale: scale))
    }

    private mutating func scaleNumber(_ run: TextRun, _ text: borrowing MeasuredText) -> UInt8? {
        let scale = Scale(unitsPerEm: run.unitsPerEm, percent: text.styles[Int(run.style)].percent)
        if let known = scales.firstIndex(of: scale) { return UInt8(known) }
        guard scales.count < Segments.mostScales else { return nil }
        scales.append(scale)
        return UInt8(scales.count - 1)
    }

    private static let none: UInt8 = 0xff
    private static let kinds = Marks.space.rawValue | Marks.newline.rawValue
    private static let odd = Marks.tab.rawValue | Marks.softHyphen.rawValue
    private static let unsafeOpportunity = Marks.unsafe.rawValue | Marks.opportunity.rawValue
}
