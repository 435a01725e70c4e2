import Names
import Pool
import Replication
import Wire

/// Three hosts, partitions, an engine and producers, in a time of their own: the product's replicas, keepers and queue,
/// over simulated disks and a simulated log. The same seed is the same world.
struct ClusterWorld {
    let scenario: ClusterScenario
    var dice: Dice
    var now = Instant.start
    var agenda = Agenda<Instant, ClusterHappening>()
    let engine: SimulatedEngine
    var hosts: [HostSeat]
    var producers: ClusterProducers
    var findings: [String] = []
    var tally = ClusterTally()
    var isBad = true
    private var lastProcess = 0
    private var isOver = false
    private var deadline = Instant.never

    init(_ scenario: ClusterScenario, dice: Dice) {
        (self.scenario, self.dice) = (scenario, dice)
        engine = SimulatedEngine(faults: scenario.faults, bug: scenario.bug, dice: Dice(seed: ~scenario.seed << 2))
        engine.isFair = false
        hosts = scenario.hosts.map { HostSeat(id: $0, disks: scenario.emptyDisks) }
        producers = ClusterProducers(scenario)
        plan()
    }

    private mutating func plan() {
        for partition in partitions {
            engine.send(.begin(Partition(UInt16(partition)), after: .zero, inPlaceOf: nil), from: 0, at: now)
        }
        for host in hosts.indices { agenda.add(.start(host), at: now + dice.number(0...500) * Length.millisecond) }
        for producer in producers.indices { agenda.add(.send(producer: producer), at: now) }
        if scenario.faults.contains(where: \.isEvent) {
            for _ in 0..<scenario.faultEvents {
                agenda.add(.fault, at: Instant(dice.number(2 * Length.second...scenario.duration)))
            }
        }
        agenda.add(.operate, at: now + Length.second)
        agenda.add(.heal, at: Instant(scenario.duration) + 3 * Length.second)
    }

    var partitions: Range<Int> { 0..<scenario.map.partitions }

    mutating func run() {
        while !isOver, let next = agenda.next() {
            now = next.at
            tally.steps += 1
            happen(next.item)
            for host in hosts.indices { hosts[host].process?.send(at: now) }
            for bell in engine.takeBells() {
                guard let host = hosts.firstIndex(where: { $0.process?.id == bell.client }) else { continue }
                agenda.add(.ring(host: host, process: bell.client), at: max(bell.at, now))
            }
        }
        tally.milliseconds = now.microseconds / Length.millisecond
        (tally.busy, tally.split) = (producers.busy, producers.split)
        for host in hosts.indices { for place in hosts[host].disks.indices { hosts[host].disks[place].layOut() } }
        let inspection = ClusterInspection(self)
        findings += inspection.findings
        (tally.entries, tally.digest) = (inspection.entries, inspection.digest)
    }

    private mutating func happen(_ happening: ClusterHappening) {
        switch happening {
        case .start(let host): start(host)
        case .tick(let host, let process):
            guard isRunning(happening, host, process) else { return }
            agenda.add(.tick(host: host, process: process), at: now + 50 * Length.millisecond)
            drain(host)
            for partition in partitions { tell(host, partition, .tick(moment(of: host))) }
            salvage(host)
            misbehave(host)
            if scenario.hasOneJournal { tend(host) }
        case .ring(let host, let process):
            if isRunning(happening, host, process) { drain(host) }
        case .judge(let host, let process, let partition):
            if isRunning(happening, host, process) { judge(host, partition) }
        case .written(let host, let process, let partition, let entry, let anchor, let isThere):
            guard isRunning(happening, host, process) else { return }
            write(host, partition, entry, anchor, isThere)
        case .recorded(let host, let process, let partition, let sequence, let isTurn):
            if isRunning(happening, host, process) { apply(host, partition, sequence, isTurn) }
        case .layOut(let host, let process):
            guard isRunning(happening, host, process) else { return }
            agenda.add(.layOut(host: host, process: process), at: now + 200 * Length.millisecond)
            for place in hosts[host].disks.indices {
                hosts[host].disks[place].layOut()
                if scenario.isForgetting { hosts[host].disks[place].forgetContent() }
            }
        case .word(let word, let from, let to):
            guard let process = hosts[to].process, isRunning(happening, to, process.id) else { return }
            hear(word, from, to)
        case .mail(let mail, let queue, let host):
            guard let process = hosts[host].process, isRunning(happening, host, process.id) else { return }
            receive(mail, queue, host)
        case .answer(let answer, let number, let producer, let queue):
            producers.hear(answer, number, producer, queue, at: now, &dice)
        case .send(let producer):
            for sent in producers.send(producer, at: now, &dice) {
                agenda.add(.mail(sent.mail, sent.queue, host: sent.host), at: now + dice.number(100...2000))
            }
            agenda.add(.send(producer: producer), at: now + 40 * Length.millisecond)
        case .fault: if isBad { strike() }
        case .loseDisk(let host): if isBad { loseDisk(of: host) }
        case .operate: operate()
        case .heal: heal()
        case .look: look()
        }
    }

    /// Puts off an event for a process that is stopped until it goes on.
    private mutating func isRunning(_ happening: ClusterHappening, _ host: Int, _ process: Int) -> Bool {
        guard hosts[host].process?.id == process else { return false }
        guard now < hosts[host].pausedUntil else { return true }
        agenda.add(happening, at: hosts[host].pausedUntil)
        return false
    }

    mutating func newProcess() -> Int {
        lastProcess += 1
        return lastProcess
    }

    func moment(of host: Int) -> Moment { now.moment(since: hosts[host].process!.start, leap: 0) }

    mutating func diskTime(_ host: Int) -> Int {
        dice.number(300...3000) * (now < hosts[host].slowUntil ? 100 : 1)
    }

    mutating func find(_ finding: String) { if findings.count < 20 { findings.append(finding) } }

    private mutating func heal() {
        isBad = false
        engine.heal()
        for host in hosts.indices {
            // A stopped host goes on at its own time: earlier, new events would overtake those that wait for that.
            hosts[host].slowUntil = now
            hosts[host].cutUntil = [:]
        }
        deadline = now + 60 * Length.second
        agenda.add(.look, at: now + Length.second)
    }

    private mutating func look() {
        let unrest = ClusterRest(self).unrest
        if unrest == nil {
            isOver = true
        } else if let unrest, now >= deadline {
            find("it does not come to rest: \(unrest)")
            isOver = true
        } else {
            agenda.add(.look, at: now + 37 * Length.millisecond)
        }
    }
}
