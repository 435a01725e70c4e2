import HTTP
import Testing

@Test(arguments: [
    ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:0:1:2::3", "2001:db8:0:1::/64"),
    ("255.255.255.255", "255.255.255.255"), ("::1", "0:0:0:0::/64"),
])
func `an address is told as numbers, and one of IPv6 by its network`(text: String, told: String) throws {
    #expect(try #require(PeerAddress(text)).description == told)
}

private func trusted(_ texts: String...) -> TrustedProxies {
    var proxies = TrustedProxies()
    for text in texts {
        let isAdded = proxies.add(text)
        #expect(isAdded)
    }
    return proxies
}

@Test(arguments: [
    ("10.0.0.7", "10.0.0.7", "10.0.0.8"), ("10.0.0.0/8", "10.255.1.2", "11.0.0.0"),
    ("10.0.0.0/31", "10.0.0.1", "10.0.0.2"),
    ("0.0.0.0/0", "8.8.8.8", "2001:db8::1"), ("2001:db8::/32", "2001:db8:7::1", "2001:db9::1"),
    ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"), ("::ffff:10.0.0.7", "10.0.0.7", "10.0.0.8"),
])
func `proxies are named by address and by network`(text: String, inside: String, outside: String) throws {
    let proxies = trusted(text)
    #expect(proxies.contains(try #require(PeerAddress(inside))))
    #expect(!proxies.contains(try #require(PeerAddress(outside))))
}

@Test(arguments: [
    "", "here", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/", "2001:db8::/129", " 10.0.0.1",
])
func `what is no address and no network is no proxy`(text: String) {
    var proxies = TrustedProxies()
    let isAdded = proxies.add(text)
    #expect(!isAdded && proxies.isEmpty)
}

/// `127.0.0.2` and `127.0.0.3` are proxies, and `127.0.0.9` is none.
@Test(arguments: [
    ("127.0.0.2", [], "127.0.0.2"),
    ("127.0.0.2", ["203.0.113.5"], "203.0.113.5"),
    // An address that the sender writes himself stands before the one that the proxy adds.
    ("127.0.0.2", ["198.51.100.1, 203.0.113.5"], "203.0.113.5"),
    ("127.0.0.2", ["198.51.100.1", "203.0.113.5"], "203.0.113.5"),
    ("127.0.0.2", ["198.51.100.1, 203.0.113.5 , 127.0.0.3"], "203.0.113.5"),
    ("127.0.0.2", ["127.0.0.3"], "127.0.0.3"),
    ("127.0.0.2", ["unknown, 127.0.0.3"], "127.0.0.3"),
    ("127.0.0.2", ["203.0.113.5, unknown"], "127.0.0.2"),
    ("127.0.0.2", [""], "127.0.0.2"),
    ("127.0.0.2", ["2001:db8::1"], "2001:db8::1"),
    ("127.0.0.9", ["203.0.113.5"], "127.0.0.9"),
    ("127.0.0.9", ["203.0.113.5, 127.0.0.2"], "127.0.0.9"),
])
func `a proxy that is trusted says who asks, and nobody else does`(
    peer: String, fields: [String], sender: String
) throws {
    let stage = try Stage { $0.proxies = trusted("127.0.0.2", "127.0.0.3") }
    let client = try stage.client(from: peer)
    let said = fields.map { "X-Forwarded-For: \($0)\r\n" }.joined()
    try client.send("GET / HTTP/1.1\r\nHost: a\r\nForwarded: for=192.0.2.1\r\n\(said)\r\n")
    #expect(try client.reply().status == 200)
    #expect(stage.requests.map(\.address) == [try #require(PeerAddress(sender))])
}

@Test func `where no proxy is named, nobody is believed`() throws {
    let stage = try Stage()
    #expect(try stage.get("/", ["X-Forwarded-For": "203.0.113.5"]).status == 200)
    #expect(stage.requests.map(\.address) == [try #require(PeerAddress("127.0.0.1"))])
}

@Test func `connections of a proxy are not counted by its address`() throws {
    let stage = try Stage { ($0.connectionsPerAddress, $0.proxies) = (1, trusted("127.0.0.2")) }
    let proxy = try (0..<3).map { _ in try stage.client(from: "127.0.0.2") }
    for client in proxy {
        try client.send(head("GET", "/"))
        #expect(try client.reply().status == 200)
    }
    let (first, second) = (try stage.client(), try stage.client())
    try first.send(head("GET", "/"))
    #expect(try first.reply().status == 200)
    try second.waitForClose()
}

@Test func `each connection has a number, which its requests have`() throws {
    let stage = try Stage()
    let clients = try (0..<2).map { _ in try stage.client() }
    for client in clients + clients {
        try client.send(head("GET", "/"))
        #expect(try client.reply().status == 200)
    }
    let numbers = stage.requests.map(\.connection)
    #expect(numbers[0] == numbers[2] && numbers[1] == numbers[3] && numbers[0] != numbers[1])
}
