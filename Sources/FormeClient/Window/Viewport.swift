import Conversation
import Wire

/// A screen over a window: the part of the conversation that is seen, and its move when something changes.
///
/// It counts as the window does, from the origin downward. `offset` is the same place as scroll views count it.
///
///     viewport.follow(from: shown, to: update.window)
///     collectionView.contentOffset.y = viewport.offset(in: update.window) / scale
public struct Viewport: Hashable, Sendable {
    private var inner: Conversation.Viewport
    /// The moment to ask for the next page.
    public var prefetch: Prefetch

    /// The direction in which scroll views count.
    public enum Axis: Hashable, Sendable {
        case down
        /// The list stands on its head, and grows upward from its newest row.
        case up
    }

    /// The end of the screen at which rows stand that do not fill it.
    public enum Gravity: Hashable, Sendable {
        case top, bottom
    }

    /// The row that stays in its place when a conversation changes.
    public enum Policy: Hashable, Sendable {
        /// The end, while it is seen; otherwise the last row that is seen.
        case stickToBottom
        /// The last row that is seen.
        case hold
        case holdAnchor(Anchor)
        /// A new message goes to the top of the screen, and stays there while later ones fill the rest.
        case pinNewToTop
        /// The first unread message goes to the top of the screen, and stays there.
        case followUnread(order: Int64)
    }

    public struct Prefetch: Hashable, Sendable {
        /// The distance to the window's edge at which a page is asked for, as a share of the window.
        public var edge: Double
        /// The same in screens: the greater one counts.
        public var screens: Double
        /// The time ahead, in seconds: a page is also asked for when the reader scrolls to the edge within it.
        public var lead: Double
        /// Whether older rows are asked for only at the very top, as some messengers do.
        public var olderAtTopOnly: Bool

        public init(edge: Double = 0.05, screens: Double = 2, lead: Double = 0.3, olderAtTopOnly: Bool = false) {
            (self.edge, self.screens, self.lead, self.olderAtTopOnly) = (edge, screens, lead, olderAtTopOnly)
        }
    }

    /// - Parameter height: the height of the whole screen, covered parts included, in device pixels.
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
    /// The part that is not covered.
    public var visible: Range<Int64> { inner.visible }

    public func isAtBottom(of window: Window) -> Bool { inner.isAtBottom(of: window.extent) }

    /// Moves to the place that a window was opened at, according to its gateway.
    public mutating func show(_ window: Window) {
        inner.move(to: window.opened?.y ?? window.loaded.upperBound - Int64(height), in: window.extent)
    }

    /// The offset of a scroll view, to set and to take over.
    public func offset(in window: Window) -> Int64 { inner.scrollOffset(in: window.extent) }
    public mutating func scroll(to offset: Int64, in window: Window) { inner.scroll(to: offset, in: window.extent) }

    /// Sets or removes a cover of an edge (keyboard, banner, composer). Covers with different reasons add up.
    public mutating func cover(_ reason: String, top: Int32 = 0, bottom: Int32 = 0, in window: Window) {
        inner.cover(reason, .init(top: top, bottom: bottom), in: window.extent)
    }

    /// Takes the height of a screen that was turned. The row at the bottom stays there; `follow` to the window for
    /// the new screen comes next.
    public mutating func resize(height: Int32) { inner.resize(height: height) }

    /// Moves to the place that its policy demands, from a window to the same one after a change. A window from the
    /// cache gives way to that of the gateway without a movement.
    public mutating func follow(from old: Window, to new: Window) {
        guard let before = old.mirror, let after = new.mirror else { return show(new) }
        if old.source == .cache && new.source == .gateway { inner.policy = .hold(nil) }
        inner.follow(from: before, to: after)
        inner.policy = policy.inner
    }

    /// Pages to ask for, so that they are there before they are seen.
    /// - Parameter velocity: the velocity of the content that comes into view, in device pixels a second; positive
    ///   towards newer rows.
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
