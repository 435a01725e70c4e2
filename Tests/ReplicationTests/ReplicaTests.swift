import Names
import Pool
import Replication
import Testing
import Wire

@Test func `a replica that is level follows, and claims when nothing comes`() {
    var shell = Shell()
    shell.hearOther()
    #expect(shell.replica.standing == .joining)
    shell.end(0)
    #expect(shell.replica.standing == .following)
    shell.pass(.milliseconds(2900))
    #expect(shell.appends.isEmpty)
    for _ in 0..<3 { shell.pass(.milliseconds(500)) }
    #expect(shell.replica.standing == .claiming)
    #expect(shell.appends.last?.body == .claim(endpoints: []) && shell.appends.last?.head.reign == Reign(1))
    shell.land()
    #expect(shell.replica.standing == .owning && shell.replica.door == .open)
}

@Test func `nobody claims without a key that a second host has`() {
    var shell = Shell()
    shell.end(0)
    for _ in 0..<8 { shell.pass(.milliseconds(500)) }
    #expect(shell.appends.isEmpty)
    for _ in 0..<20 { shell.pass(.milliseconds(500)) }
    #expect(shell.appends.count == 1, "one that has heard nobody for long is alone")
}

@Test func `a turn is kept when it is in the log and on the own disk, and only one is on its way`() {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    #expect(shell.replica.door == .wait)
    #expect(!shell.has(.settle(isKept: true)))
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    #expect(shell.has(.settle(isKept: false)))
    shell.land()
    #expect(shell.has(.settle(isKept: true)) && shell.replica.door == .open)
    #expect(shell.replica.applied.next == LogPosition(1))
}

@Test func `a refused record that is found where it was to stand had landed`() {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    let record = shell.appends.last!
    shell.tell(.refused(behind: LogSequence(1)))
    #expect(shell.has(.read(after: LogSequence(1))))
    shell.tell(.entry(LogEntry(sequence: LogSequence(2), record: record, link: ChainLink(9))))
    #expect(shell.has(.settle(isKept: true)) && shell.replica.standing == .owning)
}

@Test func `a refused record of which nothing is seen is asked for again behind the same place`() {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    shell.tell(.refused(behind: LogSequence(1)))
    let asked = shell.appends.count
    shell.end(1)
    #expect(shell.appends.count == asked + 1 && shell.appends[asked] == shell.appends[asked - 1])
    #expect(!shell.has(.settle(isKept: false)))
}

@Test func `an owner that finds another's claim where its record was to stand is none any more, and keeps nothing`() {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    shell.tell(.refused(behind: LogSequence(1)))
    shell.read(.claim(endpoints: []), reign: 2, by: Sample.hosts[1])
    #expect(shell.has(.settle(isKept: false)) && !shell.has(.settle(isKept: true)))
    #expect(shell.has(.notice(.deposed)) && shell.replica.door == .elsewhere(Sample.hosts[1]))
    shell.land()
    #expect(!shell.has(.settle(isKept: true)), "whatever is said of it later")
}

@Test func `an owner that hands its log over takes no more turns, says where it ends, and is deposed by the claim`() {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    shell.tell(.handOver(to: Sample.hosts[1]))
    #expect(!shell.has(.call(Sample.hosts[1], end: LogSequence(1))), "its turn is still on its way")
    shell.land()
    shell.pass(.milliseconds(20))
    #expect(shell.has(.settle(isKept: true)) && shell.has(.call(Sample.hosts[1], end: LogSequence(2))))
    #expect(shell.replica.door == .wait)
    shell.read(.claim(endpoints: []), reign: 2, by: Sample.hosts[1])
    #expect(shell.has(.notice(.deposed)) && shell.replica.door == .elsewhere(Sample.hosts[1]))
    #expect(!shell.replica.isHandingOver)
}

