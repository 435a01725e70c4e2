/// The last change that a reply takes into account. A cursor of another epoch tells nothing, and its client opens
/// afresh.
package struct WindowCursor: Hashable, Sendable {
    package var epoch: LeaseEpoch
    package var stamp: Stamp
    /// The count of changes by readers while nothing was written.
    package var turn: UInt32

    package init(epoch: LeaseEpoch, stamp: Stamp, turn: UInt32 = 0) {
        (self.epoch, self.stamp, self.turn) = (epoch, stamp, turn)
    }
}

/// The place of a window in its conversation.
///
/// ```text
///   extent.lowerBound ┌──────────┐
///                     │          │  rowsAbove: not loaded, and as high as they are
///                 top ├──────────┤
///                     │  window  │
///                   0 ┼ · · · ·  │  the origin: fixed, so that older rows extend upward
///                     ├──────────┤
///                     │          │  rowsBelow
///   extent.upperBound └──────────┘
/// ```
package struct WindowFrame: Hashable, Sendable {
    package var cursor: WindowCursor
    /// The edition with which everything was laid out.
    package var edition: EditionID
    /// Whether another edition is served by now: the next rows may differ from those that the client holds.
    package var isOld: Bool
    package var rowsAbove: Int
    package var rowsBelow: Int
    /// The top of the first row of the window, in device pixels from the origin.
    package var top: Int64
    /// The extent of all rows, loaded or not.
    package var extent: Range<Int64>

    package init(
        cursor: WindowCursor, edition: EditionID, isOld: Bool, rowsAbove: Int, rowsBelow: Int, top: Int64,
        extent: Range<Int64>
    ) {
        (self.cursor, self.edition, self.isOld) = (cursor, edition, isOld)
        (self.rowsAbove, self.rowsBelow, self.top, self.extent) = (rowsAbove, rowsBelow, top, extent)
    }

    package var hasOlder: Bool { rowsAbove > 0 }
    package var hasNewer: Bool { rowsBelow > 0 }
}
