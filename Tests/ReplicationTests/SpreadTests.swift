import Names
import Pool
import TestSupport
import Testing

@testable import Replication

private let hosts = ["a", "b", "c"].map { try! HostID($0) }
private let (a, b, c) = (hosts[0], hosts[1], hosts[2])

private func second(_ number: Int) -> Moment { .start + .seconds(number) }

/// Partitions with these owners, as one of them sees them.
private func parts(_ owners: String, seenBy host: HostID, able: Set<HostID> = Set(hosts)) -> [Spread.Part] {
    owners.map { name in
        let owner = hosts.first { $0.text == String(name) }
        return Spread.Part(owner: owner, isFree: owner == host, able: able.subtracting([host]))
    }
}

/// Has a host look at the same owners each second, and returns its first gift and when it came.
private func first(
    of host: HostID, _ owners: String, able: Set<HostID> = Set(hosts), within seconds: Int = 200
) -> (gift: Spread.Gift, at: Int)? {
    var spread = Spread(of: host, among: hosts, at: .start)
    for time in 0...seconds {
        if let gift = spread.gift(of: parts(owners, seenBy: host, able: able), at: second(time)) { return (gift, time) }
    }
    return nil
}

@Test(
    arguments: [
        ("aaa", "a", "b"), ("aab", "a", "c"), ("abab", "a", "c"), ("bbb", "b", "a"), ("aabb", "b", nil),
        ("abc", "a", nil),
        ("aabc", "a", nil), ("aab", "b", nil), ("aab", "c", nil), ("aa-", "a", nil),
    ] as [(String, String, String?)])
func `the first of the hosts that own most gives to the one that owns fewest, if that is two fewer`(
    owners: String, host: String, heir: String?
) throws {
    let gift = first(of: try HostID(host), owners)?.gift
    #expect(gift?.heir.text == heir)
    if let gift {
        let given = Array(owners)[Int(gift.partition.number)]
        #expect(String(given) == host)
    }
}

@Test func `nothing is given to a host before it has been able for a minute, nor by one that has just started`() {
    var spread = Spread(of: a, among: hosts, at: .start)
    var given: [Int] = []
    for time in 0...300 {
        // One host was never there, and the other comes, and is away for a moment.
        let able: Set<HostID> = (100...110).contains(time) || time >= 113 ? [b] : []
        if spread.gift(of: parts("aaa", seenBy: a, able: able), at: second(time)) != nil { given.append(time) }
    }
    #expect(given.first == 173)
    #expect(first(of: a, "aaa")?.at == 60)
}

@Test func `a host that takes no gift is asked a minute later, with another partition, and others meanwhile`() {
    var spread = Spread(of: a, among: hosts, at: .start)
    var gifts: [(time: Int, partition: Int, heir: HostID)] = []
    for time in 0...190 {
        if let gift = spread.gift(of: parts("aaa", seenBy: a), at: second(time)) {
            gifts.append((time, Int(gift.partition.number), gift.heir))
        }
    }
    #expect(gifts.map(\.time) == [60, 63, 123, 126, 186, 189])
    #expect(gifts.map(\.partition) == [0, 1, 2, 0, 1, 2])
    #expect(gifts.map(\.heir) == [b, c, b, c, b, c])
}

@Test func `a host that is not able takes no part, however much it owns`() {
    // Host c is lost in a partition of another one.
    let gift = first(of: a, "ccccaaa", able: [b])
    #expect(gift?.gift.heir == b && gift?.at == 60)
}

@Test func `a gift that is taken is over, and the same change is an operator's later`() {
    var spread = Spread(of: a, among: hosts, at: .start)
    var gifts: [Int] = []
    for time in 0...200 {
        // The first partition goes to host b, and back, and to host b once more.
        let owners = (61...70).contains(time) || time > 80 ? "baa" : "aaa"
        let seen = parts(owners, seenBy: a, able: time > 75 ? [b, c] : [b])
        if spread.gift(of: seen, at: second(time)) != nil { gifts.append(time) }
    }
    #expect(gifts == [60, 141])
}

@Test func `nothing is given for a minute after an owner changed for another reason`() {
    var spread = Spread(of: a, among: hosts, at: .start)
    var given: Int?
    for time in 0...200 where given == nil {
        // An operator moves the third partition.
        if spread.gift(of: parts(time < 50 ? "abc" : "aba", seenBy: a), at: second(time)) != nil { given = time }
    }
    #expect(given == 110)
}

@Test func `hosts come to own about as many, and then nobody gives anything`() {
    forEachSeed(50) { random in
        let count = Int.random(in: 1...12, using: &random)
        var owners = (0..<count).map { _ in hosts.randomElement(using: &random)! }
        var spreads = hosts.map { Spread(of: $0, among: hosts, at: .start) }
        var last = 0
        for time in stride(from: 0, through: 3000, by: 5) {
            let seen = owners
            for (place, host) in hosts.enumerated() {
                let parts = seen.map {
                    Spread.Part(owner: $0, isFree: $0 == host, able: Set(hosts).subtracting([host]))
                }
                guard let gift = spreads[place].gift(of: parts, at: second(time)) else { continue }
                last = time
                if Int.random(in: 0..<4, using: &random) > 0 { owners[Int(gift.partition.number)] = gift.heir }
            }
        }
        let owned = hosts.map { host in owners.count { $0 == host } }
        return owned.max()! - owned.min()! <= 1 && last < 2000
    }
}

