import Wire

/// What must always hold, whatever came in whatever order.
extension Dispatcher {
    /// Everything that was accepted is done in the edition that is served, no other is on its way, nothing is lent, and nothing but
    /// progress is to be recorded.
    package var isAtRest: Bool {
        guard let service, service.next == nil, let served = desk(of: service.current) else { return false }
        return note.isEmpty && editions[served].undone == 0 && editions[served].held == 0
            && editions[served].shards.allSatisfy { $0.walk == nil && $0.flights == 0 && $0.unsynced.isEmpty }
    }

    /// Whether the journal knows all that is done.
    package var isRecorded: Bool { editions.allSatisfy { $0.shards.allSatisfy { !$0.isDirty } } }

    /// Sentences about what does not hold; costs as much as there are jobs, so it is for tests.
    package func audit() -> [String] {
        var findings: [String] = []
        for worker in workers.compactMap(\.self) {
            let lent = worker.flights.reduce(0) { $0 + $1.tickets.count }
            if lent != worker.lentJobs {
                findings.append("\(worker.lentJobs) jobs are said to be lent, and \(lent) are")
            }
            if lent > worker.mostCredits { findings.append("\(lent) jobs are lent for \(worker.mostCredits) credits") }
            if worker.flights.count > limits.batchesPerWorker { findings.append("a worker has too many batches") }
        }
        for (index, edition) in editions.enumerated() { audit(edition, index, &findings) }
        return findings
    }

    private func audit(_ edition: EditionDesk, _ index: Int, _ findings: inout [String]) {
        var open = [Int](repeating: 0, count: edition.open.count)
        var undone = 0
        for (shard, desk) in edition.shards.enumerated() {
            for ticket in desk.tickets { open[Int(ticket.lane.rawValue)] += 1 }
            undone += Int(latest[shard].number - desk.done.total)
            let flights = workers.compactMap(\.self).filter { $0.edition == index }.flatMap(\.flights)
                .filter { $0.shard == shard }
            for ticket in flights.flatMap(\.tickets) { open[Int(ticket.lane.rawValue)] += 1 }
            if flights.count != desk.flights { findings.append("shard \(shard) has lost count of its batches") }
            if flights.count > limits.batchesPerShard { findings.append("shard \(shard) has too many batches") }
        }
        if open != edition.open { findings.append("\(edition.open) jobs are said to be open, and \(open) are") }
        if undone != edition.undone {
            findings.append("\(edition.undone) jobs are said to be undone, and \(undone) are")
        }
        if edition.held > limits.jobs + limits.page * edition.shards.count * 2 {
            findings.append("\(edition.held) jobs are held")
        }
    }
}

extension ShardDesk {
    /// All that wait, or are not on the disk.
    fileprivate var tickets: [Ticket] {
        var unsynced = unsynced
        var tickets = queue.all
        while let next = unsynced.popFirst() { tickets += next.tickets }
        return tickets
    }
}
