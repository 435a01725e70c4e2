import MessageLayout
package import Rows

/// The things around the content of a row, and the content's own place, from the top left of the row. The rectangle
/// of anything that is absent is `.zero`.
public struct Decoration: Hashable, Sendable {
    public var content: Rect
    public var avatar: Rect
    public var failedIcon: Rect
    public var selectionHandle: Rect
    /// The line above the first unread message.
    public var unreadLine: Rect
    /// The line above the first message of a day.
    public var dateLine: Rect
    /// The day of that line: days since 1970 began, by the reader's clock.
    public var day: Int64
    public var side: Side
    /// Whether the name of the sender stands in the content.
    public var showsName: Bool
    public var bubble: Bubble

    public enum Side: Hashable, Sendable {
        case own, other
    }

    /// The outline of the content, for styles that draw one.
    public struct Bubble: Hashable, Sendable {
        public var largeRadius: Int32
        public var smallRadius: Int32
        /// The corners that have the small radius.
        public var smallCorners: Corners
        public var hasTail: Bool
        public static let none = Bubble(largeRadius: 0, smallRadius: 0, smallCorners: [], hasTail: false)
    }

    public static let none = Decoration(
        content: .zero, avatar: .zero, failedIcon: .zero, selectionHandle: .zero, unreadLine: .zero, dateLine: .zero,
        day: 0, side: .other, showsName: false, bubble: .none)
}

/// Corners of a rectangle. Start is left, unless the screen is mirrored.
public struct Corners: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let topStart = Corners(rawValue: 1)
    public static let topEnd = Corners(rawValue: 2)
    public static let bottomStart = Corners(rawValue: 4)
    public static let bottomEnd = Corners(rawValue: 8)
    public static let all: Corners = [.topStart, .topEnd, .bottomStart, .bottomEnd]
}

extension Decoration {
    package init(_ other: Rows.Decoration) {
        self.init(
            content: Rect(other.content), avatar: Rect(other.avatar), failedIcon: Rect(other.failedIcon),
            selectionHandle: Rect(other.selectionHandle), unreadLine: Rect(other.unreadLine),
            dateLine: Rect(other.dateLine?.frame), day: Int64(other.dateLine?.day.number ?? 0),
            side: other.variant == .own ? .own : .other, showsName: other.showsName,
            bubble: Bubble(
                largeRadius: other.bubble.largeRadius, smallRadius: other.bubble.smallRadius,
                smallCorners: Corners(rawValue: other.bubble.smallCorners.rawValue), hasTail: other.bubble.hasTail))
    }
}

/// Edges of a frame.
public struct Pins: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let start = Pins(rawValue: 1)
    public static let end = Pins(rawValue: 2)
    public static let top = Pins(rawValue: 4)
    public static let bottom = Pins(rawValue: 8)
    public static let all: Pins = [.start, .end, .top, .bottom]
}
