package import MessageLayout
package import Names
package import Record

/// A word of a client to a gateway.
package enum ClientWord: Hashable, Sendable {
    /// Answered by a whole window.
    case open(WindowOpening)
    /// Answered by its rows.
    case page(WindowID, WindowSide, count: Int)
    /// The heights of all rows in a range of y, loaded or not.
    case heights(WindowID, Range<Int64>)
    /// Rows of the window with their bodies.
    case rows(WindowID, [MessageNumber])
    /// Lines of a row that came as an excerpt.
    case lines(WindowID, WantedLines)
    /// The row at a y.
    case locate(WindowID, y: Int64)
    /// The place of a message.
    case position(WindowID, MessageID)
    case changes(WindowID, since: WindowCursor)
    /// The same rows for another screen. The anchor stays where it is.
    case resize(WindowID, Target, screen: Int32, WindowAnchor?)
    /// Limits a window to so many of its rows, around a place between its first (0) and its last (1,000).
    case adjust(WindowID, maxCount: Int, focus: Int)
    /// The anchors of the window from now on.
    case hold(WindowID, [WindowAnchor])
    /// Whether the reader scrolls. Meanwhile the window may grow beyond its limit.
    case busy(WindowID, Bool)
    /// The order of the first message that the reader has not read; nil where there is none.
    case read(WindowID, from: Int64?)
    /// Screens that will be asked for soon.
    case prewarm(ConversationID, [Target])
    case close(WindowID)
    /// The row that a message would have as the newest of the conversation. Nothing of it is kept.
    case preview(WindowID, MessageDraft)
    /// A question about the places of ranges and carets in a row's texts, and about the text at points.
    case ranges(WindowID, RangesQuestion)
}

/// Lines of a row as a client knows it. The answer is the row as an excerpt of these lines, or the row as it is now
/// where it has changed.
package struct WantedLines: Hashable, Sendable {
    package var row: MessageNumber
    package var mark: RowMark
    package var lines: Range<Int>

    package init(row: MessageNumber, mark: RowMark, lines: Range<Int>) {
        (self.row, self.mark, self.lines) = (row, mark, lines)
    }
}

package struct WindowOpening: Hashable, Sendable {
    package var window: WindowID
    package var conversation: ConversationID
    package var target: Target
    package var reader: WindowReader
    package var place: WindowPlace
    package var count: Int
    /// The height of the screen in device pixels; 0 where it is not known.
    package var screen: Int32
    /// Whether rows come with their bodies.
    package var wantsBodies: Bool
    /// Whether bodies come with the messages, for clients that keep none.
    package var wantsMessages: Bool
    /// Whether lines come with their runs; in JSON over HTTP alone.
    package var wantsRuns = false
    /// Whether rows name the font files that their texts need. A reader of frames that does not ask cannot read the
    /// names.
    package var wantsFonts = false
    /// Whether rows that are not of the window's edition name theirs. A reader of frames that does not ask cannot
    /// read the name; JSON always has it.
    package var wantsEditions: Bool
    /// Whether a message that can no longer be laid out is reported as `unavailable`. Otherwise it is reported as
    /// pending.
    package var wantsUnavailable: Bool
    /// The newest version of rows that the client understands.
    package var rowVersion: RowVersion

    /// The height assumed for an unknown screen: that of a common phone.
    package static let standardScreen: Int32 = 2532

    package init(
        window: WindowID, conversation: ConversationID, target: Target, reader: WindowReader = WindowReader(),
        place: WindowPlace = .newest, count: Int = 50, screen: Int32, wantsBodies: Bool = true,
        wantsMessages: Bool = false, wantsEditions: Bool = false, wantsUnavailable: Bool = false,
        rowVersion: RowVersion = .first
    ) {
        (self.window, self.conversation, self.target, self.reader) = (window, conversation, target, reader)
        (self.place, self.count, self.screen) = (place, count, screen)
        (self.wantsBodies, self.wantsMessages) = (wantsBodies, wantsMessages)
        (self.wantsEditions, self.wantsUnavailable) = (wantsEditions, wantsUnavailable)
        self.rowVersion = rowVersion
    }
}

/// A word of a gateway to a client: an answer, or changes of a window that the client holds.
package enum GatewayWord: Hashable, Sendable {
    case window(WindowReply)
    case heights(HeightsReply)
    case rows(WindowID, [WindowRow])
    case place(PlaceReply)
    case changes(ChangeSet)
    /// The answer to `adjust`; nil where there was nothing to do.
    case adjusted(WindowID, ChangeSet?)
    case done(WindowID)
    case refused(WindowID, WindowRefusal)
    /// The message is accepted and not laid out yet. It will come there, and the window is told when it does.
    case pending(WindowID, MessageID, order: Int64)
    /// The message is accepted and has no row, and none is on its way: its content is no longer kept, or was given
    /// up. It gets a row again with a newer event.
    case unavailable(WindowID, MessageID, order: Int64)
    case preview(WindowID, PreviewReply)
    /// There is no preview of a draft, for this reason.
    case rejected(WindowID, DraftRejection)
    case ranges(WindowID, RangesReply)
    /// The word cannot be read: the field, the value that was found, and the values that it may have.
    case unreadable(String)
}

extension GatewayWord {
    /// The rows that the word brings into a window.
    package var rows: [WindowRow] {
        switch self {
        case .window(let reply): reply.rows
        case .rows(_, let rows): rows
        case .changes(let set), .adjusted(_, let set?): set.changes.flatMap(\.kind.rows)
        case .adjusted(_, nil), .heights, .place, .done, .refused, .pending, .unavailable, .preview, .rejected,
            .ranges, .unreadable:
            []
        }
    }
}

package enum WindowRefusal: UInt8, CaseIterable, Error, Sendable {
    /// Too many are asking; try again soon.
    case busy = 1
    case unknownWindow
    case unknownConversation
    case unknownMessage
    /// Changes since then are not known any more: open afresh.
    case resync
    /// No such screen is prepared, nor can it be at the moment.
    case unprepared
    /// The client's token is no longer valid: come back with another.
    case unauthorized
}
