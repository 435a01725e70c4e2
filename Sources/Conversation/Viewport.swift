package import Wire

/// A client's screen over a window: which part of the conversation is seen, and where that goes when something changes.
///
/// It counts as the window does, from the origin downward. `scrollOffset` says the same as scroll views count: from the top
/// of everything downward, or, where the list stands on its head, from the bottom upward.
package struct Viewport: Hashable, Sendable {
    /// Of the whole screen, covered parts included.
    package private(set) var height: Int32
    /// The y at the top edge of the screen.
    package private(set) var top: Int64
    package private(set) var insets = InsetLedger()
    package var axis: Axis
    package var gravity: Gravity
    package var policy: AnchorPolicy

    package enum Axis: Hashable, Sendable {
        case down
        /// The list grows upward from its newest row.
        case up
    }

    /// Where rows stand that are less high than the screen.
    package enum Gravity: Hashable, Sendable {
        case top, bottom
    }

    package init(
        height: Int32, top: Int64, axis: Axis = .down, gravity: Gravity = .bottom, policy: AnchorPolicy = .stickToBottom
    ) {
        (self.height, self.top, self.axis, self.gravity, self.policy) = (height, top, axis, gravity, policy)
    }

    /// What is not covered.
    package var visible: Range<Int64> {
        let insets = insets.sum
        let start = top + Int64(insets.top)
        return start..<max(start, top + Int64(height) - Int64(insets.bottom))
    }

    package func isAtBottom(of extent: Range<Int64>) -> Bool { visible.upperBound >= extent.upperBound }

    /// What a scroll view is told.
    package func scrollOffset(in extent: Range<Int64>) -> Int64 {
        switch axis {
        case .down: top - extent.lowerBound
        case .up: extent.upperBound - (top + Int64(height))
        }
    }

    package mutating func scroll(to offset: Int64, in extent: Range<Int64>) {
        switch axis {
        case .down: top = offset + extent.lowerBound
        case .up: top = extent.upperBound - offset - Int64(height)
        }
    }

    /// Another height, by rotation; what was at the bottom stays there.
    package mutating func resize(height: Int32) {
        top += Int64(self.height) - Int64(height)
        self.height = height
    }

    /// To where a window says that it was opened.
    package mutating func move(to top: Int64, in extent: Range<Int64>) {
        self.top = top
        clamp(to: extent)
    }

    /// As far as there is anything to see. What is less high than the screen stands where gravity pulls it.
    package mutating func clamp(to extent: Range<Int64>) {
        let insets = insets.sum
        let highest = extent.lowerBound - Int64(insets.top)
        let lowest = extent.upperBound + Int64(insets.bottom) - Int64(height)
        top = lowest < highest ? (gravity == .top ? highest : lowest) : max(highest, min(top, lowest))
    }

    /// Something covers an edge now, or does not any more. What was at the bottom of the visible part stays there when the
    /// bottom is covered; a cover at the top moves nothing but a list that stands at its top.
    package mutating func cover(_ reason: String, _ cover: InsetLedger.Insets, in extent: Range<Int64>) {
        let before = insets.sum
        let wasAtTop = visible.lowerBound <= extent.lowerBound
        insets[reason] = cover
        let after = insets.sum
        top += Int64(after.bottom) - Int64(before.bottom)
        if wasAtTop { top = min(top, extent.lowerBound - Int64(after.top)) }
        clamp(to: extent)
    }
}

/// What stays where it is when a conversation changes.
package enum AnchorPolicy: Hashable, Sendable {
    /// The end, while it is seen; otherwise what is seen.
    case stickToBottom
    /// What is seen, or what is named.
    case hold(WindowAnchor?)
    /// A new message goes to the top of the screen, and stays there while what follows fills the rest.
    case pinNewToTop
    /// The first unread message goes to the top of the screen, and stays there.
    case followUnread(order: Int64)
}

extension Viewport {
    /// Goes where its policy wants to be, from a window to the same one after a change.
    package mutating func follow(from old: WindowMirror, to new: WindowMirror) {
        let wasAtBottom = isAtBottom(of: old.frame.extent)
        let lowest = new.frame.extent.upperBound + Int64(insets.sum.bottom) - Int64(height)
        hold(from: old, to: new)
        switch policy {
        case .hold: clamp(to: new.frame.extent)
        case .stickToBottom:
            if wasAtBottom { top = lowest }
            clamp(to: new.frame.extent)
        case .pinNewToTop:
            // The space below is not a fault: an answer is about to fill it.
            if let last = new.rows.indices.last, old.index(of: new.rows[last].number) == nil, !new.frame.hasNewer {
                top = new.top(of: last) - Int64(insets.sum.top)
            }
        case .followUnread(let order):
            if let row = new.rows.firstIndex(where: { $0.order >= order }),
                new.rows[..<row].count > 0 || !new.frame.hasOlder
            {
                top = new.top(of: row) - Int64(insets.sum.top)
            }
            clamp(to: new.frame.extent)
        }
    }

    /// Scrolls as far as what is held has moved: what the policy names, or else the last row that is seen and still there.
    private mutating func hold(from old: WindowMirror, to new: WindowMirror) {
        let seen = old.rows(in: visible).reversed().map { WindowAnchor(row: old.rows[$0].number) }
        var anchors = Array(seen)
        if case .hold(let anchor?) = policy { anchors.insert(anchor, at: 0) }
        for anchor in anchors {
            guard let before = old.y(of: anchor), let after = new.y(of: anchor) else { continue }
            top += after - before
            return
        }
    }
}
