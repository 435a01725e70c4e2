import Wire

/// Which editions there are, and which is served.
extension Dispatcher {
    /// The edition that somebody works for: a new one is laid out beside the one that is served, and takes its place.
    mutating func welcome(_ hello: WorkerHello) -> Int? {
        if let known = desk(of: hello.edition) {
            editions[known].name = hello.editionName
            return known
        }
        guard editions.count < limits.editions else {
            perform(.report(.tooMany(.editions)))
            return nil
        }
        if service == nil {
            // The first ever: everything that the journal has is to be laid out.
            editions.append(EditionDesk(hello.edition, Standing(latest: latest)))
            serve(EditionService(current: hello.edition))
            perform(.serve(hello.edition))
        } else {
            editions.append(EditionDesk(hello.edition, name: hello.editionName, besides: latest))
            roll(to: hello.edition)
        }
        editions[editions.count - 1].name = hello.editionName
        return editions.count - 1
    }

    /// What was to take the place of the current one before goes, and so does the current one when this is through.
    mutating func roll(to id: EditionID) {
        guard let current = service?.current, current != id, let index = desk(of: id) else { return }
        editions[index].retiresAt = nil
        if let other = service?.next.flatMap(desk(of:)), other != index {
            editions[other].retiresAt = now + limits.grace
        }
        serve(EditionService(current: current, next: id))
        perform(.report(.rolling(id)))
    }

    /// Serves the next edition when all of its shards are through, and drops those whose time has come.
    mutating func rollOn() {
        if let service, let next = service.next, let index = desk(of: next), editions[index].workers > 0,
            editions[index].isThrough(atMost: limits.idleRoom)
        {
            if let old = desk(of: service.current) { editions[old].retiresAt = now + limits.grace }
            serve(EditionService(current: next))
            perform(.serve(next))
        }
        for edition in editions where edition.retiresAt.map({ $0 <= now }) ?? false { retire(edition.id) }
    }

    mutating func retire(_ id: EditionID) {
        guard !(service?.current == id), let index = desk(of: id) else { return }
        if let service, service.next == id { serve(EditionService(current: service.current)) }
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

    private mutating func serve(_ service: EditionService) {
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
        case .roll(let edition): roll(to: edition)
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
