import Conversation
import MessageLayout
import Names
import Wire

/// A window that follows its conversation, until it is closed or nothing refers to it any more.
///
/// It repairs connections by itself: it resumes a broken one, and if its gateway can no longer follow the window, it
/// opens that again around the visible rows. Questions wait until the gateway can be reached, for as long as `Patience`
/// allows; the task that waits may be cancelled.
public final class OpenWindow: Sendable {
    private let session: WindowSession
    /// Its updates, for one reader.
    public let updates: Updates

    init(_ session: WindowSession) {
        self.session = session
        updates = Updates(session)
    }

    deinit { Task { [session] in await session.close() } }

    /// The window as it is now. The latest update may be a frame behind it.
    public var window: Window {
        get async { await session.window }
    }

    /// The window once all lines of long texts have come.
    public func whole() async throws -> Window { try await session.whole() }

    public func close() async { await session.close() }

    /// Asks for more rows at one side. They come with the next update.
    /// - Returns: the number of rows that there were.
    @discardableResult
    public func page(_ side: Side, rows: Int = 50) async throws -> Int {
        let count = max(1, min(rows, Limits.rowsPerPage))
        guard case .window(let reply) = try await say({ .page($0, side == .older ? .older : .newer, count: count) })
        else { throw Self.strange }
        return reply.rows.count
    }

    /// The heights of all rows that reach into a range of y, loaded or not.
    public func heights(in range: Range<Int64>) async throws -> Heights {
        guard case .heights(let reply) = try await say({ .heights($0, range) }) else { throw Self.strange }
        return Heights(reply)
    }

    /// The row at a y, loaded or not.
    public func row(atY y: Int64) async throws -> RowPosition {
        guard case .place(let reply) = try await say({ .locate($0, y: y) }) else { throw Self.strange }
        return RowPosition(reply)
    }

    /// The place of a message, by its id. A message that is accepted and not laid out yet has an order, and will come
    /// there; one that is unavailable will not.
    public func position(of message: String) async throws -> MessagePosition {
        let id: MessageID = try named(message)
        switch try await say({ .position($0, id) }) {
        case .place(let reply): return .there(RowPosition(reply))
        case .pending(_, _, let order): return .pending(order: order)
        case .unavailable(_, _, let order): return .unavailable(order: order)
        default: throw Self.strange
        }
    }

    /// The row that an unposted message would have. Nothing of it is kept.
    /// - Throws: `WindowError.draft` where it would not be accepted, `.superseded` where a newer draft came for this
    ///   window before its turn, and `.forbidden` where the bearer may only read.
    public func preview(_ draft: Draft) async throws -> Preview {
        switch try await say({ .preview($0, draft.draft) }) {
        case .preview(_, let reply): return Preview(reply, in: await window)
        case .rejected(_, let rejection): throw WindowError(rejection)
        default: throw Self.strange
        }
    }

    /// The places of ranges, carets and points in a row's texts, as the row is drawn: for selections, search hits and
    /// screen readers. There is one answer for each question, in their order.
    /// - Throws: `WindowError.rowChanged` where the row is another by now: ask about the one that comes with the next
    ///   update.
    public func places(
        of texts: [TextQuestion], in row: Row, isExpanded: Bool = false
    ) async throws -> [TextPlaces] {
        let reply = try await ranges(row, isExpanded, texts.map { AskedText($0, in: row) }, [])
        return reply.texts.map { TextPlaces($0, in: row) }
    }

    /// The place of a text that is nearest to a point of the row, for a touch.
    /// - Parameters x, y: device pixels from the top left of the row.
    public func hit(x: Int32, y: Int32, in row: Row, isExpanded: Bool = false) async throws -> TextHit {
        let reply = try await ranges(row, isExpanded, [], [PixelPoint(TextPoint(x: x, y: y), in: row)])
        guard let hit = reply.hits.first else { throw Self.strange }
        return TextHit(hit)
    }

