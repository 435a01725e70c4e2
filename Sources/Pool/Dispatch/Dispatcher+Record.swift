import Wire

/// What the journal is to remember.
extension Dispatcher {
    /// Ranges that are written down of one shard.
    private static let rangesRecorded = 1024

    /// What has changed since it was last recorded; progress by itself only now and then, and at once before an end. To be
    /// followed by `.recorded` when it is in the journal, before anything else is handled; where that fails, it is there again.
    package var record: PoolRecord {
        guard isRecordDue else { return PoolRecord() }
        var record = note
        for edition in editions {
            for (shard, desk) in edition.shards.enumerated() where desk.isDirty {
                record.progress.append(
                    ShardProgress(
                        edition: edition.id, shard: Shard(UInt16(shard)), through: JobNumber(desk.done.through),
                        beyond: desk.done.ranges(atMost: Self.rangesRecorded), walkedTo: desk.walk?.after,
                        origin: desk.origin, unavailable: desk.unavailable))
            }
        }
        return record
    }

    private var isRecordDue: Bool { !note.isEmpty || isDraining || deadlines.record + limits.recording <= now }

    mutating func forgetRecord() {
        guard isRecordDue else { return }
        note = PoolRecord()
        deadlines.record = now
        for edition in editions.indices {
            editions[edition].isRecorded = true
            for shard in editions[edition].shards.indices { editions[edition].shards[shard].isDirty = false }
        }
    }

    /// How many more events may be accepted: what the pool lays out in `patience`, as far as is known.
    package var room: IngestRoom {
        guard let index = servedDesk, !isDraining else {
            return IngestRoom(
                live: isDraining ? 0 : limits.idleRoom - unserved, backfill: 0, retryAfter: 1000,
                reason: isDraining ? .draining : .full)
        }
        let edition = editions[index]
        let isFull = edition.bytes > limits.bytes
        let wanted = pace.jobs(within: limits.patience).map { max(limits.leastRoom, $0) } ?? limits.idleRoom
        let live = min(wanted, limits.jobs / 2)
        let lag = edition.lag
        let (waiting, later) = (edition.open[0] - edition.seen, edition.open[1])
        return IngestRoom(
            live: isFull ? 0 : max(0, live - waiting - lag),
            backfill: isFull ? 0 : max(0, min(limits.backfillRoom, limits.jobs / 4) - later - lag),
            retryAfter: pace.milliseconds(for: waiting + lag), reserve: live / 4)
    }

    /// Accepted before any worker ever came.
    private var unserved: Int { editions.isEmpty ? latest.reduce(0) { $0 + Int($1.number) } : 0 }

    var isSaturated: Bool {
        guard let served = servedDesk else { return false }
        return editions[served].shards.contains { !$0.queue.isEmpty(.live) }
    }
}
