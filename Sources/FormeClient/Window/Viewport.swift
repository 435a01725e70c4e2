import Conversation
import Wire

/// A screen over a window: which part of the conversation is seen, and where that goes when something changes.
///
/// It counts as the window does, from the origin downward. `offset` says the same as scroll views count.
///
///     viewport.follow(from: shown, to: update.window)
///     collectionView.contentOffset.y = viewport.offset(in: update.window) / scale
public struct Viewport: Hashable, Sendable {
    private var inner: Conversation.Viewport
    /// When the next page is asked for.
    public var prefetch: Prefetch

    /// Which way scroll views count.
    public enum Axis: Hashable, Sendable {
        case down
        /// The list stands on its head, and grows upward from its newest row.
        case up
    }

    /// Where rows stand that are less high than the screen.
    public enum Gravity: Hashable, Sendable {
        case top, bottom
    }

    /// What stays where it is when a conversation changes.
    public enum Policy: Hashable, Sendable {
        /// The end, while it is seen; otherwise what is seen.
        case stickToBottom
        /// What is seen.
        case hold
        case holdAnchor(Anchor)
        /// A new message goes to the top of the screen, and stays there while what follows fills the rest.
        case pinNewToTop
        /// The first unread message goes to the top of the screen, and stays there.
        case followUnread(order: Int64)
    }

    public struct Prefetch: Hashable, Sendable {
        /// A page is asked for when so much of the window is left before its edge,
        public var edge: Double
        /// or so many screens, whatever is more,
        public var screens: Double
        /// or as much as passes in so many seconds.
        public var lead: Double
        /// Older rows are asked for at the very top only, as some messengers do.
        public var olderAtTopOnly: Bool

        public init(edge: Double = 0.05, screens: Double = 2, lead: Double = 0.3, olderAtTopOnly: Bool = false) {
            (self.edge, self.screens, self.lead, self.olderAtTopOnly) = (edge, screens, lead, olderAtTopOnly)
        }
    }

    /// - Parameter height: of the whole screen, covered parts included, in device pixels.
    public init(
        height: Int32, policy: Policy = .stickToBottom, axis: Axis = .down, gravity: Gravity = .bottom,
        prefetch: Prefetch = Prefetch()
    ) {
        inner = Conversation.Viewport(
            height: height, top: 0, axis: axis == .down ? .down : .up, gravity: gravity == .top ? .top : .bottom,
            policy: policy.inner)
        self.prefetch = prefetch
        self.policy = policy
    }

    public var policy: Policy { didSet { inner.policy = policy.inner } }

    public var height: Int32 { inner.height }
    /// The y at the top edge of the screen.
    public var top: Int64 { inner.top }
    /// What is not covered.
    public var visible: Range<Int64> { inner.visible }

    public func isAtBottom(of window: Window) -> Bool { inner.isAtBottom(of: window.extent) }

    /// Where a window says that it was opened.
    public mutating func show(_ window: Window) {
        inner.move(to: window.opened?.y ?? window.loaded.upperBound - Int64(height), in: window.extent)
    }

    /// What a scroll view is told, and what it says.
    public func offset(in window: Window) -> Int64 { inner.scrollOffset(in: window.extent) }
    public mutating func scroll(to offset: Int64, in window: Window) { inner.scroll(to: offset, in: window.extent) }

    /// Something covers an edge now (keyboard, banner, composer), or does not any more. Covers add up by their reasons.
    public mutating func cover(_ reason: String, top: Int32 = 0, bottom: Int32 = 0, in window: Window) {
        inner.cover(reason, .init(top: top, bottom: bottom), in: window.extent)
    }

    /// The screen was turned. What is at its bottom stays there; `follow` to the window for the new screen comes next.
    public mutating func resize(height: Int32) { inner.resize(height: height) }

    /// Goes where its policy wants to be, from a window to the same one after a change. What was kept from the last time
    /// gives way to what is there now without a movement.
    public mutating func follow(from old: Window, to new: Window) {
        guard let before = old.mirror, let after = new.mirror else { return show(new) }
        if old.source == .cache && new.source == .gateway { inner.policy = .hold(nil) }
        inner.follow(from: before, to: after)
        inner.policy = policy.inner
    }

    /// Pages to ask for, so that they are there before they are seen.
    /// - Parameter velocity: of the content that comes into view, in device pixels a second; positive towards newer rows.
    public func wanted(of window: Window, velocity: Double = 0) -> Pages {
        guard let mirror = window.mirror else { return [] }
        let policy = PrefetchPolicy(
            edge: Int32((prefetch.edge * 1000).clamped), tenthsOfScreen: Int32((prefetch.screens * 10).clamped),
            lead: Int32((prefetch.lead * 1000).clamped), olderAtTopOnly: prefetch.olderAtTopOnly)
        let hint = policy.hint(
            for: mirror.frame, bottom: mirror.bottom, screen: height,
            velocity: Int64(max(-1e12, min(velocity.isFinite ? velocity : 0, 1e12))))
        var pages: Pages = []
        if let older = hint.older, visible.lowerBound <= older { pages.insert(.older) }
        if let newer = hint.newer, visible.upperBound >= newer { pages.insert(.newer) }
        return pages
    }

    public struct Pages: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let older = Pages(rawValue: 1)
        public static let newer = Pages(rawValue: 2)
    }

    /// The last row that is seen.
    public func anchor(in window: Window) -> Anchor {
        window.rows(in: visible).last.map { Anchor(row: window[$0].id) } ?? .none
    }
}

extension Viewport.Policy {
    fileprivate var inner: AnchorPolicy {
        switch self {
        case .stickToBottom: .stickToBottom
        case .hold: .hold(nil)
        case .holdAnchor(let anchor): .hold(anchor == .none ? nil : anchor.wire)
        case .pinNewToTop: .pinNewToTop
        case .followUnread(let order): .followUnread(order: order)
        }
    }
}

extension Double {
    fileprivate var clamped: Double { isFinite ? Swift.max(0, Swift.min(self, 1e6)) : 0 }
}
