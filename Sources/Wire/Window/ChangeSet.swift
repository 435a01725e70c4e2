/// What happened to a window, in the order in which it is to be done: afterwards the client has what it would have if it
/// opened the same window afresh.
package struct ChangeSet: Hashable, Sendable {
    package var window: WindowID
    /// What the client must have, so that it may do this.
    package var since: WindowCursor
    package var changes: [WindowChange]
    /// One for each declared anchor.
    package var anchors: [AnchorDelta]
    /// Of the window afterwards.
    package var frame: WindowFrame

    package init(
        window: WindowID, since: WindowCursor, changes: [WindowChange], anchors: [AnchorDelta], frame: WindowFrame
    ) {
        (self.window, self.since, self.changes) = (window, since, changes)
        (self.anchors, self.frame) = (anchors, frame)
    }
}

/// One change of a window.
package struct WindowChange: Hashable, Sendable {
    package var kind: Kind
    /// By how much all rows of the window together are higher.
    package var heightDelta: Int64
    package var change: ChangeClass
    package var reason: ChangeReason

    /// Places count from the first row of the window, as it is when the change is done.
    package enum Kind: Hashable, Sendable {
        case insert(at: Int, [WindowRow])
        case remove(at: Int, count: Int)
        /// Another revision.
        case replace(at: Int, WindowRow)
        /// The second place is one among the others, when the row is not among them.
        case move(from: Int, to: Int, WindowRow)
        /// The same content, dressed in another way.
        case redecorate(at: Int, WindowRow)
    }

    package init(_ kind: Kind, heightDelta: Int64, change: ChangeClass, reason: ChangeReason) {
        (self.kind, self.heightDelta, self.change, self.reason) = (kind, heightDelta, change, reason)
    }
}

/// How far an anchor has moved. A client that scrolls as far sees it where it was.
package struct AnchorDelta: Hashable, Sendable {
    /// If its row is gone, of the row that came into its place.
    package var anchor: WindowAnchor
    package var delta: Int64

    package init(anchor: WindowAnchor, delta: Int64) { (self.anchor, self.delta) = (anchor, delta) }
}
