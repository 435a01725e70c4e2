import Foundation
import TestSupport
import Testing

private func trail(_ folder: String) throws -> [String] {
    try String(contentsOfFile: folder + "/audit.log", encoding: .utf8).split(separator: "\n").map(String.init)
}

@Test(.waits) func `who made, allowed and took back keys and tokens is written down beside them`() throws {
    let folder = try TemporaryFolder()
    let (keys, tokens) = (folder.file("keys"), folder.file("tokens"))
    #expect(try run(["keys", "make", "--keys", keys]).code == 0)
    #expect(try run(["keys", "make", "--keys", keys, "--name", "ada", "--role", "operator"]).code == 0)
    #expect(try run(["keys", "forbid", "--keys", keys, "--name", "ada"]).code == 0)
    // A refused command changes nothing, and leaves no line.
    #expect(try run(["keys", "forbid", "--keys", keys, "--name", "ada"]).code != 0)
    let deeds = ["made the keys of a service", "made and allowed a key", "forbade a key"]
    let lines = try trail(keys)
    #expect(lines.count == deeds.count)
    for (line, deed) in zip(lines, deeds) {
        #expect(line.contains("message=\"\(deed)\" by=") && line.hasPrefix("time="))
    }
    #expect(lines[1].contains("name=ada role=operator") && lines[2].contains("name=ada"))
    let mode = try FileManager.default.attributesOfItem(atPath: keys + "/audit.log")[.posixPermissions] as? Int
    #expect(mode == 0o600)

    #expect(try run(["token", "keys", "make", "--keys", tokens]).code == 0)
    let token = try run(["token", "make", "--conversation", "c1", "--read", "--subject", "ben", "--keys", tokens])
        .output
    #expect(try run(["token", "revoke", "--keys", tokens], input: token).code == 0)
    let said = try trail(tokens)
    #expect(said.count == 3 && said[1].contains("made a token") && said[2].contains("revoked a token"))
    #expect(said[1].contains("c1") && said[1].contains("ben"))
    // The trail gives its readers no token.
    #expect(!said.joined().contains(token.trimmingCharacters(in: .whitespacesAndNewlines)))
}

@Test(.waits) func `orders are written down with who gave them, those that were refused with the reason`() throws {
    let service = try Guarded()
    try service.start(["coordinator", "worker"])
    try service.daemons[0].waitForMessage("a worker joined")
    func ask(_ name: String, _ words: String...) throws -> Int32 {
        try run(words + service.place + service.key(name)).code
    }
    #expect(try ask("operator", "status") == 0)
    #expect(try ask("operator", "pool", "pause", "--lane", "backfill") == 0)
    #expect(try ask("gateway", "pool", "drain") != 0)
    #expect(try ask("operator", "pool", "prepare", "--target", "375@3") != 0)
    let lines = try trail(service.folder.file("data"))
    #expect(lines.count == 3, "\(lines)")
    #expect(lines[0].contains(#"message="obeyed an order" by="operator (operator)" order="{\"do\":\"pause\""#))
    #expect(lines[1].contains("refused an order") && lines[1].contains("gateway (gateway)"))
    #expect(lines[1].contains("a gateway gives no orders") && lines[2].contains("refused an order"))
}

@Test(.waits) func `without keys the trail says that whoever may enter the folder gave an order`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["coordinator", "--data", folder.path])
    try service.waitForMessage("message=listening")
    #expect(try run(["pool", "drain", "--data", folder.path]).code == 0)
    #expect(
        try trail(folder.path).map { $0.contains(#"by="user of the folder" order="{\"do\":\"drain\"}""#) } == [true])
    // The check of a folder accepts the file of its trail.
    service.process.terminate()
    #expect(try service.finish().code == 0)
    #expect(try run(["check", folder.path]).code == 0)
}
