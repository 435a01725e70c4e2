import Conversation
import Storage
import Wire

// Who sits where.
extension WindowDesk {
    func seat(_ window: WindowID, of client: WindowClient) throws(WindowRefusal) -> Seat {
        guard let seat = seats[client]?[window] else { throw .unknownWindow }
        return seat
    }

    /// For a window, in place of one that its client had under the same name.
    func makeRoom(for window: WindowID, of client: WindowClient) throws(WindowRefusal) {
        close(window, of: client)
        guard hasRoom(for: window, of: client) else { throw .busy }
    }

    /// One that the client has under the same name leaves its place.
    func hasRoom(for window: WindowID, of client: WindowClient) -> Bool {
        let own = seats[client]
        if own?[window] != nil { return true }
        return seatCount < limits.windows && (own?.count ?? 0) < limits.windowsPerClient
    }

    /// In place of the one of the same name.
    func take(_ seat: Seat) -> Seat {
        if let old = seats[seat.client, default: [:]].updateValue(seat, forKey: seat.window.id) { leave(old) }
        seatCount += 1
        seat.shared.add(seat)
        return seat
    }

    func close(_ window: WindowID, of client: WindowClient) {
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

    func leave(_ seat: Seat) {
        seat.shared.remove(seat)
        if seat.isBehind { note(seat, isBehind: false) }
        if !seat.awaited.isEmpty { awaiting[ObjectIdentifier(seat)] = nil }
        seatCount -= 1
    }

    func move(_ seat: Seat, to shared: SharedTimeline) {
        seat.shared.remove(seat)
        seat.shared = shared
        shared.add(seat)
    }

    /// With what is drawn in its rows: in all of them, or, where they are too large together, in fewer rows, which the window has
    /// then.
    func filled(_ reply: WindowReply, at seat: Seat) throws(StorageError) -> WindowReply {
        guard seat.wantsBodies, !reply.rows.isEmpty else { return reply }
        let timeline = seat.shared.timeline
        var reply = reply
        // They are at one end of the window, or all of it: nobody has to look where they are.
        let range = seat.window.range
        let first = reply.part == .newer ? range.upperBound - reply.rows.count : range.lowerBound
        let start = seat.window.start(of: reply, on: timeline)
        var room = AnswerRoom(ContentCutter.mostBytes)
        var drawn = try cutter.draw(
            first..<first + reply.rows.count, from: start, in: &room, on: seat.shared,
            for: Sight(seat, from: reply.start))
        for (i, body) in zip(drawn.rows, drawn.bodies) { reply.rows[i].body = body }
        seat.window.cut(&reply, to: drawn.rows, on: timeline)
        guard seat.wantsMessages else { return reply }
        let kept = try addMessages(
            to: &reply.rows, of: drawn.jobs, at: seat, from: seat.window.start(of: reply, on: timeline))
        drawn.rows = kept
        seat.window.cut(&reply, to: kept, on: timeline)
        return reply
    }

    /// - Returns: how many of them there was room for, from the first on.
    func fill(_ rows: inout [WindowRow], at seat: Seat) throws(StorageError) -> Int {
        var room = AnswerRoom(ContentCutter.mostBytes)
        let jobs = try cutter.fill(&rows, in: &room, on: seat.shared, for: Sight(seat, from: .top))
        guard seat.wantsMessages else { return jobs.count }
        return try addMessages(to: &rows, of: jobs, at: seat, from: .top).count
    }

    /// The row with these lines; as it is now, if it is another by now. Its message has come with its first lines.
    func row(with wanted: WantedLines, at seat: Seat) throws(StorageError) -> [WindowRow] {
        var rows = seat.shared.timeline.rows([wanted.row]).map(\.row)
        var room = AnswerRoom(ContentCutter.mostBytes)
        _ = try cutter.fill(&rows, in: &room, on: seat.shared, for: Sight(seat, from: .top, wanted: wanted))
        return rows
    }

    /// With what is drawn in rows that are new or other. Nil where that is more than an answer may have: the window is opened
    /// afresh, and its client asks on.
    func filled(_ set: ChangeSet, at seat: Seat) throws(StorageError) -> ChangeSet? {
        guard seat.wantsBodies else { return set }
        var set = set
        var rows = set.changes.flatMap(\.kind.rows)
        guard !rows.isEmpty else { return set }
        guard try fill(&rows, at: seat) == rows.count else { return nil }
        var rest = rows[...]
        for i in set.changes.indices {
            let count = set.changes[i].kind.rows.count
            if count > 0 { set.changes[i].kind = set.changes[i].kind.with(Array(rest.prefix(count))) }
            rest = rest.dropFirst(count)
        }
        return set
    }
}

extension WindowReply {
    /// Where its reader will go on.
    fileprivate var start: Sight.Start {
        if let firstVisible { return .y(firstVisible.y) }
        return part == .older ? .bottom : .top
    }
}

extension WindowChange.Kind {
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
