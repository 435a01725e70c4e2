package import Wire

/// A client's screen over a window: the part of the conversation that is seen, and its move when something changes.
///
/// It counts as the window does, from the origin downward. `scrollOffset` is the same place as scroll views count it:
/// from the top of everything downward, or, where the list stands on its head, from the bottom upward.
package struct Viewport: Hashable, Sendable {
    /// The height of the whole screen, covered parts included.
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

    /// The end of the screen at which rows stand that do not fill it.
    package enum Gravity: Hashable, Sendable {
        case top, bottom
    }

    package init(
        height: Int32, top: Int64, axis: Axis = .down, gravity: Gravity = .bottom, policy: AnchorPolicy = .stickToBottom
    ) {
        (self.height, self.top, self.axis, self.gravity, self.policy) = (height, top, axis, gravity, policy)
    }

    /// The part that is not covered.
    package var visible: Range<Int64> {
        let insets = insets.sum
        let start = top + Int64(insets.top)
        return start..<max(start, top + Int64(height) - Int64(insets.bottom))
    }

    package func isAtBottom(of extent: Range<Int64>) -> Bool { visible.upperBound >= extent.upperBound }

    /// The offset that a scroll view is given.
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

    /// Sets another height, after a rotation; the row at the bottom stays there.
    package mutating func resize(height: Int32) {
        top += Int64(self.height) - Int64(height)
        self.height = height
    }

    /// Moves to the place that a window was opened at, according to its gateway.
    package mutating func move(to top: Int64, in extent: Range<Int64>) {
        self.top = top
        clamp(to: extent)
    }

    /// Moves back to where there is anything to see. Rows that do not fill the screen stand where gravity pulls them.
    package mutating func clamp(to extent: Range<Int64>) {
        let insets = insets.sum
        let highest = extent.lowerBound - Int64(insets.top)
        let lowest = extent.upperBound + Int64(insets.bottom) - Int64(height)
        top = lowest < highest ? (gravity == .top ? highest : lowest) : max(highest, min(top, lowest))
    }

    /// Sets or removes a cover of an edge. With a cover at the bottom, the row at the bottom of the visible part
    /// stays there; a cover at the top moves only a list that stands at its top.
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

/// The row that stays in its place when a conversation changes.
package enum AnchorPolicy: Hashable, Sendable {
    /// The end, while it is seen; otherwise the last row that is seen.
    case stickToBottom
    /// The named row, or else the last that is seen.
    case hold(WindowAnchor?)
    /// A new message goes to the top of the screen, and stays there while later ones fill the rest.
    case pinNewToTop
    /// The first unread message goes to the top of the screen, and stays there.
    case followUnread(order: Int64)
}

extension Viewport {
    /// Moves to the place that its policy demands, from a window to the same one after a change.
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

    /// Scrolls as far as the held row has moved: the row that the policy names, or else the last row that is seen and
    /// still there.
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
