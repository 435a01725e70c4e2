/// Up to which change something is told. Of another epoch nothing is known, and a client opens afresh.
package struct WindowCursor: Hashable, Sendable {
    package var epoch: LeaseEpoch
    package var stamp: Stamp
    /// Counts what readers changed while nothing was written.
    package var turn: UInt32

    package init(epoch: LeaseEpoch, stamp: Stamp, turn: UInt32 = 0) {
        (self.epoch, self.stamp, self.turn) = (epoch, stamp, turn)
    }
}

/// Where a window stands in its conversation.
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
    /// With which everything was laid out.
    package var edition: EditionID
    /// Another edition is served by now: what is asked next may differ from what is held.
    package var isOld: Bool
    package var rowsAbove: Int
    package var rowsBelow: Int
    /// Of the first row of the window, in device pixels from the origin.
    package var top: Int64
    /// Of all rows, loaded or not.
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
