import Pool
import Wire

extension Replica {
    /// Gives up reading. One road leads back, whatever the reason: events that only this journal may have are posted
    /// again, which revisions make harmless, and then the journal of another host takes its place.
    mutating func lose(_ loss: ReplicaLoss) {
        concede()
        if !makesWay { way = MakingWay(behind: applied, at: now) }
        way?.end = nil
        (standing, shortfall, lacking) = (.lost(.settling), nil, nil)
        effects.append(.notice(.lost(loss)))
        recover()
    }

    mutating func recover() {
        guard case .lost(let recovery) = standing else { return }
        switch recovery {
        case .settling:
            guard applied == read else { return }
            if written > trail.first.next {
                standing = .lost(.salvaging)
                effects.append(.salvage(from: trail.first.next))
            } else {
                standing = .lost(.waiting)
            }
        case .salvaging: break
        case .copying(_, let since): if now - limits.copying > since { standing = .lost(.waiting) }
        case .waiting:
            // The host that knows most; a journal that is behind the log's first record would be lost again.
            guard let most = rivals.longest, most.anchor.sequence > .zero else { return }
            standing = .lost(.copying(from: most.host, since: now))
            effects.append(.copy(from: most.host))
        }
    }

    mutating func goOn(with trail: AnchorTrail, _ keys: [KeyNumber: RecordKey], _ wiped: KeyNumber) {
        guard case .lost = standing else { return }
        (self.trail, read, applied, written) = (trail, trail.last, trail.last, trail.last.next)
        self.keys = KeyRing(keys, wiped: wiped, upTo: trail.last.sequence)
        (standing, way, heard, nextRead) = (.joining, nil, now, now)
    }
}
