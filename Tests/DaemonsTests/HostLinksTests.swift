import Names
import Replication
import TestSupport
import Testing
import Transport

@testable import Daemons

@Test func `a host that has another number of partitions is not heard, as its words mean something else`() throws {
    let names = try ["a", "b", "c"].map { try HostID($0) }
    let port = try Ports.row(of: 3)
    let hosts = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, "tcp://127.0.0.1:\(port + $0)") })
    func links(_ index: Int, partitions: Int) throws -> HostLinks {
        var place = ClusterPlace(name: "test", host: names[index], hosts: hosts) { throw CancellationError() }
        place.partitions = partitions
        return try HostLinks(place, access: Access())
    }
    let own = try links(0, partitions: 12)
    let other = try links(1, partitions: 6)
    let same = try links(2, partitions: 12)
    var heard: [HostID] = []
    let end = ContinuousClock.now + patience
    while heard.count < 20 {
        try #require(.now < end, "nobody is heard")
        try other.say(.count(1), to: names[0])
        try same.say(.count(2), to: names[0])
        _ = try wait(for: own.sources, atMost: .milliseconds(5))
        heard += try own.takeWords().map(\.word.host)
    }
    #expect(heard.allSatisfy { $0 == names[2] })
}
