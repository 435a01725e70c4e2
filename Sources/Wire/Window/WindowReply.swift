package import Names

/// The answer to whoever opens a window, makes it longer, or shows it on another screen.
package struct WindowReply: Hashable, Sendable {
    package var window: WindowID
    package var part: Part
    package var reason: ChangeReason
    /// Of the whole window, with the rows of this reply.
    package var frame: WindowFrame
    package var rows: [WindowRow]
    /// How high the rows are that came above those of the window.
    package var insertedAbove: Int64
    /// What is at the top of the screen, where the window was opened.
    package var firstVisible: FirstVisible?
    /// The whole conversation is not higher than the screen.
    package var contentFits: Bool
    package var prefetch: PrefetchHint

    package enum Part: UInt8, CaseIterable, Sendable {
        case whole = 1
        /// Rows to be put above, or below, those that are there.
        case older, newer
    }

    package struct FirstVisible: Hashable, Sendable {
        package var row: MessageNumber
        /// Of the top of the screen.
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

/// When to ask for the next page: as soon as the top of the screen is above one place, or its bottom below another.
package struct PrefetchHint: Hashable, Sendable {
    /// Nil where nothing more is to be had.
    package var older: Int64?
    package var newer: Int64?
    package init(older: Int64?, newer: Int64?) { (self.older, self.newer) = (older, newer) }
}

/// Heights of rows, without anything else: what a scroll bar, or a jump, has to know.
package struct HeightsReply: Hashable, Sendable {
    package var window: WindowID
    package var cursor: WindowCursor
    /// How many rows are above the first of these.
    package var rank: Int
    package var top: Int64
    package var heights: [Int32]

    package init(window: WindowID, cursor: WindowCursor, rank: Int, top: Int64, heights: [Int32]) {
        (self.window, self.cursor, self.rank, self.top, self.heights) = (window, cursor, rank, top, heights)
    }
}

/// Where a row is, loaded or not.
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
