import Wire

/// Who has which shard.
extension Dispatcher {
    /// Gives the shard to a worker, under an epoch that is higher than any before.
    mutating func lease(_ edition: Int, _ shard: Int, to slot: Int) {
        lastLease += 1
        precondition(lastLease < 1 << 32)
        let epoch = LeaseEpoch(term << 32 | lastLease)
        editions[edition].shards[shard].lease = ShardDesk.Lease(worker: slot, epoch: epoch)
        editions[edition].shards[shard].lastHolder = workers[slot]!.hello
        editions[edition].shards[shard].successor = nil
    }

    /// Takes the shard back, with all that was lent under its lease, in its order.
    mutating func breakLease(_ edition: Int, _ shard: Int) {
        guard let lease = editions[edition].shards[shard].lease else { return }
        editions[edition].shards[shard].lease = nil
        guard editions[edition].shards[shard].flights > 0 else { return }
        counters.broken += 1
        editions[edition].shards[shard].flights = 0
        let flights = workers[lease.worker]!.flights.filter { $0.shard == shard }
        workers[lease.worker]!.flights.removeAll { $0.shard == shard }
        workers[lease.worker]!.lentJobs -= flights.reduce(0) { $0 + $1.tickets.count }
        // What it holds of them takes room until it says otherwise.
        workers[lease.worker]!.foreign += flights.count
        putBack(flights.flatMap(\.tickets), edition, shard)
    }

    /// To the front, those that may have brought a worker down after a while, and those with too many strikes on the shelf.
    mutating func putBack(_ tickets: [Ticket], _ edition: Int, _ shard: Int) {
        var ready: [Ticket] = []
        for ticket in tickets {
            if ticket.strikes >= limits.strikes || ticket.doubts >= limits.doubts {
                let lost = ticket.strikes + ticket.doubts
                shelve(ticket, edition, shard, Objection("\(lost) workers were lost while they laid it out"))
            } else if ticket.strikes + ticket.doubts > 0 {
                counters.retried += 1
                let wait = backoff(after: ticket.strikes + ticket.doubts)
                if let needless = editions[edition].shards[shard].queue.delay(ticket, until: now + wait) {
                    finish(needless, edition, shard)
                }
            } else {
                ready.append(ticket)
            }
        }
        for needless in editions[edition].shards[shard].queue.putBack(ready) { finish(needless, edition, shard) }
    }

    mutating func backoff(after failures: Int) -> Duration {
        let doublings = min(2 * (failures - 1), 20)
        return jitter.around(min(limits.backoff * (1 << doublings), limits.longestBackoff))
    }

    /// The worker could not write the shard: another one gets it, if there is one that has not tried lately.
    mutating func handOn(_ edition: Int, _ shard: Int, from slot: Int, _ objection: Objection) {
        editions[edition].shards[shard].shunned.add(
            workers[slot]!.peer, until: now + limits.longestBackoff, at: now)
        guard !workers.indices.contains(where: { isWilling($0, edition) && !isShunned($0, edition, shard) }) else {
            return
        }
        editions[edition].shards[shard].shunned.forget()
        rest(edition, shard, objection)
    }

    private func isWilling(_ slot: Int, _ edition: Int) -> Bool {
        workers[slot].map {
            $0.edition == edition && $0.credits > 0 && !$0.isLeaving
                && $0.hello.isCaretaker == (editions[edition].workers == 0)
        } ?? false
    }

    private func isShunned(_ slot: Int, _ edition: Int, _ shard: Int) -> Bool {
        workers[slot].map { editions[edition].shards[shard].shunned.contains($0.peer, at: now) } ?? false
    }

    /// Nobody could write the shard: it rests, longer each time.
    mutating func rest(_ edition: Int, _ shard: Int, _ objection: Objection) {
        let failures = editions[edition].shards[shard].failures + 1
        editions[edition].shards[shard].failures = failures
        editions[edition].shards[shard].restsUntil = now + backoff(after: failures)
        // The first time, and then now and then.
        guard failures & (failures - 1) == 0 else { return }
        perform(
            .report(
                .blocked(
                    editions[edition].id, Shard(UInt16(shard)), objection,
                    by: editions[edition].shards[shard].lastHolder)))
    }

