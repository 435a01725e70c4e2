/// One thing that is drawn, or touched, or both: where it stands, what it is for, and what it is painted with. It names parts,
/// tokens and actions by words of the style; an empty word is none.
public struct Frame: Hashable, Sendable {
    /// Its name in the style: `bubble`, `caption`, `option`.
    public var part: String
    public var role: Role
    /// From the top left of the row.
    public var rect: Rect
    /// Its place among the frames of its row: a parent is before its children, and -1 is the row itself.
    public var node: Int
    public var parent: Int
    /// Of the corners that are round.
    public var radius: Int32
    public var corners: Corners
    public var clips: Bool
    /// Hides what is behind it.
    public var isOpaque: Bool
    /// May stand over its siblings.
    public var isOverlaid: Bool
    /// Edges that keep their distance when the parent is stretched.
    public var pins: Pins
    /// What it is painted with; clients resolve it.
    public var token: String
    /// Where its content is in the message: `photos[2]`.
    public var source: String
    /// Words of the style that stand in it; empty for others.
    public var literal: String { text?.literal ?? "" }
    /// What a touch does; of frames that overlap, the highest priority is meant.
    public var action: String
    public var priority: Int32
    /// The subject of the action, from the beginning of the message: `options[1]`; empty for all of the message.
    public var about: String
    /// The words in it, and their face; nil for what is no text.
    public var text: FrameText?
    /// What a screen reader calls it, where that is not its text.
    public var label: String
    public var accessRole: AccessRole
    /// Of a picture: the size to which it is scaled, of which the frame shows the middle.
    public var fill: (width: Int32, height: Int32) { (fillWidth, fillHeight) }
    var fillWidth: Int32
    var fillHeight: Int32
    /// Of a text. There is nothing to measure: these lines are where they are.
    public var lines: [TextLine]
    /// Of a text: what links, mentions and spoilers cover.
    public var entities: [EntityFrame]
    /// Heights of bars, such as those of a voice message, in 255ths.
    public var bars: [UInt8]

    /// As far as clients draw each differently.
    public enum Role: UInt8, CaseIterable, Sendable {
        case box = 0
        case text, media, avatar, icon, bars, track, divider, stamp, control, spoiler
    }

    public enum AccessRole: UInt8, CaseIterable, Sendable {
        case none = 0
        case text, image, button, link, heading, list, progress, field
    }
}

/// The words of a frame, and their face. Shown are those that are generated, if there are any; else the literal; else what stands at
/// the path in the message, and of that the pieces.
public struct FrameText: Hashable, Sendable {
    /// Words of the style. Where they are made of fields, these stand in braces, and `generated` has what is shown.
    public var literal: String
    /// Words that stand nowhere in the message: "42%", the marker of an item.
    public var generated: String?
    /// The place in the message of the words, or of what they are made of: `options[1].percent`; empty for words of the style.
    public var path: String
    /// That with which it was measured; nil in rows that were laid out before they said so.
    public var face: Face?
    /// UTF-16 units of what stands at the path, shown one behind the other; empty for all of it.
    public var pieces: [Range<Int>]
    /// Stretches that differ from the face.
    public var looks: [TextLook]
    public var alignment: Alignment

    public struct Face: Hashable, Sendable {
        /// As CSS counts: 400 is regular, 700 bold.
        public var weight: Int
        public var isItalic: Bool
        public var isMonospaced: Bool
    }

    public enum Alignment: UInt8, CaseIterable, Sendable {
        /// By the direction of the paragraph.
        case start = 0
        case center, end
    }
}

/// A stretch of a text with a look of its own.
public struct TextLook: Hashable, Sendable {
    /// UTF-16 units of the text as shown.
    public var range: Range<Int>
    /// At a weight of 700, or the face's own where that is higher.
    public var isBold: Bool
    public var isItalic: Bool
    public var isStruck: Bool
    public var isMonospaced: Bool
    public var isUnderlined: Bool
}

/// Facts about a row as a whole.
public struct RowSummary: Hashable, Sendable {
    public var stamp: Stamp
    /// Places of frames in the order in which a screen reader reads, as `Frame.node` has them.
    public var reading: [Int]
    /// Some character has no glyph in the fonts that it was measured with.
    public var isMissingGlyphs: Bool
    /// Some font was replaced by another.
    public var usesFallbackFont: Bool
    /// Laid out by the template for kinds that the style does not know.
    public var isOfUnknownKind: Bool

    /// The place of its time.
    public enum Stamp: UInt8, CaseIterable, Sendable {
        case none = 0
        /// Behind the last line, as there is room.
        case tucked
        /// Behind the last line, for which the bubble is wider.
        case widened
        /// Below.
        case ownLine
        case overMedia
    }
}

/// One line of a text.
public struct TextLine: Hashable, Sendable {
    /// UTF-16 units of the text as shown.
    public var range: Range<Int>
    /// From the top left of the row; its left and width are those of what is drawn.
    public var rect: Rect
    /// From the top of the row.
    public var baseline: Int32
    /// In device pixels.
    public var fontSize: Double
    public var isRightToLeft: Bool
    /// Shows a hyphen, or an ellipsis, behind its last unit.
    public var endsInHyphen: Bool
    public var endsInEllipsis: Bool
    /// Cut between letters that join, as in Arabic: drawn by itself, the line takes U+200D in front of its first unit, or behind its
    /// last, before a hyphen or an ellipsis. False in rows that were laid out before they said so.
    public var beginsJoined: Bool
    public var endsJoined: Bool
    /// Cut within letters of another direction, on which the places of punctuation and numbers at its ends depend: drawn by itself, the
    /// line takes their `mark` in front of all else, or behind its last unit that is drawn, before a hyphen or an ellipsis.
    public var beginsIn: Neighbour
    public var endsIn: Neighbour

    public enum Neighbour: UInt8, CaseIterable, Sendable {
        /// Letters that run as the paragraph does, or none.
        case usual = 0
        case leftToRight, rightToLeft, arabic

        /// What stands for them; empty where nothing has to.
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

/// What an entity covers on one line.
public struct EntityFrame: Hashable, Sendable {
    public var kind: Kind
    /// UTF-16 units of the text as shown: of all of it, whatever it covers on this line.
    public var range: Range<Int>
    public var rect: Rect
    /// Where it leads to, where the text does not say.
    public var target: String

    public enum Kind: UInt8, CaseIterable, Sendable {
        case url = 0
        case email, phone, mention, hashtag, command, spoiler, code, box
    }
}
