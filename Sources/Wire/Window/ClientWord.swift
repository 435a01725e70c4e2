package import MessageLayout
package import Names
package import Record

/// What a client says to a gateway.
package enum ClientWord: Hashable, Sendable {
    /// Answered by a whole window.
    case open(WindowOpening)
    /// Answered by its rows.
    case page(WindowID, WindowSide, count: Int)
    /// Of all rows that are in a range of y, loaded or not.
    case heights(WindowID, Range<Int64>)
    /// Rows of the window with what is drawn in them.
    case rows(WindowID, [MessageNumber])
    /// Lines of a row that came as an excerpt.
    case lines(WindowID, WantedLines)
    /// Which row is there.
    case locate(WindowID, y: Int64)
    /// Where a message is.
    case position(WindowID, MessageID)
    case changes(WindowID, since: WindowCursor)
    /// The same rows for another screen. What is anchored stays where it is.
    case resize(WindowID, Target, screen: Int32, WindowAnchor?)
    /// Makes a window of at most so many rows of it, around a place between its first (0) and its last (1,000).
    case adjust(WindowID, maxCount: Int, focus: Int)
    /// What is anchored from now on.
    case hold(WindowID, [WindowAnchor])
    /// The reader scrolls, or does not any more: meanwhile the window may grow beyond what it should have.
    case busy(WindowID, Bool)
    /// Up to where the reader has read.
    case read(WindowID, from: Int64?)
    /// Screens that will be asked for soon.
    case prewarm(ConversationID, [Target])
    case close(WindowID)
    /// The row that a message would have as the newest of the conversation. Nothing of it is kept.
    case preview(WindowID, MessageDraft)
    /// Where stretches of a row's texts are, where carets stand, what is at points.
    case ranges(WindowID, RangesQuestion)
}

/// Lines of a row as a client knows it. They are answered with the row, as an excerpt of these lines; or as the row is now,
/// where it is another by now.
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
    /// How high the screen is, in device pixels; 0 where that is not known.
    package var screen: Int32
    /// Whether rows come with what is drawn in them.
    package var wantsBodies: Bool
    /// Whether that comes with the messages, for clients that keep none.
    package var wantsMessages: Bool
    /// Whether lines come with their runs; in JSON over HTTP alone.
    package var wantsRuns = false
    /// Whether rows name the files of fonts that their texts need. Who reads frames and does not ask cannot read it.
    package var wantsFonts = false
    /// Whether rows that are not of the window's edition name theirs. Who reads frames and does not ask cannot read it; in JSON it is
    /// always said.
    package var wantsEditions: Bool
    /// Whether a message that nobody can lay out any more is told as `unavailable`. Who does not ask is told that it is pending.
    package var wantsUnavailable: Bool
    /// The newest version of rows that is understood.
    package var rowVersion: RowVersion

    /// Taken for one of which nothing is known: that of a common phone.
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

/// What a gateway says to a client: answers, and changes of windows that it holds.
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
    /// The message is accepted and has no row, and none is on its way: what it said is no longer kept, or was given up. It has one
    /// again when something newer is said of it.
    case unavailable(WindowID, MessageID, order: Int64)
    case preview(WindowID, PreviewReply)
    /// There is no preview of a draft, and why.
    case rejected(WindowID, DraftRejection)
    case ranges(WindowID, RangesReply)
    /// What was said cannot be read: which field, what was found, and what it may be.
    case unreadable(String)
}

extension GatewayWord {
    /// Those that it brings into a window.
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
    /// No such screen is prepared, nor can it be just now.
    case unprepared
    /// The token of whoever is told this does not hold any more: come back with another.
    case unauthorized
}
