import Names
import Pool
import TestSupport
import Testing

@testable import Replication

private let (b, c) = (Sample.hosts[1], Sample.hosts[2])

/// Host a with the logs of three partitions in one journal. Host b owns them all.
private struct Logs {
    var shells = (0..<3).map { Shell.follower(of: Partition(UInt16($0))) }

    /// - Parameter lost: the logs that cannot go on here.
    init(lost: Set<Int>) {
        for place in lost { shells[place].lose() }
    }

    var journal: SharedJournal { SharedJournal(of: shells.map(\.replica)) }
    var now: Moment { shells[0].now }

    /// Tells that a host has what this one has, but for logs that are lost there.
    mutating func hear(_ host: HostID, lost: Set<Int> = [], makingWay: Set<Int> = []) {
        for place in shells.indices {
            shells[place].hearOther(
                isLost: lost.contains(place), makesWay: makingWay.contains(place), of: host)
        }
    }

    mutating func makeWay() {
        for place in shells.indices { shells[place].tell(.makeWay) }
    }

    /// Passes seconds in which the owner is there, and host c has all logs.
    mutating func live(seconds: Int, isMakingWay: Bool = false) {
        for _ in 0..<seconds {
            for place in shells.indices {
                shells[place].pass(.seconds(1))
                if !shells[place].replica.isLost { shells[place].read(.beat, reign: 1, by: b) }
            }
            hear(c)
            if isMakingWay { makeWay() }
        }
    }

    /// A journal with a lost log that makes way, and a copy of which is asked for now.
    static var copying: Logs {
        var logs = Logs(lost: [0])
        logs.hear(c)
        logs.makeWay()
        return logs
    }
}

@Test func `hosts that have lost different logs copy nothing of each other, and make no way`() {
    var logs = Logs(lost: [0])
    logs.hear(b, lost: [1])
    logs.hear(c, lost: [2])
    #expect(logs.journal.step == .wait)
    #expect(!logs.journal.isGiven(to: b) && !logs.journal.isGiven(to: c))
}

@Test func `a host with all logs gives a copy when others own those that go on, and there is none of a silent one`() {
    var logs = Logs(lost: [0])
    #expect(logs.journal.step == .wait)
    logs.hear(b, lost: [1])
    logs.hear(c)
    #expect(logs.journal.step == .makeWay)
    logs.makeWay()
    #expect(logs.journal.step == .copy(from: c))
    for place in logs.shells.indices { logs.shells[place].pass(.milliseconds(2100)) }
    #expect(logs.journal.step == .wait)
}

@Test func `a host that has lost a log, too, gives a copy where none has more`() {
    var logs = Logs(lost: [0, 1])
    logs.hear(b, lost: [1])
    logs.makeWay()
    #expect(logs.journal.step == .copy(from: b))
    logs.hear(c)
    #expect(logs.journal.step == .copy(from: c))
}

@Test(
    arguments: [
        ([], [0], [], true), ([], [], [], true), ([0], [1], [], false), ([0], [0, 1], [], true), ([0], [0], [], false),
        ([0], [1], [0], false), ([0, 1, 2], [0, 1, 2], [], false), ([0], [0, 1, 2], [], true),
    ] as [(Set<Int>, Set<Int>, Set<Int>, Bool)])
func `a copy is given to a host that has none of the logs which are lost here, and gets one more`(
    own: Set<Int>, theirs: Set<Int>, makingWay: Set<Int>, isGiven: Bool
) {
    var logs = Logs(lost: own)
    logs.hear(b, lost: theirs, makingWay: makingWay)
    #expect(logs.journal.isGiven(to: b) == isGiven)
}

@Test func `a copy begins when the other host has all that others may take this one to have`() {
    var logs = Logs(lost: [0])
    logs.hear(c)
    logs.shells[2].read(.beat, reign: 1, by: b)
    logs.makeWay()
    #expect(logs.journal.step == .makeWay, "it lacks the last record")
    logs.hear(c)
    #expect(logs.journal.step == .copy(from: c))
}

