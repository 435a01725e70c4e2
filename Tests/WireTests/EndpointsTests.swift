import Testing
import Wire

@Test func `four ports in a row, or four sockets in a folder`() throws {
    let ports = try #require(Endpoints(hostAndPort: "127.0.0.1:7300"))
    #expect([ports.events, ports.workers, ports.ready, ports.fetch] == (7300...7303).map { "tcp://127.0.0.1:\($0)" })
    #expect(Endpoints(folder: "/data").ready == "ipc:///data/ready.ipc")
}

@Test(arguments: ["", "here", ":7300", "here:", "here:0", "here:65533", "here:70000", "here:-1"])
func `an address without room for four ports is none`(text: String) {
    #expect(Endpoints(hostAndPort: text) == nil)
}