@Test func `an owner that nobody takes the log of goes on after a second`() {
    var shell = Shell.owner
    shell.tell(.handOver(to: nil))
    let count = shell.appends.count
    for _ in 0..<10 { shell.pass(.milliseconds(100)) }
    #expect(shell.replica.isHandingOver && shell.appends.count == count, "nor does it beat")
    for _ in 0..<2 { shell.pass(.milliseconds(100)) }
    #expect(!shell.replica.isHandingOver && shell.appends.count == count + 1)
    shell.land()
    #expect(shell.replica.door == .open)
    #expect(shell.effects.count { if case .call = $0 { true } else { false } } == 1)
}

@Test func `an owner hands its log over to another host of its cluster alone`() throws {
    var shell = Shell.owner
    shell.tell(.handOver(to: Sample.hosts[0]))
    shell.tell(.handOver(to: try HostID("elsewhere")))
    #expect(!shell.replica.isHandingOver && shell.replica.door == .open)
}

@Test func `a host that is called claims when it has read all that the owner has, and not before`() {
    var shell = Shell()
    shell.hearOther()
    shell.end(0)
    shell.tell(.called(LogSequence(1)))
    shell.pass(.milliseconds(20))
    #expect(shell.appends.isEmpty)
    shell.read(.claim(endpoints: []), reign: 1, by: Sample.hosts[1])
    shell.pass(.milliseconds(20))
    #expect(shell.replica.standing == .claiming && shell.appends.last?.head.reign == Reign(2))
}

@Test func `a call that is a second old, or of a log that has gone on, is nothing to claim for`() {
    for isOld in [true, false] {
        var shell = Shell()
        shell.hearOther()
        shell.end(0)
        shell.tell(.called(LogSequence(1)))
        if isOld { shell.pass(.milliseconds(1100)) }
        shell.read(.claim(endpoints: []), reign: 1, by: Sample.hosts[1])
        if !isOld { shell.read(.beat, reign: 1, by: Sample.hosts[1]) }
        shell.pass(.milliseconds(20))
        #expect(shell.appends.isEmpty && shell.replica.standing == .following)
    }
}

@Test func `an owner without an append for two seconds is busy, and one that has nothing to say beats`() {
    var shell = Shell.owner
    shell.pass(.milliseconds(1000))
    #expect(shell.appends.last?.body == .beat)
    shell.pass(.milliseconds(1500))
    #expect(shell.replica.door == .busy)
    shell.land()
    #expect(shell.replica.door == .open)
}

@Test func `a log is trimmed up to what every replica has, and one that was away for a minute is not waited for`() {
    var shell = Shell.owner
    func trims() -> [LogSequence] {
        shell.effects.compactMap { if case .trim(let place) = $0 { place } else { nil } }
    }
    func pass(seconds: Int) {
        for _ in 0..<seconds {
            shell.pass(.seconds(1))
            if shell.replica.door != .open { shell.land() }
            shell.hearOther()
        }
    }
    pass(seconds: 20)
    #expect(trims().isEmpty, "nothing was heard of the third")
    shell.tell(
        .mark(
            Mark(
                host: Sample.hosts[2], partition: Partition(0), anchor: shell.replica.trail.anchor(at: LogSequence(4))!,
                keys: [KeyNumber(1)], wiped: .zero, isLost: false)))
    pass(seconds: 20)
    #expect(Set(trims()) == [LogSequence(4)])
    pass(seconds: 60)
    #expect(trims().last! > LogSequence(40))
}

/// An owner that hears both others each second: host b has all that it has, and host c is as it was told last.
private struct Trimming {
    var shell = Shell.owner
    var third: (anchor: LogAnchor, isLost: Bool)?
    var isFull = false

    var trims: [LogSequence] { shell.effects.compactMap { if case .trim(let place) = $0 { place } else { nil } } }

