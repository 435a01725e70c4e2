import Pool

extension Replica {
    /// Does the work of an owner: brings its surplus into the log, trims, makes keys, and says that it is there.
    mutating func rule() {
        if keys.isDue(limits.keyAge, at: now) { makeKey(for: read.reign) }
        trim()
        guard pending == nil, unsettled == nil else { return }
        if let handOver { return yield(handOver) }
        guard !trimming.isResting(at: now, for: limits.rest) else { return }
        if let turn = surplus.first {
            append(.turn(turn.content), as: .surplus, in: read.reign, behind: read, next: turn.next)
        } else if written == read.next, now - limits.beat >= success {
            append(.beat, as: .beat, in: read.reign, behind: read, next: read.next)
        }
    }

    /// Trims the log now and then, as an owner does; and a host without room for its claim, as nobody else would.
    mutating func trim() {
        guard !makesWay, trimming.isDue(at: now, every: limits.trim) else { return }
        let isShort = trimming.isFull && now - limits.trim > success
        let held = marks.held(
            by: peers, along: trail, upTo: applied.sequence, limits, isShort: isShort, since: start, at: now)
        if let held, held > trail.first.sequence { effects.append(.trim(to: held)) }
    }

    mutating func propose(_ body: LogRecord.Body, next: LogPosition) {
        guard door == .open else { return effects.append(.settle(isKept: false)) }
        append(body, as: .turn, in: read.reign, behind: read, next: next)
        if pending == nil { effects.append(.settle(isKept: false)) }
    }
}
