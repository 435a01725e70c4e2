import Names
package import Wire

/// Which editions there are, and which is served.
extension Dispatcher {
    /// The edition that somebody works for; nil where nobody wants it. Only while none is served, a worker brings its own.
    mutating func welcome(_ hello: WorkerHello) -> Int? {
        if let known = desk(of: hello.edition) {
            if !hello.editionName.isEmpty { editions[known].name = hello.editionName }
            return known
        }
        guard service == nil, !hello.isCaretaker else {
            perform(.report(.stranger(hello)))
            return nil
        }
        begin(with: hello.edition, name: hello.editionName)
        return editions.count - 1
    }

    /// The first ever: everything that the journal has is to be laid out.
    private mutating func begin(with id: EditionID, name: String) {
        editions.append(EditionDesk(id, Standing(latest: latest)))
        editions[editions.count - 1].name = name
        serve(EditionService(current: id))
        settleView()
        perform(.report(.switched(from: nil, to: id)))
    }

    /// What editions are called, as far as it is known before a worker comes.
    package mutating func name(_ id: EditionID, as name: String) {
        if let known = desk(of: id), !name.isEmpty { editions[known].name = name }
    }

    /// Whether a roll to the edition needs nothing that is kept in the folder.
    package func knows(_ id: EditionID) -> Bool { desk(of: id) != nil }

    /// This edition is to be served as soon as all is laid out in it; at once, where none is served.
    mutating func roll(to id: EditionID, name: String) {
        gone.removeAll { $0 == id }
        guard let current = service?.current else { return begin(with: id, name: name) }
        guard id != current else { return stayWith(current) }
        if desk(of: id) == nil {
            makeRoom()
            let served = self.desk(of: current).map { editions[$0] } ?? EditionDesk(current, Standing(latest: latest))
            editions.append(EditionDesk(id, name: name, besides: served, latest: latest))
        }
        self.name(id, as: name)
        roll(to: id)
    }

    /// The edition that is served stays, whatever was on its way to take its place.
    private mutating func stayWith(_ current: EditionID) {
        guard let next = service?.next else { return }
        drop(next)
        serve(EditionService(current: current, filler: service?.filler))
    }

    /// It is kept for a while, as somebody may want it again.
    private mutating func drop(_ id: EditionID) {
        if let place = desk(of: id) { editions[place].retiresAt = now + limits.grace }
        perform(.report(.dropped(id)))
    }

    /// For another edition: the one that would go next goes now.
    private mutating func makeRoom() {
        while editions.count >= limits.editions,
            let first = editions.filter({ !isServed($0.id) && $0.id != service?.filler }).min(by: {
                ($0.retiresAt ?? now) < ($1.retiresAt ?? now)
            })
        {
            retire(first.id)
        }
    }

    /// What was to take the place of the current one before goes, and so does the current one when this is through.
    private mutating func roll(to id: EditionID) {
        guard let current = service?.current, current != id, let index = desk(of: id) else { return }
        editions[index].retiresAt = nil
        let other = service?.next
        guard other != id else { return }
        if let other { drop(other) }
        serve(EditionService(current: current, next: id, filler: service?.filler))
        perform(.report(.rolling(id)))
    }

    /// Serves the next edition when all of its shards are through, and drops those whose time has come.
    mutating func rollOn() {
        if let service, let next = service.next, let index = desk(of: next), editions[index].workers > 0,
            editions[index].isThrough(atMost: limits.idleRoom)
        {
            if let old = desk(of: service.current) { editions[old].retiresAt = now + limits.grace }
            serve(EditionService(current: next))
            perform(.report(.switched(from: service.current, to: next)))
        }
        for edition in editions.indices { shortenGrace(edition) }
        for edition in editions where edition.retiresAt.map({ $0 <= now }) ?? false && edition.id != service?.filler {
            retire(edition.id)
        }
    }

    /// An edition that has lost its workers, and in which a deleted message may still stand, goes soon.
    private mutating func shortenGrace(_ edition: Int) {
        guard editions[edition].owesRemoval else { return }
        guard editions[edition].undone > 0 else { return editions[edition].owesRemoval = false }
        guard let end = editions[edition].retiresAt, !editions[edition].isAttended else { return }
        editions[edition].retiresAt = min(end, now + limits.graceOfDeleted)
    }

    mutating func retire(_ id: EditionID) {
        guard !(service?.current == id), let index = desk(of: id) else { return }
        if let service, service.next == id {
            serve(EditionService(current: service.current, filler: service.filler))
        }
        for slot in workers.indices {
            guard let worker = workers[slot] else { continue }
            if worker.edition == index {
                perform(.say(.leave, to: worker.peer))
                slots[worker.peer] = nil
                workers[slot] = nil
            } else if worker.edition > index {
                workers[slot]!.edition -= 1
            }
        }
        editions.remove(at: index)
        gone.append(id)
        if gone.count > 16 { gone.removeFirst() }
        note.retired.append(id)
        note.shelved.removeAll { $0.place.edition == id }
        note.unshelved.removeAll { $0.edition == id }
        perform(.retire(id))
    }

    mutating func serve(_ service: EditionService) {
        self.service = service
        note.service = service
    }

    mutating func obey(_ command: Command) {
        switch command {
        case .pause(let lane): paused[Int(lane.rawValue)] = true
        case .resume(let lane): paused[Int(lane.rawValue)] = false
        case .drain: isDraining = true
        case .stopDraining: isDraining = false
        case .dismiss(let peer):
            guard let slot = slots[peer] else { return }
            workers[slot]!.isLeaving = true
            perform(.say(.leave, to: peer))
        case .replay(let job, let place): replay(job, place)
        case .drop(let places): note.unshelved += places
        case .urge(let shard, let messages): urge(messages, Int(shard.number))
        case .roll(let edition, let name): roll(to: edition, name: name)
        case .retire(let edition): retire(edition)
        case .want(let wanted): demand.count(wanted, besides: prepared, limits.demand)
        case .prepare(let target): prepare(target)
        case .forget(let target): forget(target)
        }
    }

    /// Of what is only in the journal nothing is here yet: it comes in its turn.
    private mutating func urge(_ messages: [MessageNumber], _ shard: Int) {
        guard shard < latest.count else { return }
        for edition in editions.indices {
            // Each goes to the very front: the first of them is to be the first.
            for message in messages.reversed() {
                editions[edition].shards[shard].queue.urge(message, unless: paused)
            }
        }
    }

    private mutating func replay(_ job: LayoutJob, _ place: ShelfPlace) {
        guard let edition = desk(of: place.edition), Int(place.shard.number) < latest.count else { return }
        var ticket = Ticket(job: job, lane: .live, since: now)
        ticket.replayOf = place
        enqueue(ticket, edition, Int(place.shard.number))
    }
}