    private func ranges(
        _ row: Row, _ isExpanded: Bool, _ texts: [AskedText], _ points: [PixelPoint]
    ) async throws -> RangesReply {
        let question = RangesQuestion(
            .row(MessageNumber(row.id.number)), mark: row.mark, isExpanded: isExpanded, texts: texts, points: points)
        switch try await say({ .ranges($0, question) }) {
        case .ranges(_, let reply): return reply
        case .rows: throw WindowError.rowChanged
        default: throw Self.strange
        }
    }

    /// Asks for the bodies of rows that came without. They come with the next update.
    public func bodies(of rows: [RowID]) async throws {
        var rest = rows.map { MessageNumber($0.number) }[...]
        while !rest.isEmpty {
            let asked = Array(rest.prefix(Limits.rowsPerPage))
            guard case .rows(_, let come) = try await say({ .rows($0, asked) }) else { return }
            // An answer has as many of the first rows as there is room for, and none where all are gone.
            let last = come.last.flatMap { asked.lastIndex(of: $0.number) }
            rest = rest.dropFirst(last.map { $0 + 1 } ?? asked.count)
        }
    }

    /// Shows the same rows on another screen, such as this one when it is turned. `Viewport.follow` keeps the place
    /// of what is seen.
    public func resize(to screen: Screen, holding anchor: Anchor = .none) async throws {
        let target = try screen.target
        let held = anchor == .none ? nil : anchor.wire
        _ = try await say { .resize($0, target, screen: screen.pixelHeight, held) }
    }

    /// Keeps at most so many rows, around a place between the first (0) and the last (1).
    /// - Returns: whether any row was removed.
    @discardableResult
    public func adjust(rows: Int, focus: Double) async throws -> Bool {
        let place = Int((max(0, min(focus, 1)) * 1000).rounded())
        let most = max(1, min(rows, Limits.rowsPerWindow))
        guard case .adjusted(_, let set) = try await say({ .adjust($0, maxCount: most, focus: place) }) else {
            throw Self.strange
        }
        return set != nil
    }

    /// Holds these anchors, sixteen at most: updates tell from now on how far they have moved.
    public func hold(_ anchors: [Anchor]) async throws {
        _ = try await say { .hold($0, anchors.prefix(Limits.anchorsPerWindow).map(\.wire)) }
    }

    /// Tells whether the reader is scrolling. A window may grow beyond its limit meanwhile; it is trimmed afterwards.
    public func scrolls(_ isBusy: Bool) async throws { _ = try await say { .busy($0, isBusy) } }

    /// Tells the place up to which the reader has read.
    public func read(_ unread: Reader.Unread) async throws {
        await session.read(from: unread.order)
        _ = try await say { .read($0, from: unread.order) }
    }

    /// Prepares screens that may be asked for soon, such as this one when it is turned.
    public func prewarm(_ screens: [Screen]) async throws {
        let targets = try screens.prefix(Limits.targets).map { screen throws(WindowError) in try screen.target }
        let conversation = await session.opening.conversation
        _ = try await session.answer(to: .prewarm(conversation, targets))
    }

    /// Tells the part that is seen, so that the window opens there again after any failure, and asks for pages before
    /// they are seen. It waits for nothing; pages come with updates.
    /// - Parameter velocity: the velocity in device pixels a second, positive towards newer rows.
    public func look(_ viewport: Viewport, velocity: Double = 0) async {
        let window = await session.window
        let anchor = viewport.anchor(in: window)
        await session.see(anchor == .none ? nil : anchor.wire)
        guard window.source == .gateway else { return }
        let wanted = viewport.wanted(of: window, velocity: velocity)
        if wanted.contains(.older) { await session.prefetch(.older) }
        if wanted.contains(.newer) { await session.prefetch(.newer) }
    }

    private func say(_ word: (WindowID) -> ClientWord) async throws -> GatewayWord {
        try await session.answer(to: word(WindowID(1)))
    }

    private static let strange = WindowError.unreadable("another answer than was asked for")
}
