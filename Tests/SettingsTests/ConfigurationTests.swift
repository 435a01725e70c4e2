import Foundation
import JSON
import Operations
import TestSupport
import Testing
import Wire

@testable import Settings

private func configuration(_ text: String) throws -> Configuration {
    try Configuration(Array(text.utf8), from: "forme.json5")
}

@Test func `the file that comes with Forme says what is true without it`() throws {
    let bytes = Array(try Data(contentsOf: Project.file("config/forme.json5")))
    #expect(try Configuration(bytes, from: "forme.json5") == Configuration())
    #expect(try configuration("{}") == Configuration())
}

@Test(arguments: [
    ("{\n  colour: 1,\n}", "forme.json5:2:3: colour: unknown; known are data, listen, workers"),
    ("{ workers: 0 }", "forme.json5:1:12: workers: expected 1...256, found 0"),
    ("{ data: '' }", "forme.json5:1:9: data: expected a path, found ''"),
    ("{ listen: '7300' }", "listen: expected 'folder' or HOST:PORT, such as '127.0.0.1:7300', found '7300'"),
    ("{ listen: 'a:65533' }", "listen: expected a port of 65531 at most, as five are taken from it on"),
    ("{ listen: { event: 'folder' } }", "listen.event: unknown; known are events, workers, ready, fetch"),
    ("{ durability: 'none' }", "durability: expected 'process' or 'full', found 'none'"),
    ("{ shards: 1.5 }", "shards: expected 1...256, found 1.5"),
    ("{ limits: { messageBytes: 16385 } }", "limits.messageBytes: expected 1...16384, found 16385"),
    ("{ limits: { eventsPerRequest: 'many' } }", "limits.eventsPerRequest: expected 1...1024, found 'many'"),
    (
        "{ retention: { content: 'never' } }",
        "retention.content: expected 'forever', 'none after layout' or { days: … }"
    ),
    ("{ retention: { content: {} } }", "retention.content: 'days' is missing"),
    ("{ cluster: 'chat' }", "cluster: expected 'off' or { name: …, host: …, engine: […], hosts: { … } }, found 'chat'"),
    ("{ cluster: { name: 'chat', host: 'a', engine: [] } }", "cluster: 'hosts' is missing"),
    (
        "{ cluster: { name: 'chat', host: 'd', engine: ['http://127.0.0.1:2379'], hosts: { a: '127.0.0.1:7400' } } }",
        "the host 'd' is none of a, which the cluster has"
    ),
    (
        "{ retention: { layouts: { weeks: 1 } } }",
        "retention.layouts.weeks: unknown; known are days, messages, megabytes"
    ),
    (
        "{ security: { plainTransport: true } }",
        "security.plainTransport: expected 'refused' or 'I accept that anyone on"
    ),
    (
        "{ http: { plainTransport: 'I accept that anyone on this network can read and write every message' } }",
        "http.plainTransport"
    ),
    ("{ security: { gatewayGroup: '' } }", "security.gatewayGroup: expected the name of a group, found ''"),
    ("{ http: { connections: 1 } }", "http.connections: expected 16...1048576, found 1"),
    ("{ http: { tokenDays: 0 } }", "http.tokenDays: expected 1...36500, found 0"),
    ("{ http: { proxy: 1 } }", "http.proxy"),
    ("{ http: { proxies: ['10.0.0.1'] } }", "http.proxies: expected none, or http.proxy: true"),
    ("{ log: { level: 'loud' } }", "log.level: expected 'error' or 'warning' or 'info' or 'debug', found 'loud'"),
    ("{ workers: 1, workers: 2 }", "forme.json5:1:15: 'workers' is there twice"),
    ("{ workers: 1", "expected ',' or '}', found the end of the text"),
])
func `what cannot be is told with file, line, column and what was expected`(text: String, sentence: String) {
    #expect(performing: { try configuration(text) }, throws: { "\($0)".contains(sentence) })
}

@Test func `a folder has one file for each processor, two at least and sixty-four at most, where nothing else is said`()
    throws
{
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    #expect([1, 2, 3, 16, 64, 96].map(Configuration.shards(forProcessors:)) == [2, 2, 3, 16, 64, 64])
    let plain = try configuration("{}")
    #expect(plain.shards == Configuration.shards(forProcessors: processors) && plain.files == plain.shards)
    #expect(try configuration("{ shards: 8 }").files == 8)
}

@Test func `what is printed is read again as the same`() throws {
    let text = """
        {
          data: "d", listen: { events: "0.0.0.0:7300", fetch: "h:1" }, workers: 7, style: "s", fonts: "f",
          durability: "process", shards: 4,
          limits: { messageBytes: 1, textBytes: 2, eventsPerRequest: 3, conversationsPerConnection: 4, eventsInFlight: 5 },
          retention: { content: { days: 30 }, layouts: { days: 1, messages: 2, megabytes: 3 } },
          security: { keys: "k", key: "y", plainTransport: "\(Configuration.plainAccepted)" },
          http: { listen: "0.0.0.0:80", proxy: true, proxies: ["10.0.0.0/8"], plainTransport: "\(Configuration.Web.plainAccepted)",
            withoutTokens: "\(Configuration.Web.readingAccepted)", connections: 20, connectionsPerAddress: 9,
            firstHeadSeconds: 3, streamsPerSubject: 5, tokenDays: 7, pages: true },
          log: { format: "json", level: "debug" },
        }
        """
    let chosen = try configuration(text)
    #expect(chosen.security.mayBePlain && chosen.log.level == .debug && chosen.limits.eventsInFlight == 5)
    for one in [chosen, Configuration(), try configuration("{ listen: '127.0.0.1:7300' }")] {
        #expect(try configuration(one.json.indented()) == one)
    }
    #expect(try configuration("{ retention: { content: 'none after layout' } }").retention.content == .noneAfterLayout)
}