    mutating func pass(seconds: Int) {
        for _ in 0..<seconds {
            shell.pass(.seconds(1))
            if isFull {
                shell.tell(.full(behind: shell.replica.read.sequence))
            } else if shell.replica.door != .open {
                shell.land()
            }
            shell.hearOther()
            guard let third else { continue }
            shell.tell(
                .mark(
                    Mark(
                        host: Sample.hosts[2], partition: Partition(0), anchor: third.anchor, keys: [KeyNumber(1)],
                        wiped: .zero, isLost: third.isLost)))
        }
    }
}

@Test func `nothing is trimmed while a host copies a journal, for ten minutes at most`() {
    var owner = Trimming()
    owner.third = (.start, isLost: true)
    owner.pass(seconds: 590)
    #expect(owner.trims.isEmpty)
    owner.third = (owner.shell.replica.applied, isLost: false)
    owner.pass(seconds: 20)
    #expect(owner.trims.last == owner.third?.anchor.sequence, "it reads on behind its copy")
    owner.third?.isLost = true
    owner.pass(seconds: 620)
    #expect(owner.trims.last! > LogSequence(1000))
}

@Test func `an engine that has no room for ten seconds is trimmed past a host that lags, and not past both`() {
    var owner = Trimming()
    owner.pass(seconds: 10)
    owner.third = (owner.shell.replica.applied, isLost: false)
    let place = owner.shell.replica.applied.sequence
    owner.pass(seconds: 20)
    #expect(Set(owner.trims) == [place])
    owner.isFull = true
    owner.pass(seconds: 10)
    #expect(Set(owner.trims) == [place] && owner.shell.replica.standing == .owning)
    owner.pass(seconds: 11)
    #expect(owner.trims.last == owner.shell.replica.applied.sequence)
}

@Test func `a host that finds no room for its claim trims the log up to what another has, too`() {
    var shell = level()
    for _ in 0..<20 {
        shell.hearOther(shell.replica.trail.anchor(at: LogSequence(3)))
        shell.pass(.milliseconds(500))
    }
    #expect(shell.replica.standing == .claiming && !shell.has(.trim(to: LogSequence(3))))
    shell.tell(.full(behind: LogSequence(4)))
    shell.pass(.milliseconds(50))
    #expect(shell.has(.trim(to: LogSequence(3))))
    shell.effects = []
    shell.read(.claim(endpoints: []), reign: 2, by: Sample.hosts[1])
    shell.pass(.seconds(20))
    #expect(!shell.effects.contains { if case .trim = $0 { true } else { false } }, "there is room again, and an owner")
}

@Test func `an engine without room has a turn given up, and the owner stays`() {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    shell.tell(.full(behind: LogSequence(1)))
    #expect(shell.has(.settle(isKept: false)) && shell.replica.standing == .owning)
}

@Test func `an owner whose engine has no room asks again after a pause, and goes on when there is some`() {
    var shell = Shell.owner
    shell.pass(.seconds(1))
    let count = shell.appends.count
    #expect(shell.appends.last?.body == .beat)
    for round in 0..<3 {
        shell.tell(.full(behind: LogSequence(1)))
        for _ in 0..<9 { shell.pass(.milliseconds(20)) }
        #expect(shell.appends.count == count + round)
        shell.pass(.milliseconds(20))
        #expect(shell.appends.count == count + round + 1 && shell.appends.last?.body == .beat)
    }
    shell.land()
    #expect(shell.replica.door == .open)
    shell.pass(.seconds(1))
    #expect(shell.appends.count == count + 4, "its pace is that of beats again")
}

@Test func `a turn for which there is no room keeps no beat from being due`() {
    var shell = Shell.owner
    shell.pass(.milliseconds(990))
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    shell.tell(.full(behind: LogSequence(1)))
    shell.pass(.milliseconds(10))
    #expect(shell.appends.last?.body == .beat)
}

