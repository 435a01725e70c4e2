import Wire

// Invariants, which hold for any input in any order.

extension Dispatcher {
    /// Whether everything that was accepted is done in the served edition, no other is on its way, nothing is lent,
    /// and nothing but progress is to be recorded.
    package var isAtRest: Bool {
        guard let service = roll.service, service.next == nil, service.filler == nil,
            let served = roll.slot(of: service.current)
        else {
            return false
        }
        return context.note.isEmpty && roll[served].jobs.isAtRest
            && roll[served].leases.files.values.allSatisfy { $0.flights == 0 }
    }

    /// Whether the journal knows all that is done.
    package var isRecorded: Bool { !roll.all.contains(where: \.isDirty) }

    /// Returns sentences about the invariants that do not hold. It costs as much as there are jobs, so it is for tests.
    package func audit() -> [String] {
        lender.roster.all.flatMap { $0.audit(context.limits) }
            + roll.slots.flatMap { slot in
                let flights = lender.roster.all.filter { $0.edition == slot }.flatMap(\.flights)
                return roll[slot].jobs.audit(flights, roll.latest, context.limits)
                    + roll[slot].leases.audit(
                        flights, atMost: context.limits.batchesPerShard + lender.remotes.allowance(context.limits))
            }
    }
}

extension WorkerState {
    func audit(_ limits: DispatchLimits) -> [String] {
        var findings: [String] = []
        let lent = flights.reduce(0) { $0 + $1.tickets.count }
        if lent != lentJobs { findings.append("\(lentJobs) jobs are said to be lent, and \(lent) are") }
        if lent > mostCredits { findings.append("\(lent) jobs are lent for \(mostCredits) credits") }
        if flights.count > limits.batchesPerWorker { findings.append("a worker has too many batches") }
        return findings
    }
}

extension LeaseBook {
    func audit(_ flights: [Flight], atMost most: Int) -> [String] {
        var findings: [String] = []
        for file in files.keys {
            let count = flights.count { $0.file == file }
            if count != files[file].flights { findings.append("file \(file.number) has lost count of its batches") }
            if count > most { findings.append("file \(file.number) has too many batches") }
        }
        return findings
    }
}

extension Backlog {
    func audit(_ flights: [Flight], _ latest: Table<Shard, JobNumber>, _ limits: DispatchLimits) -> [String] {
        var findings: [String] = []
        var counted = ByLane(0)
        for ticket in files.values.flatMap(\.all) + flights.flatMap(\.tickets) { counted[ticket.lane] += 1 }
        if counted != open { findings.append("\(open) jobs are said to be open, and \(counted) are") }
        let left = remaining(latest)
        if left != undone { findings.append("\(undone) jobs are said to be undone, and \(left) are") }
        let most = limits.jobs + limits.page * map.shards * (1 + limits.pagesOfWalk)
        if held > most { findings.append("\(held) jobs are held") }
        for file in files.keys where files[file].all.contains(where: { map.file(of: $0.shard) != file }) {
            findings.append("a job waits for file \(file.number), and belongs to another")
        }
        return findings
    }
}
