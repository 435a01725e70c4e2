import Wire

/// Who is there, and what becomes of what they had.
extension Dispatcher {
    /// The first word of somebody new.
    mutating func meet(_ word: WorkerWord, _ peer: Peer) {
        guard case .hello(let hello) = word else {
            if case .bye = word { return }
            return perform(.say(.introduceYourself, to: peer))
        }
        switch entrance.judge(hello, peer) {
        case .admitted: break
        case .asked: return perform(.say(.introduceYourself, to: peer))
        case .outdated(let objection):
            perform(.say(.leave, to: peer))
            return perform(.report(.turnedAway(hello, objection)))
        case .turnedAway(let objection):
            perform(.say(.turnedAway(objection), to: peer))
            return perform(.report(.turnedAway(hello, objection)))
        }
        guard !gone.contains(hello.edition) else { return perform(.say(.leave, to: peer)) }
        guard slots.count < limits.workers else { return perform(.report(.tooMany(.workers))) }
        guard let edition = welcome(hello) else { return perform(.say(.leave, to: peer)) }
        let colleague = Colleague(peer: peer, hello: hello, edition: edition, heard: now)
        let slot = workers.firstIndex { $0 == nil } ?? workers.count
        if slot == workers.count { workers.append(colleague) } else { workers[slot] = colleague }
        slots[peer] = slot
        if hello.isCaretaker {
            editions[edition].caretakers += 1
            if editions[edition].workers == 0 { urgeRemovals(edition) }
        } else {
            editions[edition].workers += 1
            editions[edition].targets = hello.targets
            if editions[edition].workers == 1 { takeOver(edition) }
        }
        perform(.report(.workerJoined(peer, hello)))
        // Before its first batch.
        if !demand.targets.isEmpty { perform(.say(.pulse(demand.targets), to: peer)) }
    }

    mutating func hear(_ beat: WorkerBeat, _ slot: Int) {
        workers[slot]!.credits = Int(beat.credits)
        workers[slot]!.times = beat.times
        workers[slot]!.foreign = beat.held.count { id in !workers[slot]!.flights.contains { $0.id == id } }
        if beat.hasStarted, let first = beat.held.first,
            let place = workers[slot]!.flights.firstIndex(where: { $0.id == first })
        {
            if workers[slot]!.flights[place].started == nil { workers[slot]!.flights[place].started = now }
        }
        // The batch or the report of it was lost on the way. Nobody is to blame.
        let missing = workers[slot]!.flights.filter { $0.since + limits.delivery < now && !beat.held.contains($0.id) }
        for shard in Set(missing.map(\.shard)).sorted() { breakLease(workers[slot]!.edition, shard) }
        if beat.credits == 0 { releaseIdleLeases(slot) }
    }

    mutating func leave(_ slot: Int) {
        perform(.report(.workerLeft(workers[slot]!.peer)))
        dismissLeases(slot, inHand: nil)
        remove(slot)
    }

    /// Takes everything back from a worker of which nothing more is to be expected.
    mutating func lose(_ slot: Int, _ loss: Loss) {
        let worker = workers[slot]!
        counters.lost += 1
        let inHand = worker.flights.first { $0.started != nil } ?? worker.flights.first { !$0.tickets.isEmpty }
        perform(.report(.workerLost(worker.peer, loss, jobs: inHand?.tickets.count ?? 0)))
        switch loss {
        case .silent, .stuck: perform(.evict(process: worker.hello.process, machine: worker.hello.machine))
        case .unreachable: break  // it may be well, and come back by itself
        }
        dismissLeases(slot, inHand: inHand)
        remove(slot)
    }

    private mutating func remove(_ slot: Int) {
        if workers[slot]!.hello.isCaretaker {
            editions[workers[slot]!.edition].caretakers -= 1
        } else {
            editions[workers[slot]!.edition].workers -= 1
            if editions[workers[slot]!.edition].workers == 0 { urgeRemovals(workers[slot]!.edition) }
        }
        slots[workers[slot]!.peer] = nil
        workers[slot] = nil
    }

    mutating func expire() {
        for slot in workers.indices {
            guard let worker = workers[slot] else { continue }
            if worker.heard + limits.silence < now {
                lose(slot, .silent)
            } else if worker.flights.contains(where: { $0.started.map { $0 + limits.work < now } ?? false }) {
                lose(slot, .stuck)
            }
        }
    }

    mutating func forgiveSilence() {
        for slot in workers.indices where workers[slot] != nil {
            workers[slot]!.heard = now
            for flight in workers[slot]!.flights.indices {
                workers[slot]!.flights[flight].since = now
                if workers[slot]!.flights[flight].started != nil { workers[slot]!.flights[flight].started = now }
            }
        }
    }

    mutating func pulse() {
        for worker in workers.compactMap(\.self) { perform(.say(.pulse(demand.targets), to: worker.peer)) }
    }

    private mutating func dismissLeases(_ slot: Int, inHand: Flight?) {
        let edition = workers[slot]!.edition
        if let inHand { blame(inHand, slot) }
        haveShardsLookedAt(edition) { $0.lease?.worker == slot }
        for shard in editions[edition].shards.indices {
            if editions[edition].shards[shard].successor == slot { editions[edition].shards[shard].successor = nil }
            if editions[edition].shards[shard].lease?.worker == slot { breakLease(edition, shard) }
        }
    }

    /// Jobs that were in hand when their worker was lost travel alone from now on. One that did, and had certainly begun, has a
    /// strike.
    private mutating func blame(_ inHand: Flight, _ slot: Int) {
        let flight = workers[slot]!.flights.firstIndex { $0.id == inHand.id }!
        for place in inHand.tickets.indices {
            var ticket = inHand.tickets[place]
            ticket.isSuspect = true
            if inHand.isProbe {
                if inHand.started == nil { ticket.doubts += 1 } else { ticket.strikes += 1 }
                let job = ShelfPlace(
                    edition: workers[slot]!.hello.edition, shard: Shard(UInt16(inHand.shard)), job: ticket.number)
                perform(.report(.suspected(job, strikes: ticket.strikes, doubts: ticket.doubts)))
            }
            workers[slot]!.flights[flight].tickets[place] = ticket
        }
    }

    private mutating func releaseIdleLeases(_ slot: Int) {
        let edition = workers[slot]!.edition
        for shard in editions[edition].shards.indices
        where editions[edition].shards[shard].lease?.worker == slot && editions[edition].shards[shard].flights == 0 {
            breakLease(edition, shard)
        }
    }
}
