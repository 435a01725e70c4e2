import Bytes
import Conversation
import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Typography
import Wire

@testable import FormeClient

/// A gateway of one conversation, in memory. It can be away, lose its words, and forget its windows.
actor Stage: GatewayTransport {
    nonisolated let silence: Duration
    var timeline: Timeline
    private var lines: [Int: Line] = [:]
    private var lastLine = 0
    private(set) var calls: [GatewayCall] = []
    private(set) var words: [ClientWord] = []
    /// Connections that fail before one holds.
    var failures = 0
    /// True where nothing comes back from an attempt to connect, as in a network that loses everything.
    private var isLost = false
    /// The error in the place of a line where an opening is refused, as over HTTP; nil where the refusal is a word.
    private var refusal: WindowError?
    /// Change sets that are lost on their way.
    var losses = 0
    /// Questions for lines that are refused.
    private var busy = 0
    /// Nothing is answered.
    var isMute = false
    /// Messages that are accepted and not laid out.
    var pending: Set<String> = []
    private var seats: [Int: Conversation.Window] = [:]
    /// Layouts of rows that have some, whole.
    private var layouts: [MessageNumber: [UInt8]] = [:]

    private struct Line {
        var seat: Int
        let told: AsyncThrowingStream<[UInt8], any Error>.Continuation
    }

    struct Away: Error {}

    init(rows: Int, silence: Duration = .seconds(60)) throws {
        self.silence = silence
        timeline = Timeline(
            try RowTree(
                opening: [], then: (1...Int64(rows)).map { try Stage.row($0) }, style: .messages, viewer: Viewer(),
                own: try SenderID("ada"), target: Stage.screen.target),
            edition: try EditionID("0a"), cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    }

    static let screen = Screen(width: 390, height: 700, scale: 2)

    /// A row of the conversation: every fifth is Ada's, and heights differ.
    static func row(_ order: Int64, message: String? = nil, height: Int32? = nil) throws -> NewRow {
        let own = height ?? Int32(60 + order * 37 % 90)
        return NewRow(
            number: MessageNumber(order),
            position: Position(order: order, message: try MessageID(message ?? "m\(order)")),
            sender: try SenderID(order % 5 == 0 ? "ada" : "ben"),
            time: Timestamp(milliseconds: 1_774_692_000_000 + order * 30_000), look: RowLook(template: "message"),
            heights: ContentHeights(own: own, other: own, otherWithName: own + 30))
    }

    func connect(_ call: GatewayCall) async throws -> GatewayLine {
        calls.append(call)
        if isLost {
            let (nothing, told) = AsyncStream<Void>.makeStream()
            for await _ in nothing {}
            told.finish()
            throw CancellationError()
        }
        if failures > 0 {
            failures -= 1
            throw Away()
        }
        lastLine += 1
        let line = lastLine
        let (frames, told) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        lines[line] = Line(seat: line, told: told)
        if let resume = call.resume, let seat = Int(resume.line), seats[seat] != nil {
            lines[line]?.seat = seat
            hear(.changes(WindowID(1), since: resume.cursor), .none, on: line)
        } else {
            let first = answers(to: .open(call.opening), line)
            if let refusal, case .refused? = first.first {
                lines[line] = nil
                throw refusal
            }
            for word in first { say(word, .none, on: line) }
        }
        return GatewayLine(
            name: "\(lines[line]!.seat)", frames: frames,
            send: { [weak self] in try await self?.take($0, on: line) },
            close: { told.finish() })
    }

    private func take(_ frame: [UInt8], on line: Int) throws {
        let framed = try Framed<ClientWord>(decoding: frame)
        words.append(framed.word)
        if !isMute { hear(framed.word, framed.request, on: line) }
    }

    private func say(_ word: GatewayWord, _ request: RequestID, on line: Int) {
        lines[line]?.told.yield(Framed(filled(word), request: request).encoded())
    }

    private func hear(_ word: ClientWord, _ request: RequestID, on line: Int) {
        guard let seat = lines[line]?.seat else { return }
        for answer in answers(to: word, seat) { say(answer, request, on: line) }
    }

    private func answers(to word: ClientWord, _ seat: Int) -> [GatewayWord] {
        let id = WindowID(1)
        if case .open(let opening) = word { return open(opening, seat) }
        guard var window = seats[seat] else { return [.refused(id, .unknownWindow)] }
        defer { seats[seat] = window }
        switch word {
        case .page(_, let side, let count): return [.window(window.page(side, count: count, on: timeline))]
        case .changes(_, let cursor):
            guard cursor == window.cursor || since[seat]?.contains(where: { $0.cursor == cursor }) ?? false,
                let steps = timeline.steps(since: cursor)
            else { return [.refused(id, .resync)] }
            if let past = since[seat]?.first(where: { $0.cursor == cursor }) { window = past }
            return window.follow(steps, on: timeline).map { [.changes($0)] } ?? [.refused(id, .resync)]
        case .heights(_, let range): return [.heights(timeline.heights(range, of: id))]
        case .locate(_, let y): return timeline.place(at: timeline.tree.rank(atY: y), of: id).map { [.place($0)] } ?? []
        case .position(_, let message):
            if pending.contains(message.text) { return [.pending(id, message, order: 7)] }
            guard let rank = rank(of: message), let place = timeline.place(at: rank, of: id) else {
                return [.refused(id, .unknownMessage)]
            }
            return [.place(place)]
        case .rows(_, let numbers): return [.rows(id, timeline.rows(numbers).map(\.row))]
        case .lines(_, let wanted):
            if busy > 0 {
                busy -= 1
                return [.refused(id, .busy)]
            }
            return [.rows(id, timeline.rows([wanted.row]).map { filled($0.row, with: wanted) })]
        case .adjust(_, let most, let focus):
            return [.adjusted(id, window.adjust(maxCount: most, focus: Double(focus) / 1000, on: timeline))]
        case .hold(_, let anchors):
            window.hold(anchors, on: timeline)
            return [.done(id)]
        case .busy, .prewarm, .close: return [.done(id)]
        case .resize(_, _, let screen, let anchor):
            return [.window(window.resize(on: timeline, from: timeline, screen: screen, anchor: anchor, y: 0))]
        case .read, .preview, .ranges, .open: return []
        }
    }

    /// Windows as their clients had them before something was told.
    private var since: [Int: [Conversation.Window]] = [:]

    private func open(_ opening: WindowOpening, _ seat: Int) -> [GatewayWord] {
        var place = RowPlace.newest
        switch opening.place {
        case .newest, .unread, .date: break
        case .y(let y): place = .y(y)
        case .message(let message):
            guard let rank = rank(of: message) else { return [.refused(opening.window, .unknownMessage)] }
            place = .row(timeline.tree.row(at: rank).number)
        }
        guard
            let (window, reply) = Conversation.Window.open(
                opening.window, on: timeline, around: place, count: opening.count, screen: opening.screen)
        else { return [.refused(opening.window, .unknownMessage)] }
        seats[seat] = window
        since[seat] = []
        return [.window(reply)]
    }

    private func rank(of message: MessageID) -> Int? {
        (0..<timeline.tree.count).first { timeline.tree.row(at: $0).position.message == message }
    }
}

// Long texts, of which forty lines come first.
extension Stage {
    func write(_ layout: [UInt8], in row: Int64) { layouts[MessageNumber(row)] = layout }
    func refuseLines(_ times: Int) { busy = times }

    private func filled(_ word: GatewayWord) -> GatewayWord {
        switch word {
        case .window(var reply):
            reply.rows = reply.rows.map { filled($0) }
            return .window(reply)
        case .changes(var set):
            for i in set.changes.indices {
                guard case .redecorate(let at, let row) = set.changes[i].kind else { continue }
                set.changes[i].kind = .redecorate(at: at, filled(row))
            }
            return .changes(set)
        default: return word
        }
    }

    private func filled(_ row: WindowRow, with wanted: WantedLines? = nil) -> WindowRow {
        guard let layout = layouts[row.number] else { return row }
        var row = row
        let decoration = Rows.Decoration(
            variant: .other, series: .single, height: row.height, gapAbove: 0, gapBelow: 0,
            content: PixelRect(left: 0, top: row.lead, width: 300, height: row.strip),
            bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false))
        do throws(ByteError) {
            let lines = try RowLines(layout)
            let isKnown = wanted?.mark == lines.mark
            row.body = .init(
                decoration: decoration, layout: lines.excerpt(isKnown ? wanted?.lines ?? 0..<40 : 0..<40))
        } catch {
            preconditionFailure("\(error)")
        }
        return row
    }
}