    /// Gives shards that need somebody to whoever has least to do, and shards on the move to their next holder.
    mutating func settleLeases(_ edition: Int) {
        for shard in editions[edition].shards.indices {
            if let next = editions[edition].shards[shard].successor, editions[edition].shards[shard].flights == 0 {
                if workers[next].map({ $0.credits > 0 && !$0.isLeaving }) ?? false {
                    lease(edition, shard, to: next)
                } else {
                    editions[edition].shards[shard].successor = nil
                }
            }
            guard editions[edition].shards[shard].needsWorker(paused, now),
                let idlest = idlestWorker(of: edition, for: shard)
            else {
                continue
            }
            lease(edition, shard, to: idlest)
        }
    }

    /// By jobs that it has or will have, then by shards.
    private func idlestWorker(of edition: Int, for shard: Int) -> Int? {
        var best: (slot: Int, load: Int)?
        // Where only those are left that could not write it, one of them tries again.
        let isAnyOpen =
            editions[edition].shards[shard].shunned.isEmpty
            || workers.indices.contains { isWilling($0, edition) && !isShunned($0, edition, shard) }
        for slot in workers.indices {
            guard let worker = workers[slot], worker.edition == edition, worker.room(limits) > 0 else { continue }
            // What can be laid out is no caretaker's.
            guard worker.hello.isCaretaker == (editions[edition].workers == 0) else { continue }
            if isAnyOpen, isShunned(slot, edition, shard) { continue }
            let load = load(of: slot, edition) + worker.lentJobs
            if best.map({ load < $0.load }) ?? true { best = (slot, load) }
        }
        return best?.slot
    }

    private func load(of slot: Int, _ edition: Int) -> Int {
        editions[edition].shards.reduce(0) { $0 + ($1.lease?.worker == slot ? 1 + $1.queue.count : 0) }
    }

    /// Moves a shard from a worker whose jobs wait to one that has nothing to do.
    mutating func balance() {
        for edition in editions.indices where editions[edition].workers > 1 {
            let idle = workers.indices.first {
                guard let worker = workers[$0], worker.edition == edition, !worker.hello.isCaretaker else {
                    return false
                }
                return worker.flights.isEmpty && worker.room(limits) > 0 && !hasWork($0, edition)
            }
            guard let idle else { continue }
            guard let shard = shardToMove(edition), !isShunned(idle, edition, shard) else { continue }
            editions[edition].shards[shard].successor = idle
            counters.moved += 1
        }
    }

    /// Whether jobs wait in its shards, or are about to.
    private func hasWork(_ slot: Int, _ edition: Int) -> Bool {
        editions[edition].shards.contains {
            ($0.lease?.worker == slot && $0.successor == nil && $0.queue.count > 0) || $0.successor == slot
        }
    }

    /// Of the worker with most jobs waiting in at least two shards, the second longest queue: its own longest it keeps.
    private func shardToMove(_ edition: Int) -> Int? {
        var queues: [Int: [(shard: Int, count: Int)]] = [:]
        for (shard, desk) in editions[edition].shards.enumerated() {
            guard let lease = desk.lease, desk.successor == nil, desk.queue.count > 0 else { continue }
            queues[lease.worker, default: []].append((shard, desk.queue.count))
        }
        let busiest = queues.filter { $0.value.count > 1 }.max {
            let (a, b) = ($0.value.reduce(0) { $0 + $1.count }, $1.value.reduce(0) { $0 + $1.count })
            return (a, $0.key) < (b, $1.key)
        }
        return busiest?.value.sorted { ($0.count, $0.shard) > ($1.count, $1.shard) }[1].shard
    }
}
