import Pool
import Replication

extension ClusterWorld {
    /// Makes a fault happen, of a kind that this seed has.
    mutating func strike() {
        let fault = dice.one(of: ClusterFault.allCases.filter { $0.isEvent && scenario.faults.contains($0) })
        let host = dice.number(0...hosts.count - 1)
        tally.faults[fault, default: 0] += 1
        switch fault {
        case .leaderless: engine.leaderlessUntil = now + dice.number(4...20) * Length.second
        case .reset: engine.reset(Partition(UInt16(dice.number(0...partitions.count - 1))))
        case .crash: end(host, restartAfter: dice.happens(200) ? dice.number(6000...14_000) : dice.number(50...4000))
        case .powerLoss: losePower()
        case .lostDisk: loseDisk(of: dice.happens(700) ? owner ?? host : host)
        case .cutFromEngine: cutFromEngine(host, until: now + dice.number(1000...8000) * Length.millisecond)
        case .cutFromHosts: cutFromHosts(dice.happens(600) ? owner ?? host : host)
        case .slow: hosts[host].slowUntil = now + dice.number(500...4000) * Length.millisecond
        case .pause:
            let end = now + dice.number(100...7000) * Length.millisecond
            // A pause is never extended: mail that waits already would come behind mail that comes from here on.
            if now >= hosts[host].pausedUntil { hosts[host].pausedUntil = end }
        case .handOver: handOver()
        case .unanswered, .unheard, .belated, .staleRead, .repeatedEntry, .lostTail: break
        }
    }

    /// The owner of the first partition that has one.
    private var owner: Int? {
        hosts.indices.first { host in
            hosts[host].process?.replicas.contains { $0.standing == .owning } ?? false
        }
    }

    /// Hands logs over, as an operator may want it, or a host that is about to end.
    private mutating func handOver() {
        for host in hosts.indices {
            for partition in partitions where hosts[host].process?.replicas[partition].standing == .owning {
                let heir = dice.happens(500) ? dice.one(of: scenario.hosts) : nil
                tell(host, partition, .handOver(to: heir))
            }
        }
    }

    mutating func end(_ host: Int, restartAfter milliseconds: Int) {
        guard hosts[host].process != nil else { return }
        hosts[host].process = nil
        hosts[host].ended = now
        agenda.add(.start(host), at: now + milliseconds * Length.millisecond)
    }

    /// Cuts the power everywhere. Some host may be late to come back.
    private mutating func losePower() {
        let late = dice.happens(600) ? dice.number(0...hosts.count - 1) : nil
        for host in hosts.indices {
            end(host, restartAfter: host == late ? dice.number(9000...16_000) : dice.number(500...3000))
        }
        var dice = dice
        engine.losePower { UInt64(dice.number(0...12)) }
        self.dice = dice
        engine.leaderlessUntil = max(engine.leaderlessUntil, now + Length.second)
    }

    /// Loses the disk of one host at a time, and only while the others have all that they need to go on: three disks
    /// do not survive more than that.
    mutating func loseDisk(of host: Int) {
        let areWhole = hosts.indices.allSatisfy { $0 == host || hosts[$0].isWhole(at: now) }
        guard areWhole, !hosts[host].isEmpty else { return }
        tally.disks += 1
        end(host, restartAfter: dice.number(200...3000))
        hosts[host].disks = scenario.emptyDisks
        hosts[host].isEmpty = true
    }

    private mutating func cutFromEngine(_ host: Int, until: Instant) {
        let kind = dice.number(0...2)
        if kind != 1 { hosts[host].unheardUntil = until }
        if kind != 0 { hosts[host].deafUntil = until }
        guard let id = hosts[host].process?.id else { return }
        (engine.unheard[id], engine.deaf[id]) = (hosts[host].unheardUntil, hosts[host].deafUntil)
    }

    /// Cuts a host off from one of the others or from both, in half of all cases one way.
    private mutating func cutFromHosts(_ host: Int) {
        let until = now + dice.number(1000...6000) * Length.millisecond
        for other in hosts.indices where other != host && dice.happens(800) {
            hosts[host].cutUntil[other] = until
            if dice.happens(500) { hosts[other].cutUntil[host] = until }
        }
        // The best time to lose a disk is while its host is alone with what it has.
        guard scenario.faults.contains(.lostDisk), dice.happens(500) else { return }
        agenda.add(.loseDisk(host), at: Instant(dice.number(now.microseconds...until.microseconds)))
    }

    /// Acts as an operator: where a log is gone and all hosts are there, it adopts the longest journal.
    mutating func operate() {
        agenda.add(.operate, at: now + Length.second)
        for host in hosts.indices { hosts[host].noteReturn() }
        for partition in partitions {
            guard let longest = ClusterRest(self).longestStopped(partition) else { continue }
            tally.adoptions += 1
            tell(longest, partition, .adopt)
        }
    }
}
