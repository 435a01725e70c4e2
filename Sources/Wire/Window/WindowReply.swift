package import Names

/// The answer to a client that opens a window, makes it longer, or shows it on another screen.
package struct WindowReply: Hashable, Sendable {
    package var window: WindowID
    package var part: Part
    package var reason: ChangeReason
    /// The frame of the whole window, with the rows of this reply.
    package var frame: WindowFrame
    package var rows: [WindowRow]
    /// The height of the rows that came above those of the window.
    package var insertedAbove: Int64
    /// The row at the top of the screen, where the window was opened.
    package var firstVisible: FirstVisible?
    /// Whether the whole conversation is not higher than the screen.
    package var contentFits: Bool
    package var prefetch: PrefetchHint

    package enum Part: UInt8, CaseIterable, Sendable {
        case whole = 1
        /// Rows to be put above, or below, those that are there.
        case older, newer
    }

    package struct FirstVisible: Hashable, Sendable {
        package var row: MessageNumber
        /// The y of the top of the screen.
        package var y: Int64
        package init(row: MessageNumber, y: Int64) { (self.row, self.y) = (row, y) }
    }

    package init(
        window: WindowID, part: Part, reason: ChangeReason, frame: WindowFrame, rows: [WindowRow], insertedAbove: Int64,
        firstVisible: FirstVisible?, contentFits: Bool, prefetch: PrefetchHint
    ) {
        (self.window, self.part, self.reason, self.frame) = (window, part, reason, frame)
        (self.rows, self.insertedAbove, self.firstVisible) = (rows, insertedAbove, firstVisible)
        (self.contentFits, self.prefetch) = (contentFits, prefetch)
    }
}

/// The places at which to ask for the next page: as soon as the top of the screen is above the one, or its bottom
/// below the other.
package struct PrefetchHint: Hashable, Sendable {
    /// The place for older rows; nil where there are no more.
    package var older: Int64?
    package var newer: Int64?
    package init(older: Int64?, newer: Int64?) { (self.older, self.newer) = (older, newer) }
}

/// The heights of rows alone, for a scroll bar or a jump.
package struct HeightsReply: Hashable, Sendable {
    package var window: WindowID
    package var cursor: WindowCursor
    /// The number of rows above the first of these.
    package var rank: Int
    package var top: Int64
    package var heights: [Int32]

    package init(window: WindowID, cursor: WindowCursor, rank: Int, top: Int64, heights: [Int32]) {
        (self.window, self.cursor, self.rank, self.top, self.heights) = (window, cursor, rank, top, heights)
    }
}

/// The place of a row, loaded or not.
package struct PlaceReply: Hashable, Sendable {
    package var window: WindowID
    package var cursor: WindowCursor
    package var rank: Int
    package var top: Int64
    package var row: WindowRow

    package init(window: WindowID, cursor: WindowCursor, rank: Int, top: Int64, row: WindowRow) {
        (self.window, self.cursor, self.rank, self.top, self.row) = (window, cursor, rank, top, row)
    }
}
