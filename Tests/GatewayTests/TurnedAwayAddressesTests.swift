import HTTP
import Testing

@testable import Gateway

@Suite struct TurnedAwayAddressesTests {
    private func refusal(_ address: String, _ status: Int = 401) -> TurnedAwayAddresses.Refusal {
        .init(address: PeerAddress(address) ?? .none, status: status)
    }

    @Test func `the busiest addresses come first, for a minute, and then as those of the minute before`() {
        var table = TurnedAwayAddresses()
        #expect(table.turn(to: .seconds(100)).isEmpty)
        for _ in 0..<3 { table.count(refusal("10.0.0.1")) }
        table.count(refusal("10.0.0.1", 429))
        for _ in 0..<5 { table.count(refusal("10.0.0.2", 403)) }
        let busiest: [TurnedAwayAddresses.Row] = [
            .init(refusal: refusal("10.0.0.2", 403), requests: 5),
            .init(refusal: refusal("10.0.0.1"), requests: 3),
            .init(refusal: refusal("10.0.0.1", 429), requests: 1),
        ]
        #expect(table.turn(to: .seconds(159)).isEmpty)
        #expect(table.rows == busiest && table.before.isEmpty)
        #expect(table.turn(to: .seconds(160)) == busiest)
        #expect(table.rows.isEmpty && table.before == busiest)
        // A minute in which nobody was turned away says so.
        #expect(table.turn(to: .seconds(221)).isEmpty)
        #expect(table.before.isEmpty)
    }

    @Test func `however many addresses come, sixteen are shown, and one that comes often is among them`() throws {
        var table = TurnedAwayAddresses()
        _ = table.turn(to: .zero)
        for number in 0..<100_000 {
            table.count(refusal("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"))
            if number % 50 == 0 { table.count(refusal("192.0.2.7", 403)) }
        }
        let rows = table.turn(to: .seconds(60))
        #expect(rows.count <= 16)
        let busy = try #require(rows.first)
        #expect(busy.refusal == refusal("192.0.2.7", 403))
        // It came 2,000 times, and is short of a 256th of all requests at most.
        #expect((2000 - 102_000 / 256...2000).contains(busy.requests))
    }

    @Test func `operators are told who was turned away, and clients are not`() throws {
        let front = try RunningFront(origins: ["https://chat.example"])
        for _ in 0..<3 {
            #expect(try front.curl("/v1/fonts", "-H", "Host: evil.example").status == 403)
        }
        // What is merely not there turns nobody away.
        #expect(try front.curl("/refused").status == 404)
        let told = try front.askOperators("/refused")
        #expect(
            told.body
                == #"{"this_minute":[{"address":"127.0.0.1","status":403,"requests":3}],"last_minute":[]}"#)
        #expect(try !front.askOperators("/metrics").body.contains("127.0.0.1"))
    }
}
