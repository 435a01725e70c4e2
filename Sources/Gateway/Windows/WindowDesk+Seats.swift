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
        let bodies = try cutter.bodies(of: start..<start + reply.rows.count, on: seat.shared)
        for i in reply.rows.indices { reply.rows[i].body = bodies[i] }
        try addMessages(to: &reply.rows, at: seat)
        return reply
    }

    func fill(_ rows: inout [WindowRow], at seat: Seat) throws(StorageError) {
        try cutter.fill(&rows, on: seat.shared)
        try addMessages(to: &rows, at: seat)
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