@Test func `a host that finds no room for its claim claims again after a pause`() {
    // An earlier process of it is the owner, so it need not wait for a silence.
    var shell = Shell(of: Sample.hosts[1], trail: level().replica.trail)
    shell.hearOther(of: Sample.hosts[0])
    shell.end(4)
    shell.pass(.milliseconds(50))
    #expect(shell.replica.standing == .claiming && shell.appends.count == 1)
    shell.tell(.full(behind: LogSequence(4)))
    shell.end(4)
    for _ in 0..<9 { shell.pass(.milliseconds(20)) }
    #expect(shell.replica.standing == .following && shell.appends.count == 1)
    shell.pass(.milliseconds(20))
    #expect(shell.replica.standing == .claiming && shell.appends.count == 2)
}

@Test(arguments: ["link", "reign", "host", "place", "claim"])
func `a record that may not stand behind the last one is not taken`(fault: String) {
    var shell = Shell.owner
    shell.read(.claim(endpoints: []), reign: 2, by: Sample.hosts[1])
    let (before, beat) = (shell.replica.read, LogRecord.Body.beat)
    switch fault {
    case "link": shell.read(beat, reign: 2, by: Sample.hosts[1], link: ChainLink(4))
    case "reign": shell.read(beat, reign: 1, by: Sample.hosts[1])
    case "host": shell.read(beat, reign: 2, by: Sample.hosts[2])
    case "place": shell.read(.turn(Sample.turn(7)), reign: 2, by: Sample.hosts[1], next: 8)
    default: shell.read(.claim(endpoints: []), reign: 2, by: Sample.hosts[2])
    }
    #expect(shell.replica.read == before && shell.has(.notice(.lost(.diverged))))
}

@Test func `a replica that is lost posts what it has again, then copies from who knows most`() {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn(0)), next: LogPosition(1)))
    shell.land()
    shell.read(.beat, reign: 5, by: Sample.hosts[1], link: ChainLink(4))
    #expect(shell.has(.salvage(from: LogPosition(0))))
    var anchor = shell.replica.applied
    (anchor.sequence, anchor.reign) = (LogSequence(9), Reign(5))
    shell.hearOther(anchor)
    shell.pass(.milliseconds(50))
    #expect(!shell.has(.copy(from: Sample.hosts[1])))
    shell.tell(.salvaged)
    shell.pass(.milliseconds(50))
    #expect(shell.has(.copy(from: Sample.hosts[1])))
    shell.tell(.copied(AnchorTrail(from: anchor), keys: [KeyNumber(1): Sample.key], wiped: .zero))
    #expect(shell.replica.standing == .joining && shell.replica.read == anchor && shell.replica.isWhole == false)
    shell.end(9)
    #expect(shell.replica.standing == .following && shell.replica.isWhole)
}

@Test func `a replica that the log begins behind is lost`() {
    var shell = Shell()
    shell.end(9, trimmed: 7)
    #expect(shell.has(.notice(.lost(.behind))))
}

@Test func `what a log has trimmed is forgotten when the log is seen to go on behind the journal`() {
    var shell = level()
    shell.end(4, trimmed: 3)
    #expect(shell.replica.trail.first.sequence == .zero)
    shell.read(.beat, reign: 1, by: Sample.hosts[1])
    #expect(shell.replica.trail.first.sequence == LogSequence(3))
}

@Test func `a host brings all back that an engine forgot, where others' records in their place are trimmed by now`() {
    var shell = level()
    shell.end(9, trimmed: 4)
    shell.read(.beat, reign: 2, by: Sample.hosts[2], link: ChainLink(7))
    #expect(shell.has(.notice(.lost(.diverged))) && shell.has(.salvage(from: LogPosition(0))))
}

/// A journal that has four records, as the log has.
private func level() -> Shell {
    var shell = forgotten()
    shell.end(4)
    return shell
}

/// A journal that has four records, of which the log has forgotten the last two.
private func forgotten(of host: HostID = Sample.hosts[0]) -> Shell {
    var trail = AnchorTrail()
    for place in 1...4 as ClosedRange<UInt64> {
        trail.append(
            LogAnchor(
                sequence: LogSequence(place), link: ChainLink(place + 99), reign: Reign(1), owner: Sample.hosts[1],
                next: LogPosition(Int64(place) - 1)))
    }
    var shell = Shell(of: host, trail: trail)
    shell.pass(.milliseconds(100))
    shell.hearOther()
    shell.end(2)
    return shell
}

