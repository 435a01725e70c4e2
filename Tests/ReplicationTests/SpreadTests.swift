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

@Test func `a gift that fails is tried again soon, with another partition`() {
    var spread = Spread(of: a, among: hosts, at: .start)
    var gifts: [(Int, Int)] = []
    for time in 0...70 {
        if let gift = spread.gift(of: parts("aaa", seenBy: a), at: second(time)) {
            gifts.append((time, Int(gift.partition.number)))
        }
    }
    #expect(gifts.map(\.0) == [60, 63, 66, 69])
    #expect(gifts.map(\.1) == [0, 1, 2, 0])
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
