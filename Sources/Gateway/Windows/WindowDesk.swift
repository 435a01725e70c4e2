import Conversation
package import MessageLayout
import Operations
import Pool
package import Storage
package import Wire

private let log = Log("gateway")

/// Answers what clients ask about their windows, and tells them what happens.
///
/// It reads files and keeps conversations in memory; sockets, threads and clocks are its owner's. A reply never waits for a
/// worker: what is not laid out is said to be pending.
///
///     let answers = desk.answer(word, from: client, at: .now)
///     desk.follow(at: .now) { client, word in … }
package final class WindowDesk {
    let folder: DataFolder
    let limits: WindowLimits
    /// Nil for a style that says nothing of rows: then there are no windows.
    let style: DecorationStyle?
    var editions: EditionWatch
    /// The edition that was served when timelines last heard of one.
    var noticed: EditionID?
    var shelf: TimelineShelf
    var cutter = ContentCutter()
    private var cards: CardReader?
    private var seats: [WindowClient: [WindowID: Seat]] = [:]
    private var seatCount = 0
    /// Those who took no more, and are told later.
    private(set) var behind: [ObjectIdentifier: Seat] = [:]
    var followedAt: ContinuousClock.Instant?
    /// Something is to be followed at the next tick.
    var isHinted = false

    package init(in folder: DataFolder, style: DecorationStyle?, limits: WindowLimits = WindowLimits()) {
        (self.folder, self.style, self.limits) = (folder, style, limits)
        editions = EditionWatch(folder)
        shelf = TimelineShelf(folder, limits)
    }

    /// Whether there is anything to read.
    var isServing: Bool {
        do throws(StorageError) {
            _ = try editions.lookAround()
            return editions.served != nil
        } catch {
            return false
        }
    }

    /// How many windows are open.
    package var count: Int { seatCount }

    package func answer(
        _ word: ClientWord, from client: WindowClient, at now: ContinuousClock.Instant
    ) -> [GatewayWord] {
        do throws(WindowRefusal) {
            do {
                return try reply(to: word, from: client, at: now)
            } catch let error as StorageError {
                log.error("the cache could not be read", ["reason": "\(error)"])
                throw .busy
            } catch let error as WireError {
                log.error("a sealed block could not be read", ["reason": "\(error)"])
                throw .busy
            } catch let refusal as WindowRefusal {
                throw refusal
            } catch {
                throw .busy
            }
        } catch {
            return [.refused(word.window, error)]
        }
    }

    /// The client is gone.
    package func forget(_ client: WindowClient) {
        for seat in seats.removeValue(forKey: client)?.values ?? [:].values { leave(seat) }
    }

    private func reply(
        to word: ClientWord, from client: WindowClient, at now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        switch word {
        case .open(let opening): return try open(opening, for: client, at: now)
        case .prewarm(let conversation, let targets):
            try prewarm(conversation, targets, for: client, at: now)
            return [.done(word.window)]
        case .close(let window):
            close(window, of: client)
            return [.done(window)]
        case .changes(let window, let cursor): return [try changes(of: seat(window, of: client), since: cursor)]
        case .page, .heights, .rows, .locate, .position, .resize, .adjust, .hold, .busy, .read:
            let seat = try seat(word.window, of: client)
            // What comes next is told for another moment than the client's.
            guard !seat.isBehind else { throw WindowRefusal.busy }
            seat.shared.lastUse = now
            return try reply(to: word, at: seat, now)
        }
    }

    private func reply(
        to word: ClientWord, at seat: Seat, _ now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        let timeline = seat.shared.timeline
        switch word {
        case .page(_, let side, let count):
            let reply = seat.window.page(side, count: count, on: timeline)
            return [.window(try filled(reply, at: seat))]
        case .heights(let window, let range): return [.heights(timeline.heights(range, of: window))]
        case .rows(let window, let numbers):
            var rows = timeline.rows(numbers).map(\.row)
            try cutter.fill(&rows, on: seat.shared)
            return [.rows(window, rows)]
        case .locate(let window, let y):
            guard timeline.tree.count > 0, let place = timeline.place(at: timeline.tree.rank(atY: y), of: window) else {
                throw WindowRefusal.unknownMessage
            }
            return [.place(place)]
        case .position(let window, let message):
            switch try find(message, on: seat.shared) {
            case .pending(let order): return [.pending(window, message, order: order)]
            case .row(let number):
                guard let rank = timeline.tree.rank(of: number), let place = timeline.place(at: rank, of: window) else {
                    throw WindowRefusal.unknownMessage
                }
                return [.place(place)]
            }
        case .resize(_, let target, let screen, let anchor):
            return [.window(try resize(seat, to: target, screen, anchor, now))]
        case .adjust(let window, let most, let focus):
            let set = seat.window.adjust(maxCount: most, focus: Double(focus) / 1000, on: timeline)
            return [.adjusted(window, set)]
        case .hold(let window, let anchors):
            seat.window.hold(anchors, on: timeline)
            return [.done(window)]
        case .busy(let window, let isBusy):
            seat.window.isBusy = isBusy
            guard let set = seat.window.settle(focus: seat.window.focus, on: timeline) else { return [.done(window)] }
            return [.adjusted(window, set)]
        case .read(let window, let order):
            return [try read(seat, from: order, now) ?? .refused(window, .resync)]
        case .open, .prewarm, .close, .changes: preconditionFailure("answered before")
        }
    }
}