@Test func `a copy begins when all events of lost logs are posted again`() {
    var logs = Logs(lost: [0])
    logs.shells[1].read(.turn(Sample.turn(0)), reign: 1, by: b, next: 1)
    logs.shells[1].lose()
    logs.hear(c)
    #expect(logs.journal.step == .wait)
    logs.shells[1].tell(.salvaged)
    #expect(logs.journal.step == .makeWay)
}

@Test func `a copy is taken while this host makes way, however long it takes`() {
    var logs = Logs.copying
    let start = logs.now
    #expect(logs.journal.fate(ofCopyFrom: start) == .taken)
    logs.live(seconds: 200, isMakingWay: true)
    #expect(logs.journal.fate(ofCopyFrom: start) == .taken)
}

@Test func `a copy is dropped where others counted on this journal after it was asked for`() {
    var logs = Logs.copying
    let start = logs.now
    logs.live(seconds: 61)
    #expect(logs.journal.fate(ofCopyFrom: start) == .dropped)
    logs.makeWay()
    #expect(logs.journal.fate(ofCopyFrom: start) == .dropped)
    #expect(logs.journal.fate(ofCopyFrom: logs.now) == .taken)
}

@Test func `a copy is dropped where another log was lost after others counted on it again`() {
    var logs = Logs.copying
    let start = logs.now
    logs.live(seconds: 61)
    logs.shells[1].lose()
    logs.makeWay()
    #expect(logs.journal.fate(ofCopyFrom: start) == .dropped)
}

@Test func `a copy is dropped when a log that goes on here was trimmed past it`() {
    var logs = Logs.copying
    logs.live(seconds: 5)
    let place = logs.shells[2].replica.read.sequence.number
    logs.shells[2].end(place, trimmed: 1)
    #expect(logs.journal.fate(ofCopyFrom: .start) == .taken)
    logs.shells[2].end(place, trimmed: 2)
    #expect(logs.journal.fate(ofCopyFrom: .start) == .dropped)
}

@Test func `a copy is kept while events of another lost log are posted again`() {
    var logs = Logs.copying
    logs.shells[1].read(.turn(Sample.turn(0)), reign: 1, by: b, next: 1)
    logs.shells[1].lose()
    #expect(logs.journal.fate(ofCopyFrom: .start) == .kept)
    logs.shells[1].tell(.salvaged)
    #expect(logs.journal.fate(ofCopyFrom: .start) == .taken)
}

@Test func `a journal is given up for one that has each log which goes on here, and one more; and for none else`() {
    func subset(_ random: inout some RandomNumberGenerator) -> Set<Int> {
        Set((0..<3).filter { _ in Bool.random(using: &random) })
    }
    forEachSeed(200) { random in
        let (own, ofB, ofC) = (subset(&random), subset(&random), subset(&random))
        var logs = Logs(lost: own)
        logs.hear(b, lost: ofB)
        logs.hear(c, lost: ofC)
        let isWaiting = logs.journal.step == .wait
        logs.makeWay()
        switch logs.journal.step {
        case .copy(let host): return !isWaiting && (host == b ? ofB : ofC).isStrictSubset(of: own)
        case .wait: return isWaiting && !ofB.isStrictSubset(of: own) && !ofC.isStrictSubset(of: own)
        case .makeWay: return false
        }
    }
}

@Test func `a copy begins when this host makes way anew, where a log was trimmed past the record before that`() {
    var logs = Logs.copying
    logs.shells[2].read(.beat, reign: 1, by: b)
    let place = logs.shells[2].replica.read.sequence.number
    logs.shells[2].end(place, trimmed: place)
    logs.hear(c)
    #expect(logs.journal.step == .makeWay)
    logs.makeWay()
    #expect(logs.journal.step == .makeWay, "others count on it for a moment")
    logs.makeWay()
    #expect(logs.journal.step == .copy(from: c))
    #expect(logs.journal.fate(ofCopyFrom: logs.now) == .taken)
}
