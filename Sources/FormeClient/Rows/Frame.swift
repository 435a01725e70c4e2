/// One thing that is drawn, or touched, or both: its rectangle, its purpose, and its paint. Parts, tokens and actions
/// have the names that the style gives them; an empty name means that there is none.
public struct Frame: Hashable, Sendable {
    /// Its name in the style: `bubble`, `caption`, `option`.
    public var part: String
    public var role: Role
    /// Its rectangle, from the top left of the row.
    public var rect: Rect
    /// Its place among the frames of its row: a parent is before its children, and -1 is the row itself.
    public var node: Int
    public var parent: Int
    /// The radius of the corners that are round.
    public var radius: Int32
    public var corners: Corners
    public var clips: Bool
    /// Whether it hides what is behind it.
    public var isOpaque: Bool
    /// Whether it may stand over its siblings.
    public var isOverlaid: Bool
    /// The edges that keep their distance when the parent is stretched.
    public var pins: Pins
    /// Its paint, by the style's name for it; clients resolve it.
    public var token: String
    /// The place of its content in the message: `photos[2]`.
    public var source: String
    /// The words of the style that stand in it; empty for other words.
    public var literal: String { text?.literal ?? "" }
    /// The action of a touch; where frames overlap, the one with the highest priority counts.
    public var action: String
    public var priority: Int32
    /// The subject of the action, from the beginning of the message: `options[1]`; empty for all of the message.
    public var about: String
    /// Its words, and their face; nil for a frame without a text.
    public var text: FrameText?
    /// Its name for a screen reader, where that is not its text.
    public var label: String
    public var accessRole: AccessRole
    /// The size that a picture is scaled to; the frame shows the middle of it.
    public var fill: (width: Int32, height: Int32) { (fillWidth, fillHeight) }
    var fillWidth: Int32
    var fillHeight: Int32
    /// The lines of a text. There is nothing to measure: these are their places.
    public var lines: [TextLine]
    /// The places of a text's links, mentions and spoilers.
    public var entities: [EntityFrame]
    /// The heights of bars, such as those of a voice message, in 255ths.
    public var bars: [UInt8]

    /// The kinds of frames that clients draw in different ways.
    public enum Role: UInt8, CaseIterable, Sendable {
        case box = 0
        case text, media, avatar, icon, bars, track, divider, stamp, control, spoiler
    }

    public enum AccessRole: UInt8, CaseIterable, Sendable {
        case none = 0
        case text, image, button, link, heading, list, progress, field
    }
}

/// The text of a frame, and its face. Generated text is shown if there is any, else the literal, else the text at the
/// path in the message, or the listed pieces of it.
public struct FrameText: Hashable, Sendable {
    /// Words of the style. Fields in them stand in braces, and `generated` has the words that are shown.
    public var literal: String
    /// Words that are nowhere in the message: "42%", the marker of an item.
    public var generated: String?
    /// The place in the message of the words, or of their source: `options[1].percent`; empty for words of the style.
    public var path: String
    /// The face that it was measured with; nil in rows that were laid out before they told it.
    public var face: Face?
    /// The parts of the words at the path that are shown one behind the other, in UTF-16 units; empty for all of
    /// them.
    public var pieces: [Range<Int>]
    /// Ranges that differ from the face.
    public var looks: [TextLook]
    public var alignment: Alignment

    public struct Face: Hashable, Sendable {
        /// The weight as CSS counts: 400 is regular, 700 bold.
        public var weight: Int
        public var isItalic: Bool
        public var isMonospaced: Bool
    }

    public enum Alignment: UInt8, CaseIterable, Sendable {
        /// The side at which the paragraph's direction begins.
        case start = 0
        case center, end
    }
}

/// A range of a text with a look of its own.
public struct TextLook: Hashable, Sendable {
    /// The range in UTF-16 units of the text as shown.
    public var range: Range<Int>
    /// Whether it has a weight of 700, or the face's own where that is higher.
    public var isBold: Bool
    public var isItalic: Bool
    public var isStruck: Bool
    public var isMonospaced: Bool
    public var isUnderlined: Bool
}

/// Facts about a row as a whole.
public struct RowSummary: Hashable, Sendable {
    public var stamp: Stamp
    /// The frames in the order in which a screen reader reads them, by `Frame.node`.
    public var reading: [Int]
    /// Whether some character has no glyph in the fonts that it was measured with.
    public var isMissingGlyphs: Bool
    /// Whether some font was replaced by another.
    public var usesFallbackFont: Bool
    /// Whether it was laid out by the template for kinds that the style does not know.
    public var isOfUnknownKind: Bool

    /// The place of its time.
    public enum Stamp: UInt8, CaseIterable, Sendable {
        case none = 0
        /// Behind the last line, in the room that it leaves.
        case tucked
        /// Behind the last line, in a bubble that was widened for it.
        case widened
        /// Below the last line.
        case ownLine
        case overMedia
    }
}

/// One line of a text.
public struct TextLine: Hashable, Sendable {
    /// The range in UTF-16 units of the text as shown.
    public var range: Range<Int>
    /// Its rectangle, from the top left of the row; left and width are those of what is drawn.
    public var rect: Rect
    /// Its baseline, from the top of the row.
    public var baseline: Int32
    /// The font size in device pixels.
    public var fontSize: Double
    public var isRightToLeft: Bool
    /// Whether it shows a hyphen, or an ellipsis, behind its last unit.
    public var endsInHyphen: Bool
    public var endsInEllipsis: Bool
    /// Whether it is cut between letters that join, as in Arabic: drawn by itself, the line takes U+200D in front of
    /// its first unit, or behind its last, before a hyphen or an ellipsis. False in rows that were laid out before
    /// they told it.
    public var beginsJoined: Bool
    public var endsJoined: Bool
    /// The letters beside a cut within text of another direction, on which the places of punctuation and numbers at
    /// the line's ends depend: drawn by itself, the line takes their `mark` in front of all else, or behind its last
    /// unit that is drawn, before a hyphen or an ellipsis.
    public var beginsIn: Neighbour
    public var endsIn: Neighbour

    public enum Neighbour: UInt8, CaseIterable, Sendable {
        /// Letters that run as the paragraph does, or none.
        case usual = 0
        case leftToRight, rightToLeft, arabic

        /// The character that stands for them; empty where none is needed.
        public var mark: String {
            switch self {
            case .usual: ""
            case .leftToRight: "\u{200e}"
            case .rightToLeft: "\u{200f}"
            case .arabic: "\u{61c}"
            }
        }
    }
}

/// The part of an entity on one line.
public struct EntityFrame: Hashable, Sendable {
    public var kind: Kind
    /// The range of the whole entity, in UTF-16 units of the text as shown, also of the parts that are on other
    /// lines.
    public var range: Range<Int>
    public var rect: Rect
    /// The target of a link, where it is not the text.
    public var target: String

    public enum Kind: UInt8, CaseIterable, Sendable {
        case url = 0
        case email, phone, mention, hashtag, command, spoiler, code, box
    }
}
