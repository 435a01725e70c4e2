import MessageLayout

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
    /// What it is painted with; clients resolve it.
    public var token: String
    /// Where its content is in the message: `photos[2]`.
    public var source: String
    /// The text itself, where it comes from the style and not from the message.
    public var literal: String
    /// What a touch does; of frames that overlap, the highest priority is meant.
    public var action: String
    public var priority: Int32
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
