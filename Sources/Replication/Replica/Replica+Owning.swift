import Pool

extension Replica {
    /// What an owner does by itself: brings its surplus into the log, trims, makes keys, and says that it is there.
    mutating func rule() {
        if keys.isDue(limits.keyAge, at: now) { makeKey(for: read.reign) }
        if now >= nextTrim {
            nextTrim = now + limits.trim
            if let place = trimmable, place > trail.first.sequence { effects.append(.trim(to: place)) }
        }
        guard pending == nil, unsettled == nil else { return }
        if let handOver { return yield(handOver) }
        if let turn = surplus.first {
            append(.turn(turn.content), as: .surplus, in: read.reign, behind: read, next: turn.next)
        } else if written == read.next, now - limits.beat >= success {
            append(.beat, as: .beat, in: read.reign, behind: read, next: read.next)
        }
    }

    mutating func propose(_ body: LogRecord.Body, next: LogPosition) {
        guard door == .open else { return effects.append(.settle(isKept: false)) }
        append(body, as: .turn, in: read.reign, behind: read, next: next)
        if pending == nil { effects.append(.settle(isKept: false)) }
    }

    /// Up to here every replica has the log on its disk, and at least two have. One that was not heard for long is not waited for, and copies
    /// when it comes back.
    private var trimmable: LogSequence? {
        var (least, holders) = (applied.sequence, 1)
        for peer in peers {
            guard let heard = marks[peer], now - limits.absence <= heard.at else {
                // Nobody knows yet whether it is away.
                if now - limits.absence <= start { return nil }
                continue
            }
            if heard.mark.isLost { continue }
            let anchor = heard.mark.anchor
            // One that has another log behind the same place will find that out.
            guard let known = trail.anchor(at: anchor.sequence), known.link == anchor.link else { return nil }
            least = min(least, anchor.sequence)
            holders += 1
        }
        return holders > 1 || peers.isEmpty ? least : nil
    }
}
