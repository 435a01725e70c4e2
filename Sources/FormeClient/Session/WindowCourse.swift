import Conversation
import Wire

/// The state machine of a window, driven by the words of its gateway. It only decides: it has no line, no clock and
/// no file.
///
/// ```text
///            begin                window, or what was missed
///   lost ───────────▶ opening ───────────────────────────────▶ live ◀─────────────┐
///    ▲                   │ refused                              │ changes for     │ changes
///    │                   ▼                                      ▼ another moment  │
///    └────────────── elsewhere, or the end                  catchingUp ───────────┘
///    └──────────── resync, unknown window, rows that do not fit ┘
/// ```
struct WindowCourse {
    enum State: Equatable {
        /// The window is to be opened, on a new line.
        case lost
        case opening
        case live
        /// A change set is missing, and was asked for.
        case catchingUp
    }

    enum Effect: Equatable {
        case ask(ClientWord)
        /// Passes a word on to the reader of updates.
        case tell(GatewayWord)
        case fail(WindowError)
    }

    private(set) var state = State.lost
    private(set) var mirror: WindowMirror?
    private(set) var source = Window.Source.nobody
    private(set) var opened: WindowReply.FirstVisible?
    /// The opening as it was asked for, with the present screen and reader.
    private(set) var opening: WindowOpening
    /// The anchor of what is seen, to come back to.
    var seen: WindowAnchor?
    private var held: [WindowAnchor] = []
    private var isBusy = false
    /// The places to open at, the best first.
    private var places: [WindowPlace]
    private var isResuming = false
    /// The missing lines of rows that came as excerpts.
    private var missing = MissingLines()

    var window: WindowID { opening.window }

    /// True while the whole conversation is not higher than the screen.
    var fits: Bool {
        guard let extent = mirror?.frame.extent else { return true }
        return extent.upperBound - extent.lowerBound <= Int64(opening.screen)
    }

    init(_ opening: WindowOpening) {
        self.opening = opening
        places = [opening.place]
    }

    /// Shows the window of the last time, until the gateway has answered. The window is then opened around the place
    /// that was asked for: that of the newest is the last row that is shown, so that nothing moves, and a message that is
    /// gone by then has the place where it is shown.
    mutating func show(cached reply: WindowReply) {
        let shown: WindowMirror
        do throws(MirrorError) { shown = try WindowMirror(reply) } catch { return }
        (mirror, source, opened) = (shown, .cache, nil)
        switch opening.place {
        case .newest: places = retreat
        case .message(let message):
            guard let row = shown.rows.firstIndex(where: { $0.message == message }) else { return }
            places = [opening.place, .y(shown.top(of: row))]
        case .unread, .date, .y: break
        }
    }
}

// Lines.
extension WindowCourse {
    /// Begins a new line. The last one is resumed where nothing can have been missed on it, except words without
    /// effect.
    mutating func begin(line: String) -> GatewayCall {
        var wanted = opening
        if source == .gateway {
            wanted.count = min(max(opening.count, mirror?.rows.count ?? 0), Limits.rowsPerPage)
        }
        wanted.place = places.first ?? opening.place
        let mayResume = !line.isEmpty && state == .live && source == .gateway
        state = .opening
        isResuming = mayResume
        missing.beginLine()
        let cursor = mayResume ? mirror?.frame.cursor : nil
        return GatewayCall(wanted, resume: cursor.map { GatewayCall.Resume(line: line, cursor: $0) })
    }

    /// Ends a line that broke.
    /// - Parameter isInDoubt: whether words on it may have changed the window at the gateway, and were not answered.
    mutating func end(isInDoubt: Bool) {
        switch state {
        case .lost: break
        // Nothing was heard on it.
        case .opening: state = isResuming ? .live : .lost
        case .live where !isInDoubt: places = retreat
        case .live, .catchingUp: lose()
        }
        isResuming = false
    }

    /// A question that finds out whether the window is still there.
    var probe: ClientWord? { mirror.map { .changes(window, since: $0.frame.cursor) } }

    /// The places to come back to: the row that was seen, its y, and the place that was asked for at first.
    private var retreat: [WindowPlace] {
        guard let mirror, let last = mirror.rows.indices.last else { return [opening.place] }
        let row = seen.flatMap { mirror.index(of: $0.row) } ?? last
        return [.message(mirror.rows[row].message), .y(mirror.top(of: row)), opening.place]
    }

    private mutating func lose() {
        state = .lost
        // Rows from the cache do not say where the reader wants to be.
        if source == .gateway { places = retreat }
    }
}

// Words.
extension WindowCourse {
    /// - Parameter question: the question that this answers; nil for a word that is said unasked, and for the first
    ///   on a line.
    mutating func hear(_ word: GatewayWord, answering question: ClientWord? = nil) -> [Effect] {
        let effects = take(word, question)
        missing.hear(word, answering: question)
        guard state == .live, source == .gateway, let mirror,
            let wanted = missing.next(in: mirror, near: seen?.row ?? opened?.row)
        else { return effects }
        return effects + [.ask(.lines(window, wanted))]
    }

