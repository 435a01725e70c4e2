import Names
import Operations
import Pool
import Replication
import Storage
import Wire

private let log = Log("cluster")

// A coordinator that is one of several hosts. Its judged turns go into the log first and into its journal second, as
// those of others do.
extension CoordinatorLoop {
    /// Takes the words of the log and of other hosts.
    mutating func hearCluster() throws {
        guard let isAsked = cluster?.isAskedForRows else { return }
        let served = dispatcher.servedEngine.map(RowAsking.Served.init)
        try cluster!.hear(served, isAsked ? dispatcher.servedProgress : nil, at: clock.now)
        try fulfil()
        if let makers = cluster!.takeMakers() { dispatcher.lend(only: makers) }
        if try cluster!.giveNamed(numberedBy: &journal, at: clock.now) { isLooking = true }
        for told in cluster!.takeWords(served, at: clock.now) { try handle(.heard(told.word, from: told.peer)) }
        for words in cluster!.takeComplaints() { log.warning("the engine complains", ["reason": "\(words)"]) }
    }

    /// Fulfils the cluster's wishes to the journal, to producers and to other hosts.
    mutating func fulfil() throws {
        while let wish = cluster!.takeWish() {
            switch wish {
            case .commit(let partition, let turn, let sequence):
                if let turn {
                    let jobs = DueJob.jobs(of: try cluster!.replay(turn.content, in: &journal))
                    if !jobs.isEmpty { try handle(.accepted(jobs)) }
                }
                try cluster!.committed(sequence, in: partition)
            case .settle(let partition, let isKept): try cluster!.settle(partition, isKept: isKept)
            case .tell(let word, let host): try cluster!.tell(word, host)
            case .salvage(let partition, let turns): cluster!.begin(Salvage(turns), of: partition)
            case .copy(let partition, let host): try cluster!.fetch(from: host, for: partition, at: clock.now)
            case .news(let news): news.tell(ofSeveralLogs: cluster?.hasSeveralLogs ?? false)
            }
        }
        // The present turn may have answers that wait for no log.
        for judged in cluster!.takeJudged() { try send(judged.answers, since: judged.start) }
        for case (let json, .producer(let envelope, let events)) in cluster!.takeAnswers() {
            try answer(json ?? refusal(of: events), to: envelope)
        }
        try cluster!.send()
    }

    /// Proposes a judged turn to the log. Producers are answered when it is there and in the journal.
    mutating func propose(_ written: JournalTurn, from start: Moment) throws {
        if try cluster!.propose(written, of: &answers, from: start, in: &journal) { try fulfil() }
    }

    /// The requests of this turn that are judged here. The others are for the owner.
    mutating func claimed(_ heard: [HeardRequest]) throws -> [HeardRequest] {
        guard let sorted = try cluster?.sort(heard, at: clock.now) else { return heard }
        watch.times.count += UInt64(sorted.forwarded)
        for one in sorted.refused { try answer(refusal(of: one.request.events.count), to: one.envelope) }
        return sorted.own
    }

    private func refusal(of events: Int) -> [UInt8] {
        let busy = EventAnswer.busy(retryAfter: ClusterSeat.retryAfter, reason: .cluster)
        return EventAnswer.json(Array(repeating: busy, count: events), warnings: [:], limits: keeper.limits.request)
    }

    /// Answers a producer, or the host that forwarded its request.
    mutating func answer(_ json: [UInt8], to envelope: [[UInt8]]) throws {
        if let part = PartLine(envelope) {
            guard let whole = cluster?.splits.take(json, to: part, limits: keeper.limits.request) else { return }
            try answer(whole.json, to: whole.envelope)
        } else if let line = AnswerLine(envelope) {
            try cluster?.answer(json, on: line)
        } else {
            try sockets.answer(json, to: envelope)
        }
    }
}

extension ClusterStanding {
    /// - Parameter name: the name of the cluster.
    init(_ replica: Replica, of name: String) {
        let standing =
            switch replica.standing {
            case .joining: "joining"
            case .following: "following"
            case .claiming: "claiming"
            case .owning: "owning"
            case .lost: "lost"
            case .stopped: "stopped"
            }
        let door =
            switch replica.door {
            case .open: "open"
            case .wait: "wait"
            case .busy: "busy"
            case .elsewhere: "elsewhere"
            }
        let others = replica.hearsay.map { host, mark, before in
            Other(
                host: host.text, place: mark.map { Place($0.anchor) },
                heardBefore: before.map { Int($0 / .milliseconds(1)) },
                isLost: mark?.isLost ?? false)
        }
        self.init(
            cluster: name, host: replica.host.text, standing: standing, owner: replica.applied.owner?.text,
            reign: replica.applied.reign.number, place: Place(replica.applied),
            heardBefore: Int(replica.silence / .milliseconds(1)), door: door, others: others)
        listening = Int((replica.now.sinceStart - replica.start.sinceStart) / .milliseconds(1))
    }
}

extension ClusterStanding.Place {
    fileprivate init(_ anchor: LogAnchor) {
        self.init(sequence: anchor.sequence.number, link: anchor.link.number, entries: anchor.next.number)
    }
}

extension HostNews {
    /// Writes it to the log of the coordinator.
    /// - Parameter several: whether the journal has the logs of several partitions, which are named then.
    fileprivate func tell(ofSeveralLogs several: Bool) {
        func fields(_ partition: Partition) -> LogFields {
            several ? ["partition": .number(Int(partition.number))] : [:]
        }
        switch self {
        case .replica(let partition, .claimed(let reign)):
            let number = LogValue.number(Int(clamping: reign.number))
            log.info(
                "this host owns the log",
                several ? ["reign": number, "partition": .number(Int(partition.number))] : ["reign": number])
        case .replica(let partition, .deposed): log.warning("another host owns the log", fields(partition))
        case .replica(let partition, .lost(let loss)):
            log.error(
                "this host cannot go on from its own journal, and takes that of another",
                several
                    ? ["reason": "\(loss)", "partition": .number(Int(partition.number))] : ["reason": "\(loss)"])
        case .replica(let partition, .stopped):
            log.error(
                "the engine has no log that the cluster can go on with; forme cluster init begins one",
                fields(partition))
        case .engine(let words): log.warning("the engine complains", ["reason": "\(words)"])
        }
    }
}