@Test func `every setting that differs is told by its name, with what it was and is`() throws {
    let before = try configuration("{ workers: 2, log: { level: 'info' }, listen: 'folder', security: { keys: 'a' } }")
    let after = try configuration(
        "{ workers: 4, log: { level: 'debug' }, listen: { fetch: '127.0.0.1:7300' }, retention: { content: { days: 3 } } }"
    )
    #expect(before.changes(to: before).isEmpty)
    let changes = before.changes(to: after)
    #expect(
        Set(changes.map(\.description)) == [
            "workers: 2 → 4, at the next start",
            "listen: \"folder\" → not set, at the next start",
            "listen.events: not set → \"folder\", at the next start",
            "listen.workers: not set → \"folder\", at the next start",
            "listen.ready: not set → \"folder\", at the next start",
            "listen.operators: not set → \"folder\", at the next start",
            "listen.fetch: not set → \"127.0.0.1:7300\", at the next start",
            "retention.content: \"forever\" → not set",
            "retention.content.days: not set → 3",
            "security.keys: \"a\" → not set, at the next start",
            "log.level: \"info\" → \"debug\"",
        ])
    #expect(changes.count == 11)
}

@Test func `sockets are in the folder, on four ports, or each where it was put`() throws {
    let folder = Endpoints(folder: "d")
    #expect(try configuration("{ listen: 'folder' }").listen.endpoints(folder: "d") == folder)
    #expect(
        try configuration("{ listen: 'h:7300' }").listen.endpoints(folder: "d") == Endpoints(hostAndPort: "h:7300"))
    var mixed = folder
    mixed.fetch = "tcp://h:1"
    #expect(try configuration("{ listen: { fetch: 'h:1', events: 'folder' } }").listen.endpoints(folder: "d") == mixed)
}

@Test(
    arguments: [
        (nil, nil), ("", "the name of a cluster has small letters, digits and dashes, not ''"),
        ("Chat", "the name of a cluster has small letters"),
    ] as [(String?, String?)])
func `a cluster has a name that an engine can keep`(name: String?, objection: String?) {
    let cluster = ClusterSettings(
        name: name ?? "chat", host: "a", engine: ["http://10.0.0.1:2379"],
        hosts: ["a": "10.0.0.1:7400", "b": "10.0.0.2:7400"])
    #expect(cluster.objection?.prefix(objection?.count ?? 0) == objection.map { $0[...] })
}

@Test func `hosts of a cluster have addresses of their own`() {
    func objection(_ hosts: [String: String], engine: [String] = ["http://10.0.0.1:2379"]) -> String? {
        ClusterSettings(name: "chat", host: "a", engine: engine, hosts: hosts).objection
    }
    #expect(objection(["a": "10.0.0.1:7400", "b": "10.0.0.1:7400"]) == "two hosts of the cluster have one address")
    #expect(objection(["a": "10.0.0.1"])?.contains("HOST:PORT") == true)
    #expect(objection(["a": "10.0.0.1:7400", "B": "10.0.0.2:7400"])?.contains("'B'") == true)
    #expect(objection(["a": "10.0.0.1:7400"], engine: [])?.contains("has no engine") == true)
}

@Test func `a cluster that was read is written as it was`() throws {
    let text = """
        { cluster: {
            name: "chat", host: "b", hosts: { a: "10.0.0.1:7400", b: "10.0.0.2:7400" },
            engine: ["https://10.0.0.1:2379", "https://10.0.0.2:2379"],
            certificates: { authority: "ca.pem", certificate: "b.pem", key: "b.key" },
        } }
        """
    let read = try configuration(text)
    #expect(read.cluster?.host == "b" && read.cluster?.hosts.count == 2 && read.cluster?.engine.count == 2)
    #expect(try configuration(read.json.indented()) == read)
    #expect(try configuration("{ cluster: 'off' }").cluster == nil)
}

@Test func `each partition of a cluster's log has as many shards in a new folder, and as many files`() throws {
    func cluster(_ more: String, _ partitions: Int) throws -> Configuration {
        try configuration(
            """
            { \(more) cluster: {
                name: "chat", host: "a", hosts: { a: "10.0.0.1:7400" }, engine: ["http://10.0.0.1:2379"],
                partitions: \(partitions),
            } }
            """)
    }
    let three = try cluster("shards: 4,", 3)
    #expect(three.cluster?.partitions == 3 && three.newShards == 6 && three.newFiles == 6)
    #expect(try configuration(three.json.indented()) == three)
    let one = try cluster("shards: 4,", 1)
    #expect(one.newShards == 4 && one.newFiles == 4)
    let few = try cluster("shards: 4, files: 2,", 3)
    #expect(few.newShards == 6 && few.newFiles == 2)
    #expect(throws: (any Error).self) { try cluster("", 0) }
    #expect(throws: (any Error).self) { try cluster("", 33) }
}