// Changes and faults.
extension Stage {
    func change(_ changes: [RowChange]) {
        let steps = timeline.apply(changes, upTo: Stamp(timeline.cursor.stamp.number + 1))
        for (line, told) in lines {
            guard var window = seats[told.seat] else { continue }
            since[told.seat, default: []].append(window)
            let set = window.follow(steps, on: timeline)
            seats[told.seat] = window
            if losses > 0 { losses -= 1 } else if let set { say(.changes(set), .none, on: line) }
        }
    }

    func put(_ orders: ClosedRange<Int64>) throws { change(try orders.map { .put(try Stage.row($0)) }) }

    func tell(_ word: GatewayWord) { for line in lines.keys { say(word, .none, on: line) } }

    func breakLines() {
        for line in lines.values { line.told.finish() }
        lines = [:]
    }

    func forgetWindows() { seats = [:] }
    func fail(_ times: Int) { failures = times }
    func loseConnections(_ isLost: Bool) { self.isLost = isLost }
    func refuse(with error: WindowError) { refusal = error }
    func lose(_ sets: Int) { losses = sets }
    func mute(_ isMute: Bool) { self.isMute = isMute }
    func accept(_ message: String) { pending.insert(message) }

    /// The rows of a reader who opens now around a row, and pages until it begins and ends with the same rows.
    func fresh(_ window: FormeClient.Window) throws -> [WindowRow] {
        let ranks = (0..<timeline.tree.count).filter {
            window.index(of: RowID(number: timeline.tree.row(at: $0).number.number)) != nil
        }
        guard let first = ranks.first, let last = ranks.last else { return [] }
        return timeline.rows(first..<last + 1)
    }
}

extension ChatClient {
    /// A client whose updates come as soon as they are there.
    static func eager(_ stage: Stage, cache: PageCache? = nil) -> ChatClient {
        ChatClient(stage, cache: cache, clock: FrameClock {}, patience: Patience(answer: patience))
    }
}

extension OpenWindow {
    /// Takes updates until something is so.
    func wait(until isSo: (Update) -> Bool) async throws -> Update {
        for try await update in updates where isSo(update) { return update }
        throw WindowError.closed
    }
}

/// Expects that a window has the rows of a reader who opens it now.
func expect(_ window: FormeClient.Window, isAsFreshAt stage: Stage) async throws {
    let fresh = try await stage.fresh(window)
    #expect(window.mirror?.rows == fresh)
}

/// Waits until something is so; where it never is, the test fails instead of waiting for ever.
func expectSoon(_ isSo: () async -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let end = ContinuousClock.now + patience
    while await !isSo() {
        try #require(.now < end, "it never was so", sourceLocation: sourceLocation)
        try await Task.sleep(for: .milliseconds(1))
    }
}