    private mutating func take(_ word: GatewayWord, _ question: ClientWord?) -> [Effect] {
        switch word {
        case .window(let reply): return take(reply, question)
        case .changes(let set): return take(set, isAnswer: question != nil)
        case .adjusted(_, let set):
            note(question)
            return set.map { take($0, isAnswer: true) } ?? []
        case .rows(_, let rows):
            mirror?.fill(rows)
            return [.tell(word)]
        case .refused(_, let refusal): return take(refusal, question)
        case .pending, .unavailable: return question == nil ? [.tell(word)] : []
        case .heights, .place, .preview, .rejected, .ranges, .unreadable: return []
        case .done:
            note(question)
            return []
        }
    }

    private mutating func take(_ reply: WindowReply, _ question: ClientWord?) -> [Effect] {
        let old = mirror
        do throws(MirrorError) {
            guard reply.part == .whole else {
                // The gateway's window has grown by rows that this one may not have.
                guard state == .live, mirror != nil else { return sayLost() }
                let change = mirror?.insertion(of: reply)
                try mirror?.apply(reply)
                guard let change, isSound else { return sayLost(after: old) }
                return [.tell(.changes(change))]
            }
            mirror = try WindowMirror(reply)
            if let old { mirror?.keepLines(of: old) }
        } catch {
            return sayLost()
        }
        let isNew = state == .opening
        (state, source, opened) = (.live, .gateway, reply.firstVisible)
        isResuming = false
        note(question)
        return [.tell(.window(reply))] + (isNew ? wishes : [])
    }

    private mutating func take(_ set: ChangeSet, isAnswer: Bool) -> [Effect] {
        guard let before = mirror, source == .gateway else { return sayLost() }
        guard set.since == before.frame.cursor else {
            if isAnswer || state == .opening { return sayLost() }
            guard state == .live else { return [] }
            state = .catchingUp
            return [.ask(.changes(window, since: before.frame.cursor))]
        }
        do throws(MirrorError) { try mirror?.apply(set) } catch { return sayLost() }
        guard isSound else { return sayLost(after: before) }
        state = .live
        isResuming = false
        var same = set.frame
        same.cursor = before.frame.cursor
        return set.changes.isEmpty && same == before.frame ? [] : [.tell(.changes(set))]
    }

    private mutating func take(_ refusal: WindowRefusal, _ question: ClientWord?) -> [Effect] {
        switch (refusal, state) {
        case (.busy, .opening): return sayLost(elsewhere: false)
        // Nobody asks again, and until this is answered no change that follows is of use.
        case (.busy, .catchingUp):
            if case .changes? = question { return sayLost() }
            return []
        case (.busy, _): return []
        // The line ends, and the next one has another token.
        case (.unauthorized, .live), (.unauthorized, .catchingUp), (.unauthorized, .lost): return []
        case (.unknownWindow, _), (.resync, _): return sayLost()
        case (.unknownMessage, .opening): return turnAway() ? [] : [.fail(WindowError(refusal))]
        case (_, .opening): return [.fail(WindowError(refusal))]
        // These concern one question, and not the window.
        case (.unknownMessage, _), (.unknownConversation, _): return []
        case (.unprepared, _): return question == nil ? sayLost() : []
        }
    }

    /// Goes on to the next place, as there is nothing at the one that the window was to be opened at.
    /// - Returns: false where that was the last one.
    mutating func turnAway() -> Bool {
        guard state == .opening, places.count > 1 else { return false }
        places.removeFirst()
        (state, isResuming) = (.lost, false)
        return true
    }

    private mutating func sayLost(elsewhere: Bool = true) -> [Effect] {
        if elsewhere { lose() } else { state = .lost }
        return []
    }

    /// Shows the rows before a word that does not fit: its changes are told to nobody.
    private mutating func sayLost(after shown: WindowMirror?) -> [Effect] {
        mirror = shown
        return sayLost()
    }

    /// The wishes that a gateway does not know of a window that was just opened.
    private var wishes: [Effect] {
        (held.isEmpty ? [] : [.ask(.hold(window, held))]) + (isBusy ? [.ask(.busy(window, true))] : [])
    }

    /// Notes a question that was granted: it holds for the windows that are opened after this one, too.
    private mutating func note(_ question: ClientWord?) {
        switch question {
        case .resize(_, let target, let screen, _): (opening.target, opening.screen) = (target, screen)
        case .hold(_, let anchors): held = anchors
        case .busy(_, let busy): isBusy = busy
        default: break
        }
    }

    /// Notes the place up to which the reader has read.
    mutating func read(from order: Int64?) { opening.reader.unreadFrom = order }

    /// Whether the rows end where the gateway says that they do: a word that was missed on the way shows here.
    private var isSound: Bool {
        guard let mirror else { return false }
        let frame = mirror.frame
        return (frame.hasOlder || mirror.frame.top == frame.extent.lowerBound)
            && (frame.hasNewer || mirror.bottom == frame.extent.upperBound)
    }
}

extension WindowMirror {
    /// A page as a change.
    fileprivate func insertion(of page: WindowReply) -> ChangeSet {
        let change = WindowChange(
            .insert(at: page.part == .older ? 0 : rows.count, page.rows),
            heightDelta: page.rows.reduce(0) { $0 + Int64($1.height) }, change: .geometry, reason: page.reason)
        return ChangeSet(
            window: page.window, since: frame.cursor, changes: page.rows.isEmpty ? [] : [change], anchors: [],
            frame: page.frame)
    }
}
