import Names
import Pool

extension Replica {
    /// Claims where the owner is silent; or where the log ends before the journal and no other journal is longer.
    mutating func considerClaim() {
        guard applied == read, pending == nil, !trimming.isResting(at: now, for: limits.rest) else { return }
        let (isBehind, delay) = (rivals.areAhead(of: read), limits.step * rivals.rank(at: read))
        if let shortfall {
            guard now - limits.hearing >= shortfall.since else { return }
            // It may have begun anew with another journal.
            if shortfall.leavesNothing(of: trail) {
                return rivals.haveClaimed(after: read) ? lose(.diverged) : stop(shortfall)
            }
            // Of hosts that have as much, the first may not reach the engine.
            guard shortfall.isChecked, now - limits.hearing - delay >= shortfall.since, !isBehind else { return }
            claim(behind: shortfall.checked)
        } else if standing == .following {
            // An earlier process of this host is the owner, and nobody has claimed since.
            let isOwn = read.owner == host
            let isNamed = !makesWay && (isOwn || isCalled)
            guard isNamed || now - limits.silence - delay - courtesy >= heard, !isBehind else { return }
            claim(behind: read)
        }
    }

    private mutating func claim(behind base: LogAnchor) {
        let reign = marks.heard.values.map(\.mark.anchor.reign).reduce(read.reign, max).next
        guard reign <= .most else { return }  // No host would read the record.
        append(.claim(endpoints: endpoints), as: .claim, in: reign, behind: base, next: base.next)
        if pending != nil { standing = .claiming }
    }

    var rivals: Rivals {
        Rivals(host: host, partition: partition, marks: marks.live(within: limits.freshness, at: now))
    }

    /// Asks the log to take a record; where there is no key to seal it with, one is made, and nothing is asked for.
    mutating func append(
        _ body: LogRecord.Body, as kind: PendingRecord.Kind, in reign: Reign, behind base: LogAnchor, next: LogPosition
    ) {
        guard let key = keys.usable(isAlone: now - limits.solitude > marks.last) else { return makeKey(for: reign) }
        let head = LogRecord.Head(reign: reign, host: host, link: base.link, key: key)
        let record = LogRecord(head: head, body: body, next: next)
        pending = PendingRecord(record: record, base: base, kind: kind)
        effects.append(.append(record, behind: base.sequence))
    }

    /// Makes the next key of a reign.
    mutating func makeKey(for reign: Reign) {
        if let newest = keys.newest, newest >= .first(of: reign), !keys.isDue(limits.keyAge, at: now) { return }
        let place = (peers + [host]).sorted().firstIndex(of: host)!
        effects.append(.makeKey(.next(after: max(keys.newest ?? .zero, .first(of: reign)), of: place)))
    }

    /// Takes a record of its own as part of the log.
    mutating func land(_ landed: PendingRecord, _ link: ChainLink) {
        pending = nil
        if landed.base.sequence < read.sequence { rewind(to: landed.base) }
        (shortfall, success) = (nil, now)
        let head = landed.record.head
        let entry = LogEntry(sequence: landed.base.sequence.next, record: landed.record, link: link)
        let anchor = LogAnchor(
            sequence: entry.sequence, link: link, reign: head.reign, owner: host, next: landed.record.next)
        pass(entry, anchor, isThere: landed.kind == .surplus)
        switch landed.kind {
        case .claim:
            standing = .owning
            effects.append(.notice(.claimed(head.reign)))
            if written > read.next { effects.append(.restore(from: read.next)) }
        case .turn: unsettled = entry.sequence
        case .surplus: if !surplus.isEmpty { surplus.removeFirst() }
        case .beat: break
        }
    }

    /// Reads back after a refusal: the place of the own record is taken, or the record before it is missing.
    mutating func refuse() {
        pending?.refused = now
        nextRead = now
        look()
    }

    /// Gives way to another owner: the record that stands there is not the own one.
    mutating func concede() {
        let wasOwner = standing == .owning
        drop()
        (surplus, shortfall, handOver, calling) = ([], nil, nil, nil)
        guard standing == .claiming || standing == .owning else { return }
        (standing, heard) = (.joining, now)
        if wasOwner { effects.append(.notice(.deposed)) }
    }

    /// Gives a record up. Nothing is known of it, and nothing was answered.
    mutating func drop() {
        guard let dropped = pending else { return }
        pending = nil
        effects.append(.withdraw)
        if dropped.kind == .turn { effects.append(.settle(isKept: false)) }
        if standing == .claiming { standing = .joining }
    }

    /// Begins the log anew behind this journal, by an operator's word.
    mutating func adopt() {
        guard standing == .stopped, applied == read else { return }
        effects.append(.begin(after: read.sequence, inPlaceOf: shortfall?.end))
        claim(behind: read)
    }
}