@Test func `where an engine forgot, the longest journal hears others, claims, and brings its turns back`() {
    var shell = forgotten()
    // The rest of the log is compared with the journal.
    for place in 1...2 as ClosedRange<UInt64> {
        let record = Sample.record(.beat)
        shell.tell(.entry(LogEntry(sequence: LogSequence(place), record: record, link: ChainLink(place + 99))))
    }
    shell.end(2)
    for _ in 0..<9 {
        shell.pass(.milliseconds(500))
        shell.hearOther()
    }
    #expect(shell.appends.isEmpty)
    for _ in 0..<3 { shell.pass(.milliseconds(500)) }
    #expect(shell.appends.last?.head.link == ChainLink(101))
    shell.tell(.appended(behind: LogSequence(2), ChainLink(500)))
    #expect(shell.has(.restore(from: LogPosition(1))) && shell.replica.door == .wait)
    let turns = [1, 2].map { ReplayedTurn(Sample.turn($0), next: LogPosition($0 + 1)) }
    shell.tell(.surplus(turns))
    for _ in turns {
        shell.pass(.milliseconds(50))
        shell.land()
    }
    #expect(shell.appends.suffix(2).map(\.body) == turns.map { .turn($0.content) })
    #expect(shell.replica.door == .open && shell.replica.applied.next == LogPosition(3))
}

@Test func `where an engine forgot, a journal that is shorter than another waits`() {
    var shell = forgotten()
    for place in 1...2 as ClosedRange<UInt64> {
        shell.tell(
            .entry(LogEntry(sequence: LogSequence(place), record: Sample.record(.beat), link: ChainLink(place + 99))))
    }
    shell.end(2)
    var longer = shell.replica.applied
    longer.sequence = LogSequence(5)
    for _ in 0..<30 {
        shell.hearOther(longer)
        shell.pass(.milliseconds(500))
    }
    #expect(shell.appends.isEmpty)
}

@Test(arguments: [Sample.hosts[0], Sample.hosts[2]])
func `where an engine forgot, a host that is heard, has as much and does not claim is not waited for`(host: HostID) {
    var shell = forgotten(of: host)
    for place in 1...2 as ClosedRange<UInt64> {
        shell.tell(
            .entry(LogEntry(sequence: LogSequence(place), record: Sample.record(.beat), link: ChainLink(place + 99))))
    }
    shell.end(2)
    for _ in 0..<12 {
        shell.pass(.milliseconds(500))
        shell.hearOther()
    }
    #expect(shell.appends.count == 1 && shell.appends.last?.head.link == ChainLink(101))
}

@Test func `where an engine forgot and says something else now, the journal is another's`() {
    var shell = forgotten()
    shell.tell(.entry(LogEntry(sequence: LogSequence(1), record: Sample.record(.beat), link: ChainLink(4))))
    #expect(shell.has(.notice(.lost(.diverged))))
}

/// The same journal, after host b has claimed behind the rest of the log.
private func claimedByOther() -> Shell {
    var shell = forgotten()
    for place in 1...2 as ClosedRange<UInt64> {
        shell.tell(
            .entry(LogEntry(sequence: LogSequence(place), record: Sample.record(.beat), link: ChainLink(place + 99))))
    }
    let claim = Sample.record(
        .claim(endpoints: []), reign: 2, by: Sample.hosts[1], link: ChainLink(101), next: 1)
    shell.tell(.entry(LogEntry(sequence: LogSequence(3), record: claim, link: ChainLink(300))))
    return shell
}