// Opening, and what leads to another timeline.
extension WindowDesk {
    private func open(
        _ opening: WindowOpening, for client: WindowClient, at now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        close(opening.window, of: client)
        guard seatCount < limits.windows, (seats[client]?.count ?? 0) < limits.windowsPerClient else {
            throw WindowRefusal.busy
        }
        let shared = try timeline(opening.conversation, opening.target, opening.reader, at: now)
        var place = RowPlace.newest
        var pending: [GatewayWord] = []
        switch opening.place {
        case .newest: break
        case .unread: place = .unread
        case .date(let time): place = .date(time)
        case .y(let y): place = .y(y)
        case .message(let message):
            switch try find(message, on: shared) {
            case .row(let number): place = .row(number)
            case .pending(let order):
                let tree = shared.timeline.tree
                place = tree.count == 0 ? .newest : .y(tree.y(ofRank: min(tree.rank(ofOrder: order), tree.count - 1)))
                pending = [.pending(opening.window, message, order: order)]
            }
        }
        guard
            let (window, reply) = Window.open(
                opening.window, on: shared.timeline, around: place, count: opening.count, screen: opening.screen)
        else { throw WindowRefusal.unknownMessage }
        let seat = Seat(client, window, on: shared, wantsBodies: opening.wantsBodies)
        seats[client, default: [:]][opening.window] = seat
        seatCount += 1
        shared.add(seat)
        return [.window(try filled(reply, at: seat))] + pending
    }

    private func timeline(
        _ conversation: ConversationID, _ target: Target, _ reader: WindowReader, at now: ContinuousClock.Instant
    ) throws -> SharedTimeline {
        guard let style else { throw WindowRefusal.unprepared }
        // What is in memory was left where it was while nobody looked.
        if count == 0 { follow(at: now) { _, _ in .gone } }
        guard let edition = editions.served else { throw WindowRefusal.busy }
        let key = SharedTimeline.Key(edition: edition, conversation: conversation, target: target, reader: reader)
        return try shelf.timeline(key, among: editions.shardCount, style: style, at: now)
    }

    /// Where a row is now, for whoever opens such a window; nil where it is not there.
    func y(of row: MessageNumber, for opening: WindowOpening, at now: ContinuousClock.Instant) -> Int64? {
        do {
            let tree = try timeline(opening.conversation, opening.target, opening.reader, at: now).timeline.tree
            return tree.rank(of: row).map { tree.y(ofRank: $0) }
        } catch {
            return nil
        }
    }

    private func resize(
        _ seat: Seat, to target: Target, _ screen: Int32, _ anchor: WindowAnchor?, _ now: ContinuousClock.Instant
    ) throws -> WindowReply {
        let old = seat.shared
        let new = try timeline(old.key.conversation, target, old.key.reader, at: now)
        let y = anchor.flatMap { old.timeline.y(of: $0) } ?? 0
        let reply = seat.window.resize(
            on: new.timeline, from: old.timeline, screen: screen, anchor: anchor, y: y)
        move(seat, to: new)
        return try filled(reply, at: seat)
    }

    /// Nil where the window cannot follow.
    private func read(
        _ seat: Seat, from order: Int64?, _ now: ContinuousClock.Instant
    ) throws -> GatewayWord? {
        let new = shelf.timeline(of: seat.shared, readFrom: order, at: now)
        seat.remember(seat.window, atMost: limits.past)
        let steps = new.timeline.steps(since: seat.window.cursor)
        move(seat, to: new)
        guard let steps, let set = seat.window.follow(steps, on: new.timeline) else { return nil }
        return .changes(try filled(set, at: seat))
    }