/// Hosts that see each other, and owners a moment late; they come and go, and an operator gives what he likes.
private struct SpreadWorld {
    var owners: [HostID]
    var (there, deaf): (Set<HostID>, Set<HostID>) = (Set(hosts), [])
    private var spreads = Dictionary(uniqueKeysWithValues: hosts.map { ($0, Spread(of: $0, among: hosts, at: .start)) })
    private var seen: [HostID: [HostID]] = [:]
    /// The times of gifts that were taken.
    private(set) var gifts: [Int] = []

    init(_ owners: [HostID]) { self.owners = owners }

    /// Lets something happen that is no gift.
    mutating func disturb(at time: Int, using random: inout SplitMix64) {
        let host = hosts.randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where there.count > 1:
            there.remove(host)
            let others = hosts.filter(there.contains)
            for place in owners.indices where owners[place] == host {
                owners[place] = others.randomElement(using: &random)!
            }
        case 1:
            there.insert(host)
            spreads[host] = Spread(of: host, among: hosts, at: second(time))
        case 2: if there.contains(host) { owners[owners.indices.randomElement(using: &random)!] = host }
        default: deaf.formSymmetricDifference([host])
        }
    }

    mutating func look(at time: Int, using random: inout SplitMix64) {
        for host in hosts where there.contains(host) {
            if Int.random(in: 0..<4, using: &random) > 0 || seen[host] == nil { seen[host] = owners }
            let parts = seen[host]!.map {
                Spread.Part(owner: $0, isFree: $0 == host, able: there.subtracting([host]))
            }
            guard let gift = spreads[host]!.gift(of: parts, at: second(time)) else { continue }
            let place = Int(gift.partition.number)
            // The log lets nobody give what is another's, and a host that hears nothing claims nothing.
            guard owners[place] == host, there.contains(gift.heir), !deaf.contains(gift.heir) else { continue }
            gifts.append(time)
            owners[place] = gift.heir
        }
    }

    func owned(by host: HostID) -> Int { owners.count { $0 == host } }

    func isEven(among some: Set<HostID>) -> Bool {
        let counts = some.map { owned(by: $0) }
        return counts.max()! - counts.min()! <= 1
    }
}

@Test func `whatever has happened, hosts come to own about as many, and give nothing to and fro`() {
    forEachSeed(20) { random in
        let count = Int.random(in: 1...12, using: &random)
        var world = SpreadWorld((0..<count).map { _ in hosts.randomElement(using: &random)! })
        for time in stride(from: 0, to: 1000, by: 5) {
            if Int.random(in: 0..<20, using: &random) == 0 { world.disturb(at: time, using: &random) }
            world.look(at: time, using: &random)
        }
        (world.there, world.deaf) = (Set(hosts), [])
        for time in stride(from: 1000, to: 3000, by: 5) { world.look(at: time, using: &random) }
        let late = world.gifts.filter { $0 >= 1000 }
        return world.isEven(among: Set(hosts)) && late.count <= 2 * count && late.allSatisfy { $0 < 2500 }
    }
}

@Test func `hosts that are there come to own about as many beside one that takes nothing, or is gone`() {
    forEachSeed(10) { random in
        let count = Int.random(in: 2...12, using: &random)
        var world = SpreadWorld((0..<count).map { _ in [a, b].randomElement(using: &random)! })
        if Bool.random(using: &random) { world.deaf = [c] } else { world.there = [a, b] }
        for time in stride(from: 0, to: 1500, by: 5) { world.look(at: time, using: &random) }
        return world.isEven(among: [a, b]) && world.owned(by: c) == 0 && world.gifts.allSatisfy { $0 < 1000 }
    }
}

@Test func `a host is able that has not read the last claim yet, and a lost one knows no owner`() {
    var shell = Shell.follower()
    let before = shell.replica.applied
    shell.read(.claim(endpoints: []), reign: 2, by: c)
    shell.hearOther(before)
    let part = Spread.Part(shell.replica)
    #expect(part.owner == c && part.able == [b] && !part.isFree)
    shell.lose()
    #expect(Spread.Part(shell.replica).owner == nil)
    shell.hearOther(makesWay: true)
    #expect(Spread.Part(shell.replica).able.isEmpty)
}

@Test func `an owner that cannot append gives nothing away`() {
    var shell = Shell.owner
    #expect(Spread.Part(shell.replica).isFree)
    shell.pass(.milliseconds(2100))
    #expect(!Spread.Part(shell.replica).isFree)
}