@Test func `where an engine forgot and the host that claimed is gone before its claim is on a disk, another goes on`() {
    var shell = claimedByOther()
    #expect(!shell.replica.isLost && shell.replica.applied.sequence == LogSequence(3))
    shell.end(3)
    for _ in 0..<10 {
        shell.pass(.milliseconds(500))
        shell.hearOther()
    }
    #expect(shell.appends.last?.head.reign == Reign(3) && shell.appends.last?.head.link == ChainLink(300))
    shell.land()
    #expect(shell.has(.restore(from: LogPosition(1))) && shell.replica.standing == .owning)
    shell.pass(.seconds(1))
    #expect(shell.appends.last?.body != .beat, "who beats has brought everything back")
}

@Test func `where an engine forgot, a journal that has the turns that its owner brings back reads on`() {
    var shell = claimedByOther()
    let turns = [1, 2].map { ReplayedTurn(Sample.turn($0), next: LogPosition($0 + 1)) }
    func read(_ turn: ReplayedTurn) {
        shell.read(.turn(turn.content), reign: 2, by: Sample.hosts[1], next: turn.next.number)
    }
    read(turns[0])
    #expect(shell.has(.restore(from: LogPosition(1))))
    shell.tell(.surplus(turns))
    for turn in turns {
        read(turn)
        // An answer that is late.
        shell.tell(.surplus(turns))
    }
    let isThere = shell.effects.compactMap { if case .apply(_, _, let isThere) = $0 { isThere } else { nil } }
    #expect(isThere == [false, true, true])
    shell.end(5)
    #expect(shell.replica.standing == .following && shell.replica.isWhole)
}

@Test(arguments: [LogRecord.Body.beat, .turn(Sample.turn(1, count: 2))])
func `where an engine forgot and its owner says something else than the journal has, the surplus is salvaged`(
    body: LogRecord.Body
) {
    var shell = claimedByOther()
    shell.tell(.surplus([1, 2].map { ReplayedTurn(Sample.turn($0), next: LogPosition($0 + 1)) }))
    shell.read(body, reign: 2, by: Sample.hosts[1], next: body == .beat ? 1 : 3)
    #expect(shell.has(.notice(.lost(.surplus))) && shell.has(.salvage(from: LogPosition(0))))
}

@Test func `a log that is gone stops everybody, until an operator says which journal it goes on with`() {
    var shell = forgotten()
    shell.tell(.reset)
    #expect(shell.replica.standing == .stopped && shell.replica.door == .busy)
    for _ in 0..<30 { shell.pass(.milliseconds(500)) }
    #expect(shell.appends.isEmpty)
    shell.hearOther()
    shell.tell(.adopt)
    let begins = shell.has(.begin(after: LogSequence(4), inPlaceOf: nil))
    #expect(begins && shell.appends.last?.head.reign == Reign(2))
}

/// A journal whose trail begins at its third record, where the log was trimmed; the log ends at its second now.
private func shortened(seconds: Int, heard other: LogAnchor? = nil) -> Shell {
    func anchor(_ place: UInt64) -> LogAnchor {
        LogAnchor(
            sequence: LogSequence(place), link: ChainLink(place + 99), reign: Reign(1), owner: Sample.hosts[1],
            next: LogPosition(0))
    }
    var trail = AnchorTrail(from: anchor(3))
    trail.append(anchor(4))
    var shell = Shell(trail: trail)
    for _ in 0..<seconds * 2 {
        shell.hearOther(other)
        shell.end(2, trimmed: 1)
        shell.pass(.milliseconds(500))
    }
    return shell
}

@Test func `a log that ends before all that can be compared stops everybody, and goes when another begins`() {
    #expect(shortened(seconds: 4).replica.standing == .joining, "maybe it is an old answer")
    var shell = shortened(seconds: 20)
    #expect(shell.replica.standing == .stopped && shell.replica.door == .busy && shell.appends.isEmpty)
    #expect(shell.effects.count { $0 == .notice(.stopped) } == 1)
    shell.tell(.adopt)
    #expect(shell.has(.begin(after: LogSequence(4), inPlaceOf: LogSequence(2))))
    #expect(shell.appends.last?.head.link == ChainLink(103) && shell.appends.last?.head.reign == Reign(2))
    shell.land()
    #expect(shell.replica.door == .open)
}

