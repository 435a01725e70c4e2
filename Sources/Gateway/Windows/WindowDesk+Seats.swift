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
        guard seatCount < limits.windows, (seats[client]?.count ?? 0) < limits.windowsPerClient else { throw .busy }
    }

    func take(_ seat: Seat) -> Seat {
        seats[seat.client, default: [:]][seat.window.id] = seat
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
        note(seat, isBehind: false)
        seatCount -= 1
    }

    func move(_ seat: Seat, to shared: SharedTimeline) {
        seat.shared.remove(seat)
        seat.shared = shared
        shared.add(seat)
    }

    func filled(_ reply: WindowReply, at seat: Seat) throws(StorageError) -> WindowReply {
        guard seat.wantsBodies else { return reply }
        var reply = reply
        // They are at one end of the window, or all of it: nobody has to look where they are.
        let range = seat.window.range
        let start = reply.part == .newer ? range.upperBound - reply.rows.count : range.lowerBound
        let bodies = try cutter.bodies(
            of: start..<start + reply.rows.count, on: seat.shared, for: Sight(seat.window, from: reply.start))
        for i in reply.rows.indices { reply.rows[i].body = bodies[i] }
        try addMessages(to: &reply.rows, at: seat)
        return reply
    }

    func fill(_ rows: inout [WindowRow], at seat: Seat) throws(StorageError) {
        try cutter.fill(&rows, on: seat.shared, for: Sight(seat.window, from: .top))
        try addMessages(to: &rows, at: seat)
    }

    /// The row with these lines; as it is now, if it is another by now. Its message has come with its first lines.
    func row(with wanted: WantedLines, at seat: Seat) throws(StorageError) -> [WindowRow] {
        var rows = seat.shared.timeline.rows([wanted.row]).map(\.row)
        try cutter.fill(&rows, on: seat.shared, for: Sight(seat.window, from: .top, wanted: wanted))
        return rows
    }

    func filled(_ set: ChangeSet, at seat: Seat) throws(StorageError) -> ChangeSet {
        guard seat.wantsBodies else { return set }
        var set = set
        for i in set.changes.indices {
            var rows = set.changes[i].kind.rows
            guard !rows.isEmpty else { continue }
            try fill(&rows, at: seat)
            set.changes[i].kind = set.changes[i].kind.with(rows)
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
