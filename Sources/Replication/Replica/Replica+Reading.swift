import Pool

extension Replica {
    /// Asks the log for the records behind the last that is known.
    mutating func look() {
        if let refused = pending?.refused, now - limits.patience > refused { return concede() }
        guard now >= nextRead, pending == nil || pending?.refused != nil else { return }
        (lastRead, nextRead) = (now, now + limits.poll)
        effects.append(.read(after: pending?.base.sequence ?? shortfall?.checked.sequence ?? read.sequence))
    }

    /// Takes a record of the log: the own one that was not answered, one that the journal has, or the next one.
    mutating func take(_ entry: LogEntry) {
        if case .lost = standing { return }
        if let pending, entry.sequence == pending.base.sequence.next {
            if entry.record == pending.record {
                effects.append(.withdraw)
                return land(pending, entry.link)
            }
            concede()
        }
        if let checked = shortfall?.checked, entry.sequence == checked.sequence.next, entry.sequence <= read.sequence {
            return compare(entry, behind: checked)
        }
        guard entry.sequence == read.sequence.next else { return }
        guard let anchor = read.passing(entry) else { return lose(.diverged) }
        guard written == read.next else { return match(entry, anchor) }
        shortfall = nil
        pass(entry, anchor, isThere: false)
    }

    /// Compares a record that the journal should have already. It may be the claim of a host that goes on from there,
    /// as the log had forgotten the rest. Maybe nobody has that claim on a disk any more, so it is read like any other.
    private mutating func compare(_ entry: LogEntry, behind checked: LogAnchor) {
        if let known = trail.anchor(at: entry.sequence), known.link == entry.link {
            shortfall?.checked = known
            return
        }
        guard case .claim = entry.record.body, let anchor = checked.passing(entry) else { return lose(.diverged) }
        guard applied == read else { return }
        rewind(to: checked)
        shortfall = nil
        pass(entry, anchor, isThere: false)
    }

    /// Compares a record with the surplus, as the journal has more than the log. A host that claims brings its own
    /// surplus back before it says anything else: turns that are equal are passed.
    private mutating func match(_ entry: LogEntry, _ anchor: LogAnchor) {
        switch entry.record.body {
        case .claim: pass(entry, anchor, isThere: false)
        case .turn(let turn):
            guard let known = surplus.first else { return effects.append(.restore(from: read.next)) }
            guard known.content == turn, known.next == anchor.next else { return lose(.surplus) }
            surplus.removeFirst()
            pass(entry, anchor, isThere: true)
        case .targets, .beat: lose(.surplus)
        }
    }

    /// Takes the turns that the journal has behind the log, unless the log has gone on since they were asked for.
    mutating func regain(_ turns: [ReplayedTurn]) {
        guard !isLost, turns.first?.content.first ?? read.next == read.next else { return }
        (surplus, written) = (turns, turns.last?.next ?? read.next)
    }

    /// Goes back to an anchor: the log has forgotten the records behind it, which are a surplus of the journal.
    mutating func rewind(to base: LogAnchor) {
        trail.cut(after: base.sequence)
        (read, surplus) = (base, [])
    }

    /// Makes a record part of what is known.
    mutating func pass(_ entry: LogEntry, _ anchor: LogAnchor, isThere: Bool) {
        // An append of its own may have landed unanswered, and another's claim behind it: both come with one read.
        if anchor.owner != host, standing == .owning || standing == .claiming { concede() }
        (read, heard, lacking, trimming.isFull) = (anchor, now, nil, false)
        if !isThere { written = max(written, anchor.next) }
        trail.append(anchor)
        keys.use(entry.record.head.key, at: entry.sequence)
        effects.append(.apply(entry, anchor, isThere: isThere))
        forget()
    }

    mutating func misread(_ sequence: LogSequence, _ fault: RecordFault) {
        if case .lost = standing { return }
        guard sequence == (shortfall?.checked ?? read).sequence.next else { return }
        if pending?.base.sequence.next == sequence { concede() }
        guard case .lacksKey = fault else { return lose(.unreadable(fault)) }
        // Others give every key that the mark of this host does not name.
        let since = lacking ?? now
        lacking = since
        if now - limits.hearing > since { lose(.unreadable(fault)) }
    }

    /// Takes the end of a read: the extent of the log, as it was then.
    mutating func reach(_ extent: LogExtent) {
        if case .lost = standing { return }
        trimming.last = extent.trimmed
        if standing == .stopped, shortfall == nil || extent.last >= trail.first.sequence { standing = .joining }
        if let pending {
            // Refused, and nothing is there: the answer is old, or the engine forgot.
            if pending.refused != nil, extent.last <= pending.base.sequence {
                effects.append(.append(pending.record, behind: pending.base.sequence))
            }
            return
        }
        if extent.trimmed > read.sequence { return lose(.behind) }
        guard extent.last < read.sequence else {
            shortfall = nil
            if extent.last == read.sequence, standing == .joining { (standing, heard) = (.following, now) }
            return
        }
        guard standing != .owning else { return }
        (shortfall, way) = (LogShortfall(after: shortfall, along: trail, extent, at: now), nil)
    }

    /// Forgets what the log has trimmed, when a record has shown that the log goes on behind this journal. Until then
    /// another part may have been trimmed, in place of one that an engine forgot and this journal alone has.
    private mutating func forget() {
        guard trimming.last > trail.first.sequence, trimming.last <= applied.sequence else { return }
        trail.drop(before: trimming.last)
        if !keys.wipe(through: trimming.last).isEmpty { effects.append(.wipeKeys(through: keys.wiped)) }
    }

    /// Stops, as the log was never begun, or is gone: an operator has to name the journal that it goes on with.
    mutating func stop(_ found: LogShortfall? = nil) {
        if pending?.refused != nil { concede() }
        shortfall = found
        guard standing == .joining || standing == .following else { return }
        (standing, way) = (.stopped, nil)
        effects.append(.notice(.stopped))
    }
}

extension LogAnchor {
    /// Returns the anchor of a journal behind the next record; nil where that record may not follow.
    func passing(_ entry: LogEntry) -> LogAnchor? {
        let (head, body, end) = (entry.record.head, entry.record.body, entry.record.next)
        guard entry.sequence == sequence.next, head.link == link else { return nil }
        switch body {
        case .claim: guard head.reign > reign, end == next else { return nil }
        case .turn(let turn):
            guard isSaid(by: head), turn.first == next, end.number > next.number else { return nil }
        case .targets, .beat: guard isSaid(by: head), end == next else { return nil }
        }
        return LogAnchor(sequence: entry.sequence, link: entry.link, reign: head.reign, owner: head.host, next: end)
    }

    private func isSaid(by head: LogRecord.Head) -> Bool { head.reign == reign && head.host == owner }
}
