import Pool
import Replication
import Testing
import Wire

@Test func `an owner that makes way hands its log over, and says that nobody is to count on its journal`() {
    var shell = Shell.owner
    shell.tell(.makeWay)
    #expect(shell.has(.call(Sample.hosts[1], end: LogSequence(1))))
    let mark = shell.replica.mark
    #expect(shell.has(.tell(mark)) && mark.isLost && mark.makesWay && !shell.replica.isLost)
}

@Test func `an owner that makes way offers its log each half minute, and takes turns meanwhile`() {
    var shell = Shell.owner
    var open = 0
    for _ in 0..<400 {
        shell.tell(.makeWay)
        shell.pass(.milliseconds(100))
        shell.land()
        shell.hearOther()
        if shell.replica.door == .open { open += 1 }
    }
    let offers = shell.count { if case .call = $0 { true } else { false } }
    #expect(offers == 2 && open > 350)
}

@Test func `a host that makes way leaves a claim to another one for ten seconds, and claims then`() {
    var shell = Shell.follower()
    shell.tell(.makeWay)
    func pass(_ halves: Int) {
        for _ in 0..<halves {
            shell.pass(.milliseconds(500))
            shell.hearOther()
        }
    }
    pass(24)
    #expect(shell.appends.isEmpty)
    pass(4)
    #expect(shell.replica.standing == .claiming, "the other one may not reach the engine")
}

@Test(arguments: [true, false])
func `a host that makes way claims as any other does when those that could are gone, or lost`(isHeard: Bool) {
    var shell = Shell.follower()
    shell.tell(.makeWay)
    for _ in 0..<8 {
        shell.pass(.milliseconds(500))
        if isHeard { shell.hearOther(isLost: true) }
    }
    #expect(shell.replica.standing == .claiming)
}

@Test func `a host that makes way does not claim when it is called`() {
    var shell = Shell.follower()
    shell.tell(.makeWay)
    shell.tell(.called(LogSequence(1)))
    shell.pass(.milliseconds(20))
    #expect(shell.appends.isEmpty && shell.replica.standing == .following)
}

@Test func `a host that is not told for a minute to make way is one like the others again`() {
    var shell = Shell.follower()
    shell.tell(.makeWay)
    for second in 1...61 {
        shell.pass(.seconds(1))
        shell.read(.beat, reign: 1, by: Sample.hosts[1])
        shell.hearOther()
        #expect(shell.replica.mark.isLost == (second <= 60))
    }
    for _ in 0..<8 {
        shell.pass(.milliseconds(500))
        shell.hearOther()
    }
    #expect(shell.replica.standing == .claiming)
}

@Test func `a host whose journal has what the log lacks makes no way`() {
    for isGone in [true, false] {
        var shell = Shell.follower()
        shell.tell(.makeWay)
        #expect(shell.replica.mark.makesWay)
        if isGone { shell.tell(.reset) } else { shell.end(0) }
        #expect(!shell.replica.mark.isLost)
        shell.tell(.makeWay)
        #expect(!shell.replica.mark.isLost)
    }
}

@Test func `nobody counts on the journal of a lost host until it has copied another one`() {
    var shell = Shell.follower()
    shell.lose()
    for _ in 0..<100 {
        shell.pass(.seconds(1))
        shell.hearOther()
    }
    #expect(shell.replica.mark.isLost && !shell.replica.mark.makesWay)
    shell.tell(
        .copied(AnchorTrail(from: shell.replica.applied), keys: [KeyNumber(1): Sample.key], wiped: .zero))
    #expect(!shell.replica.mark.isLost)
}

@Test(arguments: [(false, false), (true, false), (true, true)])
func `a mark says of its journal whether it is lost or makes way`(isLost: Bool, makesWay: Bool) throws {
    let anchor = LogAnchor(
        sequence: LogSequence(7), link: ChainLink(8), reign: Reign(2), owner: Sample.hosts[1], next: LogPosition(40))
    let mark = Mark(
        host: Sample.hosts[0], partition: Partition(3), anchor: anchor, keys: [KeyNumber(6)], wiped: KeyNumber(5),
        isLost: isLost, makesWay: makesWay)
    var writer = ByteWriter()
    mark.write(to: &writer)
    var reader = ByteReader(writer.bytes)
    let read = try Mark(of: Sample.hosts[0], from: &reader)
    try reader.end()
    #expect(read == mark)
}

@Test func `a host past whose journal the log was trimmed counts for a moment, and makes way anew`() {
    var shell = Shell.follower()
    shell.read(.beat, reign: 1, by: Sample.hosts[1])
    shell.tell(.makeWay)
    shell.read(.beat, reign: 1, by: Sample.hosts[1])
    shell.end(3, trimmed: 2)
    shell.tell(.makeWay)
    #expect(shell.replica.mark.makesWay)
    shell.end(3, trimmed: 3)
    shell.tell(.makeWay)
    let mark = shell.replica.mark
    #expect(!mark.isLost && shell.effects.last == .tell(mark))
    shell.tell(.makeWay)
    #expect(shell.replica.mark.makesWay)
}
