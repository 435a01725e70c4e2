/// The changes of a window, in the order in which a client applies them. Afterwards the client has the same as if
/// it opened the window afresh.
package struct ChangeSet: Hashable, Sendable {
    package var window: WindowID
    /// The cursor that the client must have to apply the changes.
    package var since: WindowCursor
    package var changes: [WindowChange]
    /// One for each declared anchor.
    package var anchors: [AnchorDelta]
    /// The frame of the window afterwards.
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
    /// The growth of the height of all rows of the window together.
    package var heightDelta: Int64
    package var change: ChangeClass
    package var reason: ChangeReason

    /// Places count from the first row of the window, as it is when the change is done.
    package enum Kind: Hashable, Sendable {
        case insert(at: Int, [WindowRow])
        case remove(at: Int, count: Int)
        /// Another revision.
        case replace(at: Int, WindowRow)
        /// The second place counts the other rows alone, without the row that moves.
        case move(from: Int, to: Int, WindowRow)
        /// The same content with another decoration.
        case redecorate(at: Int, WindowRow)
    }

    package init(_ kind: Kind, heightDelta: Int64, change: ChangeClass, reason: ChangeReason) {
        (self.kind, self.heightDelta, self.change, self.reason) = (kind, heightDelta, change, reason)
    }
}

/// The distance that an anchor has moved. A client that scrolls as far sees it where it was.
package struct AnchorDelta: Hashable, Sendable {
    /// The anchor; if its row is gone, an anchor at the row that came into its place.
    package var anchor: WindowAnchor
    package var delta: Int64

    package init(anchor: WindowAnchor, delta: Int64) { (self.anchor, self.delta) = (anchor, delta) }
}
