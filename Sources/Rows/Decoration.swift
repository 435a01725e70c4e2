package import MessageLayout

/// Everything about a row that its message does not know: the variant and the place of its content, and the things
/// around it. Frames are in device pixels from the top left of the row; none overlaps another.
package struct Decoration: Hashable, Sendable {
    package var variant: ContentVariant
    package var series: SeriesPosition
    /// The height of the whole row, with its gaps and lines. The heights of all rows add up to the extent.
    package var height: Int32
    /// Parts of the height, above everything and below everything.
    package var gapAbove: Int32
    package var gapBelow: Int32
    package var dateLine: DateLine?
    package var unreadLine: PixelRect?
    package var avatar: PixelRect?
    package var content: PixelRect
    package var failedIcon: PixelRect?
    package var selectionHandle: PixelRect?
    package var bubble: Bubble

    package init(
        variant: ContentVariant, series: SeriesPosition, height: Int32, gapAbove: Int32, gapBelow: Int32,
        dateLine: DateLine? = nil, unreadLine: PixelRect? = nil, avatar: PixelRect? = nil, content: PixelRect,
        failedIcon: PixelRect? = nil, selectionHandle: PixelRect? = nil, bubble: Bubble
    ) {
        (self.variant, self.series, self.height) = (variant, series, height)
        (self.gapAbove, self.gapBelow, self.content, self.bubble) = (gapAbove, gapBelow, content, bubble)
        (self.dateLine, self.unreadLine, self.avatar) = (dateLine, unreadLine, avatar)
        (self.failedIcon, self.selectionHandle) = (failedIcon, selectionHandle)
    }

    /// Whether the name of the sender stands in the content.
    package var showsName: Bool { variant == .otherWithName }

    /// The day that begins with this row.
    package struct DateLine: Hashable, Sendable {
        package var frame: PixelRect
        package var day: LocalDay

        package init(frame: PixelRect, day: LocalDay) {
            self.frame = frame
            self.day = day
        }
    }

    /// The outline of the content, for styles that draw one.
    package struct Bubble: Hashable, Sendable {
        package var largeRadius: Int32
        package var smallRadius: Int32
        /// The corners that have the small radius.
        package var smallCorners: Corners
        package var hasTail: Bool

        package init(largeRadius: Int32, smallRadius: Int32, smallCorners: Corners, hasTail: Bool) {
            self.largeRadius = largeRadius
            self.smallRadius = smallRadius
            self.smallCorners = smallCorners
            self.hasTail = hasTail
        }
    }

    /// The same row, read from right to left.
    package func mirrored(in row: Int32) -> Decoration {
        var mirrored = self
        mirrored.content.mirror(in: row)
        mirrored.dateLine?.frame.mirror(in: row)
        mirrored.unreadLine?.mirror(in: row)
        mirrored.avatar?.mirror(in: row)
        mirrored.failedIcon?.mirror(in: row)
        mirrored.selectionHandle?.mirror(in: row)
        return mirrored
    }
}

extension PixelRect {
    fileprivate mutating func mirror(in row: Int32) { left = row &- right }
}
