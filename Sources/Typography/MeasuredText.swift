import Bytes

/// A text after everything that is expensive about it: segmentation, font fallback and shaping are done, and none of
/// it depends on size, scale or width. `LineBreaker` turns it into lines with integer arithmetic alone.
///
/// Everything is indexed by UTF-16 unit, which is how clients address text. A unit that does not begin a cluster has no
/// advance and no marks, so no second numbering of clusters is needed.
package struct MeasuredText: Hashable, Sendable {
    /// The advance of the cluster that begins at each unit, in font units of its run; 0 elsewhere.
    package var advances: [Int32]
    package var marks: [Marks]
    /// The runs in logical order, the first at 0, each up to the start of the next.
    package var runs: [TextRun]
    /// The metrics of each style, by its number: for tab stops, hyphens and line heights, which belong to no run.
    package var styles: [StyleMetrics]
    /// Places where a break changes the advances beside it, in order.
    package var unsafeBreaks: [UnsafeBreak]
    /// Pieces between two unsafe places that change each other's effect, in order.
    package var shortPieces: [ShortPiece]
    /// Heights of the inline boxes, in order.
    package var boxes: [MeasuredBox]
    package var entities: [Entity]
    /// The number of emoji of a text that has nothing but emoji and spaces, else 0.
    package var emojiCount: Int32
    /// Clusters that join the one before.
    package var joins = JoinedPlaces()
    /// The opportunities of a plain text, derived from the rest.
    package var stops: Stops
    /// The segments of most other texts, derived from the rest.
    package var segments = Segments()

    package var count: Int { advances.count }

    /// Whether some character had no glyph in any font of the list: drawn as a box, measured as `.notdef`.
    package var isMissingGlyphs: Bool {
        var all: UInt8 = 0
        for mark in marks { all |= mark.rawValue }  // eight or more at a time, unlike a search
        return Marks(rawValue: all).contains(.missingGlyph)
    }

    /// Whether a paragraph ends in a soft hyphen, which is not shown there and yet must have room.
    package func hidesHyphen(on lines: borrowing LineBuffer, from first: Int) -> Bool {
        guard stops.unit == nil else { return false }
        for i in first..<max(first, lines.count) where hidesHyphen(on: lines[i]) { return true }
        return false
    }

    private func hidesHyphen(on line: Line) -> Bool {
        guard line.traits.contains(.lastOfParagraph) else { return false }
        var last = Int(line.end) - 1
        while last >= line.start, !marks[last].isDisjoint(with: [.space, .newline]) { last -= 1 }
        return last >= line.start && marks[last].contains(.softHyphen)
    }
}

extension MeasuredText {
    package static let empty = MeasuredText(
        advances: [], marks: [], runs: [], styles: [], unsafeBreaks: [], shortPieces: [], boxes: [], entities: [],
        emojiCount: 0, stops: Stops())

    /// Puts together the parts that a shaper or a decoder found.
    package init(
        advances: [Int32], marks: [Marks], runs: [TextRun], styles: [StyleMetrics], unsafeBreaks: [UnsafeBreak] = [],
        shortPieces: [ShortPiece] = [], boxes: [MeasuredBox] = [], entities: [Entity] = [], emojiCount: Int32 = 0,
        joins: JoinedPlaces = JoinedPlaces()
    ) {
        self.init(
            advances: advances, marks: marks, runs: runs, styles: styles, unsafeBreaks: unsafeBreaks,
            shortPieces: shortPieces, boxes: boxes, entities: entities, emojiCount: emojiCount, joins: joins,
            stops: Stops())
        findStops()
    }
}

/// The marks of a UTF-16 unit: all that a line breaker must know about it.
public struct Marks: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8

    // Public because the compiler inlines nothing else into other modules, which set marks by the thousand.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A grapheme cluster begins here: a caret may stand before it, and an emergency break.
    @inlinable public static var cluster: Marks { Marks(rawValue: 1) }
    /// A line may end before this unit.
    @inlinable public static var opportunity: Marks { Marks(rawValue: 2) }
    /// U+0020, tab or U+3000: hangs at the end of a line and never causes a wrap.
    @inlinable public static var space: Marks { Marks(rawValue: 4) }
    @inlinable public static var tab: Marks { Marks(rawValue: 8) }
    /// Ends its paragraph.
    @inlinable public static var newline: Marks { Marks(rawValue: 16) }
    /// A line that ends behind this unit shows a hyphen.
    @inlinable public static var softHyphen: Marks { Marks(rawValue: 32) }
    /// A break before this unit changes advances: see `unsafeBreaks`.
    @inlinable public static var unsafe: Marks { Marks(rawValue: 64) }
    @inlinable public static var missingGlyph: Marks { Marks(rawValue: 128) }
}

