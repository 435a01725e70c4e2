import Wire

extension Dispatcher {
    package var status: PoolStatus {
        var status = PoolStatus(roll, lender.roster, pace, context, demand, isDraining: isDraining)
        if roll.servedWorkers == 0 {
            status.absence = attendance.isTold ? .forLong : attendance.hasBegun ? .none : .untilNow
        }
        status.isNextUnattended = succession.isUnattended
        status.turnedAway = entrance.turnedAway
        status.workers += lender.remotes.remotes.map { PoolStatus.WorkerLine($0, context.now) }
        return status
    }

    /// - Parameter forgotten: the number for each shard, as the journal knows it.
    package func content(forgotten: [Int]) -> ContentStanding {
        ContentStanding(forgotten: forgotten, in: roll.served.map { roll[$0] })
    }
}

extension PoolStatus {
    fileprivate init(
        _ roll: EditionRoll, _ roster: Roster, _ pace: Pace, _ context: DispatchContext, _ demand: TargetDemand,
        isDraining: Bool
    ) {
        self.init(speed: pace.speed, counters: context.counters, isDraining: isDraining)
        workers = roster.slots.compactMap { slot in
            roster.find(slot).map { WorkerLine($0, files: roll[$0.edition].leases.count(of: slot), context.now) }
        }
        let service = roll.service
        editions = roll.all.map { EditionLine($0, roster, service, context.now) }
        let served = roll.served.map { roll[$0] }
        lanes = Lane.allCases.map { LaneLine($0, served?.jobs, context) }
        servedWorkers = roll.servedWorkers
        (prepared, added) = (served?.targets ?? [], demand.added)
        candidates = Array(demand.candidates.prefix(8))
    }
}

extension PoolStatus.WorkerLine {
    fileprivate init(_ worker: WorkerState, files: Int, _ now: Moment) {
        self.init(
            hello: worker.hello, shards: files, lentJobs: worker.lentJobs, credits: worker.credits,
            silence: now.sinceStart - worker.heard.sinceStart, isLeaving: worker.isLeaving, times: worker.times)
    }
}

extension PoolStatus.WorkerLine {
    fileprivate init(_ remote: RemoteState, _ now: Moment) {
        self.init(
            hello: remote.hello, shards: 0, lentJobs: remote.lentJobs, credits: remote.credits,
            silence: now.sinceStart - remote.heard.sinceStart, isLeaving: remote.credits == 0, times: remote.times,
            elsewhere: .init(asked: remote.trust.asked, checked: remote.trust.checked))
    }
}

extension PoolStatus.EditionLine {
    fileprivate init(_ edition: EditionDesk, _ roster: Roster, _ service: EditionService?, _ now: Moment) {
        let files = edition.files.map { file in
            let (desk, shards) = (edition.leases.files[file], edition.jobs.map.shards(of: file))
            return PoolStatus.ShardLine(
                waiting: edition.jobs.files[file].waiting.count,
                holder: desk.lease.flatMap { roster.find($0.worker)?.hello.process }, epoch: desk.lease?.epoch,
                through: JobNumber(shards.reduce(0) { $0 + edition.jobs.shards[$1].done.through }),
                objection: desk.objection(now), unavailable: desk.unavailable)
        }
        self.init(
            id: edition.id, name: edition.name, isCurrent: edition.id == service?.current,
            isNext: edition.id == service?.next, workers: edition.workers, undone: edition.jobs.undone,
            shardsWalking: edition.jobs.shards.values.count { $0.walk != nil }, shards: Array(files))
    }
}

extension PoolStatus.LaneLine {
    fileprivate init(_ lane: Lane, _ jobs: Backlog?, _ context: DispatchContext) {
        var queues = jobs?.files.values.map(\.waiting) ?? []
        let oldest = queues.indices.compactMap { queues[$0].first(lane)?.since }.min()
        self.init(
            lane: lane, open: jobs?.open[lane] ?? 0, waiting: queues.reduce(0) { $0 + $1.counts[lane] },
            oldest: oldest.map { context.now.sinceStart - $0.sinceStart }, isPaused: context.paused[lane])
    }
}

extension LeaseBook {
    fileprivate func count(of worker: WorkerSlot) -> Int { files.values.count { $0.isHeld(by: worker) } }
}
