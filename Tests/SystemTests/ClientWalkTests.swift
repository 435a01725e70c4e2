import Foundation
import TestSupport
import Testing

/// The walk of the page for clients, from a key to a stream: its text, and its commands, each as one line.
private struct Walk {
    let text: String
    let lines: [String]

    init() throws {
        let page = try String(contentsOf: Project.file("Sources/forme/forme.docc/Clients.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n## In any other language\n")).upperBound
        let end = try #require(page.range(of: "\n## ", range: start..<page.endIndex)).lowerBound
        text = String(page[start..<end])
        lines = text.matches(of: #/```sh\n([\s\S]*?)```/#).flatMap {
            String($0.1).replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
        }
    }
}

/// Types one command into a shell. `exec` makes the shell become the command, which then ends with it.
private func start(_ line: String) throws -> Command { try Command([], launcher: ["/bin/bash", "-c", line]) }

private func typed(_ line: String) throws -> String { try start(line).finish().output }

@Test(.waits) func `the walk of the page for clients leads from a key to a stream, as it is printed there`() throws {
    let (walk, folder, address) = (try Walk(), try TemporaryFolder(), "127.0.0.1:\(try Ports.five())")
    /// The command that has this text, in the folder and at the port of this test.
    func command(with part: String) throws -> String {
        try #require(walk.lines.first { $0.contains(part) }, "\(part)")
            .replacing("walk/", with: folder.path + "/").replacing("127.0.0.1:7310", with: address)
            .replacing(".build/release/forme", with: Command.binary.path)
    }
    /// The command behind which the page has an ampersand.
    func background(with part: String) throws -> String { "exec \(try command(with: part).dropLast(2))" }
    for part in ["mkdir", "token keys make", "echo"] { _ = try typed(command(with: part)) }
    let service = try start(background(with: " serve "))
    try waitUntil { try typed(command(with: "/readyz")) == #"{"status":"ok"}"# }
    _ = try typed(command(with: "token make"))

    let accepted = #"{"answers":[{"answer":"accepted"}]}"#
    #expect(walk.text.contains(accepted))
    #expect(try typed(command(with: #""message": "m1", "sender""#)) == accepted)
    let body = #""body":{"kind":"text","text":"See you at nine"}}"#
    let said = #""said":{"sender":"ada","time":1700000000000,"revision":1,"# + body
    #expect(walk.text.contains(said))
    try waitUntil { try typed(command(with: "application/json")).contains(said) }
    _ = try typed(command(with: "window.bin"))
    let bytes = try typed(command(with: "od -A"))
    #expect(!bytes.isEmpty && walk.text.contains(bytes), "\(bytes)")

    let stream = try start(background(with: "/changes") + " > \(folder.file("stream"))")
    func heard() -> String { (try? String(contentsOfFile: folder.file("stream"), encoding: .utf8)) ?? "" }
    try waitUntil { heard().contains("event: window") }
    #expect(try typed(command(with: #""message": "m2""#)) == accepted)
    try waitUntil { heard().contains("event: changes") && heard().contains(#""message":"m2""#) }
    let name = try #require(heard().firstMatch(of: #/[Ff]orme-[Ss]tream: ([0-9a-f]+)/#)?.1)
    #expect(try typed(command(with: "/streams/NAME").replacing("NAME", with: name)) == "202")
    try waitUntil { heard().contains("event: place") }
    stream.process.terminate()
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