/// A stretch of text in one font, style, script and bidi level.
package struct TextRun: Hashable, Sendable {
    package var start: Int32
    /// Divides the advances of the run to give ems. Bitmap fonts count in pixels of their strike; an inline box, which
    /// does not grow with the font, counts in 1/64 point and has 0 here.
    package var unitsPerEm: Int32
    /// Place of the face in the font list; `TextRun.box` for an inline box.
    package var font: UInt16
    /// Script by its number in ISO 15924 as ICU counts.
    package var script: UInt16
    package var level: UInt8
    package var style: UInt8
    /// Browsers round the width of each item up to 1/64 pixel: a new bidi level, a tab and a new style begin one.
    package var beginsItem: Bool
    /// The level of the paragraph it stands in. A paragraph begins with a run.
    package var paragraphLevel: UInt8

    package static let box: UInt16 = .max

    package init(
        start: Int32, unitsPerEm: Int32, font: UInt16, script: UInt16 = 0, level: UInt8 = 0, style: UInt8 = 0,
        beginsItem: Bool = true, paragraphLevel: UInt8 = 0
    ) {
        self.start = start
        self.unitsPerEm = unitsPerEm
        self.font = font
        self.script = script
        self.level = level
        self.style = style
        self.beginsItem = beginsItem
        self.paragraphLevel = paragraphLevel
    }

    package var isRightToLeft: Bool { level & 1 == 1 }

    /// Whether two runs differ in nothing but their beginning.
    func isLike(_ other: TextRun) -> Bool {
        var other = other
        other.start = start
        return self == other
    }
}

/// The metrics of a style's first font for lines, in its own units.
package struct StyleMetrics: Hashable, Sendable {
    package var unitsPerEm: Int32
    package var ascent: Int32
    /// The depth below the baseline, positive.
    package var descent: Int32
    package var space: Int32
    package var hyphen: Int32
    package var ellipsis: Int32
    /// Size in percent of the text's own.
    package var percent: Int32

    package init(
        unitsPerEm: Int32, ascent: Int32, descent: Int32, space: Int32, hyphen: Int32, ellipsis: Int32,
        percent: Int32 = 100
    ) {
        self.unitsPerEm = unitsPerEm
        self.ascent = ascent
        self.descent = descent
        self.space = space
        self.hyphen = hyphen
        self.ellipsis = ellipsis
        self.percent = percent
    }
}

/// The extents of an inline box above and below the baseline, in the units of its run.
package struct MeasuredBox: Hashable, Sendable {
    package var position: Int32
    package var ascent: Int32
    package var descent: Int32

    package init(position: Int32, ascent: Int32, descent: Int32) {
        self.position = position
        self.ascent = ascent
        self.descent = descent
    }
}

/// A place inside a kerned pair, a ligature or a joined word, where the two sides are measured anew when a line ends
/// there. The deltas are in font units, on top of the advances that the unbroken text has.
package struct UnsafeBreak: Hashable, Sendable {
    package var position: Int32
    /// Nearest places before and behind where a break changes nothing.
    package var safeBefore: Int32
    package var safeAfter: Int32
    /// The delta for the line that ends here.
    package var ending: Int32
    /// The delta for the line that begins here.
    package var beginning: Int32

    package init(position: Int32, safeBefore: Int32, safeAfter: Int32, ending: Int32, beginning: Int32) {
        self.position = position
        self.safeBefore = safeBefore
        self.safeAfter = safeAfter
        self.ending = ending
        self.beginning = beginning
    }
}

/// The width of a line that begins and ends inside one unsafe stretch, where the two deltas do not add up: the middle
/// letter of a ligature of three, for example.
package struct ShortPiece: Hashable, Sendable {
    package var start: Int32
    package var end: Int32
    package var units: Int32

    package init(start: Int32, end: Int32, units: Int32) {
        self.start = start
        self.end = end
        self.units = units
    }
}
