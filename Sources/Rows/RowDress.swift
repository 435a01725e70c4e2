package import MessageLayout

/// A decoration without its frames: the decisions about a row, and the parts of its height.
///
/// Two rows with the same content and the same dress are drawn alike, so comparing dresses tells whether the arrival
/// of a neighbour changed a row at all.
package struct RowDress: Hashable, Sendable {
    package var variant: ContentVariant
    package var series: SeriesPosition
    package var hasUnreadLine: Bool
    /// The day that begins here, if a date line shows it.
    package var day: LocalDay?
    /// The gap to the row above, in device pixels.
    package var gap: Int32
    /// The height from the top of the row to the strip of its content: gap, lines, an avatar above.
    package var lead: Int32
    /// The height of the content, and of all that stands beside it.
    package var strip: Int32
    /// The height below everything, at the end of the conversation.
    package var trail: Int32

    package var height: Int32 { lead + strip + trail }
}

/// The facts that the dress of a row, and of its neighbours, depends on, in a form that a million rows can have.
package struct RowBrief: Hashable, Sendable {
    package var order: Int64
    package var milliseconds: Int64
    package var sender: UInt32
    /// The place among the looks of a `RowRuler`.
    package var look: UInt32
    package var heights: ContentHeights

    package init(order: Int64, milliseconds: Int64, sender: UInt32, look: UInt32, heights: ContentHeights) {
        (self.order, self.milliseconds, self.sender) = (order, milliseconds, sender)
        (self.look, self.heights) = (look, heights)
    }
}
