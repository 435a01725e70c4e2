import JSON
import Names
import Operations
import Pool
import Storage
import Transport
import Wire

extension CoordinatorLoop {
    mutating func hearOperators() throws {
        for _ in 0..<Self.framesPerTurn {
            guard let message = try sockets.operators.receiveMessage() else { return }
            var parts = message.parts
            let payload = parts.count > 1 ? parts.removeLast() : []
            let answer: OperatorAnswer
            do {
                let request = try OperatorRequest(parsing: payload)
                answer =
                    try message.sender?.role == .gateway && !request.isOfGateways
                    ? .error("a gateway gives no orders; ask with the key of an operator") : obey(request)
                AuditTrail(in: folder.path).note(request, by: message.sender, answer)
            } catch {
                answer = .error((error as? StorageError).map(LaneShards.sentence) ?? "\(error)")
            }
            operatorAnswers.append(parts + [answer.json])
        }
    }

    /// Answers operators once their orders are in the folder, where a worker that is then started reads them.
    mutating func answerOperators() throws {
        for answer in operatorAnswers { _ = try sockets.operators.send(parts: answer) }
        operatorAnswers = []
    }

    private mutating func obey(_ request: OperatorRequest) throws -> OperatorAnswer {
        switch request {
        case .status:
            var status = dispatcher.status
            status.times = watch.processTimes
            status.figures = try figures.current(of: dispatcher, journal, in: folder, status.times, at: clock.now)
            (status.counters.warned, status.cluster) = (keeper.warned, cluster?.standing)
            status.content = dispatcher.content(forgotten: journal.forgotten)
            status.givenUp = try journal.givenUp(in: status.editions)
            status.unwritten = writing.reason.map(LaneShards.sentence)
            status.untidy = care.trouble.reason.map(LaneShards.sentence)
            return .status(status)
        case .health:
            return try .health(
                dispatcher.health(
                    trouble: writing.reason?.reasonForBusy ?? (cluster?.isOpen ?? true ? nil : .noOwner),
                    closed: cluster?.closedNumbers, restarts: ServiceManager.restarts, warned: keeper.warned,
                    forgotten: journal.forgotten,
                    figures: figures.current(of: dispatcher, journal, in: folder, watch.processTimes, at: clock.now)))
        case .top: return .top(shares.top)
        case .cluster, .adopt, .move, .compare:
            return try cluster?.obey(request)
                ?? .error("this service is no host of a cluster; it is started with --cluster for that")
        case .shelf(let after, let limit):
            return .shelf(try journal.shelved(after: after, limit: limit), triedAgain: dispatcher.triedAgain)
        case .pause(let lane): try handle(.command(.pause(lane)))
        case .resume(let lane): try handle(.command(.resume(lane)))
        case .drain: try handle(.command(.drain))
        case .stopDraining: try handle(.command(.stopDraining))
        case .dismiss(let process):
            let peers = dispatcher.peers(of: process)
            // Dismissed first, as a worker that has nothing in hand ends at once.
            if !peers.isEmpty { ServiceManager.current.dismiss(process) }
            for peer in peers { try handle(.command(.dismiss(peer))) }
            return .done(count: peers.count)
        case .replay(let places):
            var count = 0
            for place in try places ?? journal.allShelved() {
                guard let job = try journal.job(at: place) else { continue }
                try handle(.command(.replay(job, place)))
                count += 1
            }
            return .done(count: count)
        case .drop(let named):
            let places = if let named { try journal.known(named) } else { try journal.allShelved() }
            try handle(.command(.drop(places)))
            return .done(count: places.count)
        case .urge(let messages): return .done(count: try urge(messages))
        case .roll(let edition, let isHurried):
            if let objection = try roll(to: edition, isHurried: isHurried) { return .error(objection) }
        case .retire(let edition): try handle(.command(.retire(edition)))
        case .wanted(let targets): try handle(.command(.want(targets)))
        case .suspect(let shards): return .done(count: suspect(shards))
        case .prepare(let target):
            if let objection = dispatcher.objection(toPreparing: target) { return .error(objection) }
            try handle(.command(.prepare(target)))
        case .forget(let target):
            guard dispatcher.demand.targets.contains(target) else { return .error("\(target.text) is not added") }
            try handle(.command(.forget(target)))
        }
        return .done(count: nil)
    }

    private mutating func urge(_ messages: [MessageKey]) throws -> Int {
        let wanted = try journal.numbers(of: messages, among: dispatcher.shardCount)
        for (shard, numbers) in wanted { try handle(.command(.urge(shard, numbers))) }
        return wanted.values.reduce(0) { $0 + $1.count }
    }

    /// Marks shards as suspect, for an operator who may not write into the folder: their workers check them.
    private func suspect(_ shards: [ShardOfEdition]) -> Int {
        let known = shards.filter { dispatcher.knows($0.edition) && $0.shard.number < dispatcher.shardCount }
        for one in known { ShardPlace(one.shard, of: one.edition, in: folder).suspect() }
        return known.count
    }
}

extension AuditTrail {
    /// - Parameter sender: nil where there are no keys, and every user of the folder may give orders.
    fileprivate func note(_ request: OperatorRequest, by sender: Guest?, _ answer: OperatorAnswer) {
        guard request.isOrder else { return }
        let order = LogValue.text(String(decoding: request.json, as: UTF8.self))
        let person = sender.map { "\($0.name) (\($0.role.rawValue))" } ?? "user of the folder"
        if case .error(let sentence) = answer {
            note("refused an order", by: person, ["order": order, "reason": .text(sentence)])
        } else {
            note("obeyed an order", by: person, ["order": order])
        }
    }
}

extension StorageError {
    fileprivate var reasonForBusy: PoolHealth.BusyReason {
        if case .full = self { .diskFull } else { .journal }
    }
}

extension SQLiteJournal {
    /// The messages on the shelf of the served edition, as far as one list goes.
    fileprivate mutating func givenUp(
        in editions: [PoolStatus.EditionLine]
    ) throws(StorageError) -> PoolStatus.GivenUp {
        let most = OperatorRequest.longestShelf
        guard let served = editions.first(where: \.isCurrent)?.id else { return .init(count: 0, isMore: false) }
        let first = ShelfPlace(edition: served, shard: Shard(0), job: JobNumber(0))
        let jobs = try shelved(after: first, limit: most)
        let count = jobs.count { $0.place.edition == served }
        return .init(count: count, isMore: count == most)
    }
}
