import Wire

/// What goes to whom.
extension Dispatcher {
    mutating func lend() {
        for edition in editions.indices where editions[edition].isAttended && editions[edition].isRecorded {
            for shard in editions[edition].shards.indices where editions[edition].shards[shard].queue.delayedCount > 0 {
                for needless in editions[edition].shards[shard].queue.wake(now) { finish(needless, edition, shard) }
            }
            settleLeases(edition)
        }
        for slot in workers.indices where workers[slot] != nil {
            askAboutShards(slot)
            while lendBatch(to: slot) {}
        }
    }

    /// Lends one batch; false when there is no room, or nothing waits.
    private mutating func lendBatch(to slot: Int) -> Bool {
        let room = workers[slot]!.room(limits)
        guard room > 0 else { return false }
        for lane in lanes(for: workers[slot]!) where !paused[Int(lane.rawValue)] {
            guard lane == .live || workers[slot]!.flights.count < 2 else { continue }
            guard let shard = nextShard(lane, slot) else { continue }
            var jobs = min(room, lane == .live ? limits.jobsPerBatch : limits.jobsPerLaterBatch)
            if workers[slot]!.hello.isCaretaker {
                jobs = jobsOfCaretaker(lane, workers[slot]!.edition, shard, atMost: jobs)
            }
            let tickets = editions[workers[slot]!.edition].shards[shard].queue.takeBatch(
                lane, jobs: jobs, bytes: limits.bytesPerBatch)
            guard !tickets.isEmpty else { continue }
            workers[slot]!.turns += 1
            send(tickets, shard, to: slot)
            return true
        }
        return false
    }

    /// The most urgent first, but for the share that each of the others has.
    private func lanes(for worker: Colleague) -> [Lane] {
        // What was there before did not change, and is not a caretaker's.
        if worker.hello.isCaretaker { return [.live, .backfill] }
        return switch worker.turns % limits.share {
        case limits.share - 1: [.backfill, .live, .relayout]
        case limits.share / 2 - 1: [.relayout, .live, .backfill]
        default: [.live, .backfill, .relayout]
        }
    }

    /// The worker's shards in turn.
    private mutating func nextShard(_ lane: Lane, _ slot: Int) -> Int? {
        let edition = workers[slot]!.edition
        let count = latest.count
        let hasEnough = lane == .live && workers[slot]!.lentJobs >= limits.jobsInHand
        let least = hasEnough ? limits.jobsWorthWhile : 1
        for step in 1...count {
            let shard = (workers[slot]!.lastShard + step) % count
            guard
                editions[edition].shards[shard].lends(
                    lane, to: slot, atMost: limits.batchesPerShard, atLeast: least)
            else { continue }
            if workers[slot]!.hello.isCaretaker, jobsOfCaretaker(lane, edition, shard, atMost: 1) == 0 { continue }
            workers[slot]!.lastShard = shard
            return shard
        }
        return nil
    }

    /// A batch without jobs, where something was committed and nobody has said for long that it reached the disk, or where it is
    /// not known any more which file there is.
    private mutating func askAboutShards(_ slot: Int) {
        let edition = workers[slot]!.edition
        for shard in editions[edition].shards.indices
        where editions[edition].shards[shard].isInDoubt || !editions[edition].shards[shard].unsynced.isEmpty {
            guard editions[edition].shards[shard].isForgotten(by: slot, before: now - limits.delivery),
                workers[slot]!.room(limits) > 0
            else { continue }
            if !editions[edition].shards[shard].unsynced.isEmpty {
                let first = editions[edition].shards[shard].unsynced.places.lowerBound
                editions[edition].shards[shard].unsynced[first].since = now
            }
            send([], shard, to: slot)
        }
    }

    private mutating func send(_ tickets: [Ticket], _ shard: Int, to slot: Int) {
        let edition = workers[slot]!.edition
        lastBatch += 1
        let id = BatchID(term: term, number: lastBatch)
        let isProbe = tickets.first?.isSuspect ?? false
        let lease = editions[edition].shards[shard].lease!
        editions[edition].shards[shard].lease!.batches += 1
        editions[edition].shards[shard].flights += 1
        workers[slot]!.lentJobs += tickets.count
        workers[slot]!.flights.append(
            Flight(id: id, shard: shard, tickets: tickets, since: now, started: nil, isProbe: isProbe))
        let batch = Batch(
            id: id, shard: Shard(UInt16(shard)), epoch: lease.epoch, place: lease.batches,
            origin: editions[edition].shards[shard].origin, jobs: tickets.map(\.job))
        perform(.say(.assign(batch), to: workers[slot]!.peer))
    }
}