@Test func `a host goes on with a log that has begun anew behind its journal, or is whole again`() {
    var shell = shortened(seconds: 20)
    shell.read(.claim(endpoints: []), reign: 2, by: Sample.hosts[1])
    shell.end(5, trimmed: 4)
    #expect(shell.replica.standing == .following && shell.replica.applied.sequence == LogSequence(5))
    var other = shortened(seconds: 20)
    other.end(4, trimmed: 3)
    #expect(other.replica.standing == .following)
}

@Test func `a host is lost where the log has begun anew behind a journal that is shorter than all it can compare`() {
    var claimed = LogAnchor.start
    (claimed.sequence, claimed.reign, claimed.owner) = (LogSequence(2), Reign(2), Sample.hosts[1])
    let shell = shortened(seconds: 20, heard: claimed)
    #expect(shell.has(.notice(.lost(.diverged))) && !shell.has(.notice(.stopped)))
    #expect(shell.has(.copy(from: Sample.hosts[1])))
}

@Test func `a replica that hears of more looks at the log at once, but at most each ten milliseconds`() {
    var shell = Shell()
    shell.hearOther()
    shell.end(0)
    shell.pass(.milliseconds(50))
    shell.effects = []
    let more = LogAnchor(
        sequence: LogSequence(1), link: ChainLink(1), reign: Reign(1), owner: Sample.hosts[1], next: LogPosition(0))
    shell.hearOther(more)
    shell.pass(.milliseconds(9))
    #expect(!shell.has(.read(after: LogSequence(0))))
    shell.pass(.milliseconds(1))
    #expect(shell.has(.read(after: LogSequence(0))))
    // The position of the other host is known by now.
    shell.effects = []
    shell.hearOther()
    shell.pass(.milliseconds(49))
    #expect(!shell.has(.read(after: LogSequence(0))))
}

@Test func `an owner tells the others of a turn when it is on its disk`() throws {
    var shell = Shell.owner
    shell.effects = []
    shell.tell(.proposed(.turn(Sample.turn()), next: LogPosition(1)))
    shell.land()
    #expect(shell.has(.tell(shell.replica.mark)) && shell.replica.mark.anchor.next == LogPosition(1))
}

@Test func `an owner whose append landed unanswered, and another's claim behind it, owns nothing any more`() throws {
    var shell = Shell.owner
    shell.tell(.proposed(.turn(Sample.turn()), next: LogPosition(1)))
    let own = try #require(shell.appends.last)
    let base = shell.replica.read.sequence
    // The engine does not answer; when it is heard again, the place is taken, and a read brings both.
    shell.tell(.refused(behind: base))
    shell.effects = []
    shell.tell(.entry(LogEntry(sequence: base.next, record: own, link: ChainLink(200))))
    shell.read(.claim(endpoints: []), reign: 9, by: Sample.hosts[1])
    #expect(shell.replica.standing == .joining && shell.replica.door == .elsewhere(Sample.hosts[1]))
    #expect(shell.has(.settle(isKept: true)) && shell.has(.notice(.deposed)))
    let count = shell.appends.count
    shell.tell(.proposed(.turn(Sample.turn(1)), next: LogPosition(2)))
    shell.pass(.seconds(2))
    #expect(shell.appends.count == count)
}

@Test func `nobody claims behind the last reign that a record may have`() throws {
    var shell = Shell()
    var anchor = LogAnchor.start
    anchor.reign = .most
    anchor.owner = Sample.hosts[1]
    shell.end(0)
    shell.hearOther(anchor)
    for _ in 0..<40 { shell.pass(.milliseconds(500)) }
    #expect(shell.appends.isEmpty && shell.replica.standing == .following)
}
