import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

extension PlainRows {
    fileprivate mutating func told(_ conversation: String) throws -> [String]? {
        try rows(of: conversation)?.map { "\($0.message) \($0.order)" }
    }
}

@Test func `an audit finds every row in its order, whatever places, changes and blocks say of it`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled([
        try ShardSample.laidOut(1, job: 1, order: 30), try ShardSample.laidOut(2, job: 2, order: -10),
        try ShardSample.laidOut(3, job: 3, conversation: "d", order: 20),
        try ShardSample.laidOut(4, job: 4, order: 20),
    ])
    _ = try shard.commit([try ShardSample.change(4, job: 5, .removed)], under: bench.epoch)
    var rows = PlainRows(of: bench.edition, in: bench.folder)
    #expect(try rows.told("c") == ["m2 -10", "m1 30"])
    #expect(try rows.told("d") == ["m3 20"])
    #expect(try rows.told("e") == [])
    // Nothing of what gateways look a row up by is needed, and a conversation that is asked for again is read anew.
    try shard.rows.tables.database.execute("DELETE FROM places; DELETE FROM changes; DELETE FROM blocks")
    #expect(try rows.told("c") == ["m2 -10", "m1 30"])
    try shard.rows.tables.database.execute("DELETE FROM rows WHERE number = 2")
    #expect(try rows.told("c") == ["m1 30"])
}

@Test func `an audit tells heads that cannot be read from rows that are not there`() throws {
    let bench = try ShardBench()
    let shard = try bench.filled([try ShardSample.laidOut(1, job: 1), try ShardSample.laidOut(2, job: 2)])
    try shard.rows.tables.database.execute("UPDATE rows SET head = substr(head, 1, 14) WHERE number = 2")
    var rows = PlainRows(of: bench.edition, in: bench.folder)
    #expect(try rows.told("c") == nil)
    try shard.rows.tables.database.execute("DELETE FROM rows WHERE number = 2")
    #expect(try rows.told("c") == ["m1 1"])
}
