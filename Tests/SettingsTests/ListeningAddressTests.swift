import Testing

@testable import Settings

/// The overlap of five ports from 42100 on with the other addresses of a configuration.
private func overlap(_ change: (inout Configuration) -> Void) -> String? {
    var configuration = Configuration()
    configuration.listen = .everywhere(.address("127.0.0.1:42100"))
    change(&configuration)
    return configuration.listeningAddresses.overlap
}

private let advice = "; give one of them another port, with its option or in the configuration"

@Test func `two settings that want one port are both named, whichever they are`() {
    let ready = "listen (ready, of five ports from 42100 on)"
    #expect(
        overlap { $0.http.listen = "127.0.0.1:42102" } == "\(ready) and http.listen are both 127.0.0.1:42102\(advice)")
    #expect(
        overlap { $0.metrics = "localhost:42102" }
            == "\(ready) and metrics are both at the port of localhost:42102\(advice)")
    #expect(
        overlap { $0.remotes = "0.0.0.0:42104" }
            == "listen (operators, of five ports from 42100 on) and remotes are both at the port of 0.0.0.0:42104\(advice)"
    )
    #expect(
        overlap { ($0.http.listen, $0.metrics) = ("127.0.0.1:42105", "127.0.0.1:42105") }
            == "http.listen and metrics are both 127.0.0.1:42105\(advice)")
    #expect(
        overlap {
            $0.listen = .each(
                events: .address("127.0.0.1:1"), workers: .folder, ready: .folder, fetch: .address("127.0.0.1:1"),
                operators: .folder)
        } == "listen.events and listen.fetch are both 127.0.0.1:1\(advice)")
    #expect(
        overlap {
            $0.cluster = ClusterSettings(name: "c", host: "a", engine: [], hosts: ["a": "127.0.0.1:42101"])
        } == "listen (workers, of five ports from 42100 on) and cluster.hosts.a are both 127.0.0.1:42101\(advice)")
}

@Test func `ports beside the five, and the same port of other hosts, are free`() {
    #expect(overlap { $0.http.listen = "127.0.0.1:42105" } == nil)
    #expect(overlap { $0.metrics = "127.0.0.1:42099" } == nil)
    #expect(overlap { $0.remotes = "127.0.0.2:42102" } == nil)
    #expect(overlap { ($0.listen, $0.http.listen) = (.everywhere(.folder), "127.0.0.1:42102") } == nil)
}