    /// For all who look at the conversation from here.
    private func prewarm(
        _ conversation: ConversationID, _ targets: [Target], for client: WindowClient,
        at now: ContinuousClock.Instant
    ) throws {
        let readers = Set(
            (seats[client] ?? [:]).values.map(\.shared.key).filter { $0.conversation == conversation }.map(\.reader))
        for reader in readers.isEmpty ? [WindowReader()] : readers {
            for target in targets { _ = try timeline(conversation, target, reader, at: now) }
        }
    }

    enum Found {
        case row(MessageNumber)
        case pending(order: Int64)
    }

    /// By the id that its sender or its backend gave a message.
    private func find(_ message: MessageID, on shared: SharedTimeline) throws -> Found {
        if cards == nil { cards = try CardReader(in: folder) }
        let key = MessageKey(shared.key.conversation, message)
        guard let card = try cards?.message(key), card.isComplete, let order = card.order else {
            throw WindowRefusal.unknownMessage
        }
        return shared.timeline.tree.rank(of: card.number) == nil
            ? .pending(order: order.value) : .row(card.number)
    }
}

// Who sits where.
extension WindowDesk {
    private func seat(_ window: WindowID, of client: WindowClient) throws(WindowRefusal) -> Seat {
        guard let seat = seats[client]?[window] else { throw .unknownWindow }
        return seat
    }

    private func close(_ window: WindowID, of client: WindowClient) {
        guard let seat = seats[client]?.removeValue(forKey: window) else { return }
        if seats[client]?.isEmpty ?? false { seats[client] = nil }
        leave(seat)
    }

    func close(_ seat: Seat) { close(seat.window.id, of: seat.client) }

    /// - Parameter isAway: nothing is told until the client is back.
    func note(_ seat: Seat, isBehind: Bool, isAway: Bool = false) {
        seat.isBehind = isBehind
        behind[ObjectIdentifier(seat)] = isBehind && !isAway ? seat : nil
    }

    /// The client is back, and takes what it missed.
    package func resume(_ client: WindowClient) {
        for seat in (seats[client] ?? [:]).values where seat.isBehind { note(seat, isBehind: true) }
        isHinted = true
    }

    private func leave(_ seat: Seat) {
        seat.shared.remove(seat)
        note(seat, isBehind: false)
        seatCount -= 1
    }

    private func move(_ seat: Seat, to shared: SharedTimeline) {
        seat.shared.remove(seat)
        seat.shared = shared
        shared.add(seat)
    }

    private func filled(_ reply: WindowReply, at seat: Seat) throws(StorageError) -> WindowReply {
        guard seat.wantsBodies else { return reply }
        var reply = reply
        try cutter.fill(&reply.rows, on: seat.shared)
        return reply
    }

    func filled(_ set: ChangeSet, at seat: Seat) throws(StorageError) -> ChangeSet {
        guard seat.wantsBodies else { return set }
        var set = set
        for i in set.changes.indices {
            var rows = set.changes[i].kind.rows
            guard !rows.isEmpty else { continue }
            try cutter.fill(&rows, on: seat.shared)
            set.changes[i].kind = set.changes[i].kind.with(rows)
        }
        return set
    }
}

extension ClientWord {
    /// The one that is meant; 0 where none is.
    package var window: WindowID {
        switch self {
        case .open(let opening): opening.window
        case .page(let window, _, _), .heights(let window, _), .rows(let window, _), .locate(let window, _),
            .position(let window, _), .changes(let window, _), .resize(let window, _, _, _),
            .adjust(let window, _, _), .hold(let window, _), .busy(let window, _), .read(let window, _),
            .close(let window):
            window
        case .prewarm: WindowID(0)
        }
    }
}

extension WindowChange.Kind {
    fileprivate var rows: [WindowRow] {
        switch self {
        case .insert(_, let rows): rows
        case .remove: []
        case .replace(_, let row), .move(_, _, let row), .redecorate(_, let row): [row]
        }
    }

    fileprivate func with(_ rows: [WindowRow]) -> WindowChange.Kind {
        switch self {
        case .insert(let at, _): .insert(at: at, rows)
        case .remove: self
        case .replace(let at, _): .replace(at: at, rows[0])
        case .move(let from, let to, _): .move(from: from, to: to, rows[0])
        case .redecorate(let at, _): .redecorate(at: at, rows[0])
        }
    }
}

extension Window {
    /// Where its reader is, as far as it is known: at what is anchored, or at the end.
    fileprivate var focus: Double {
        guard let anchor = anchors.first, !range.isEmpty else { return 1 }
        return Double(anchor.rank - range.lowerBound) / Double(range.count)
    }
}
