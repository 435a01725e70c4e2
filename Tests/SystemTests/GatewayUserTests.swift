import Foundation
import TestSupport
import Testing

private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}

/// A service of this user, and all that a gateway of the user nobody needs beside it.
private struct House {
    let folder: TemporaryFolder
    let keys: String
    let data: String
    private let own: String
    private let address: String

    init() throws {
        folder = try TemporaryFolder()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        (keys, own, data) = (folder.file("keys"), folder.file("own"), folder.file("data"))
        address = "127.0.0.1:\(try Ports.five())"
        #expect(try run(["keys", "make", "--keys", keys]).code == 0)
        for (name, role) in [("worker", "worker"), ("backend", "producer"), ("reader", "reader")] {
            #expect(try run(["keys", "make", "--keys", keys, "--name", name, "--role", role]).code == 0)
        }
        try files.createDirectory(atPath: own, withIntermediateDirectories: false)
        for name in ["gateway.key", "allowed.json5"] {
            try files.copyItem(atPath: "\(keys)/\(name)", toPath: "\(own)/\(name)")
        }
        for path in [own, "\(own)/gateway.key", "\(own)/allowed.json5"] {
            try files.setAttributes([.ownerAccountName: "nobody"], ofItemAtPath: path)
        }
    }

    private func configured(_ name: String, keys: String) throws -> String {
        let path = folder.file(name)
        try "{ data: '\(data)', listen: '\(address)', security: { keys: '\(keys)', gatewayGroup: 'nogroup' } }".write(
            toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Starts the service without a gateway.
    func serve() throws -> Command {
        let service = try Command(["serve", "--workers", "1", "--config", configured("forme.json5", keys: keys)])
        try service.waitForMessage("a worker joined")
        return service
    }

    func openGateway() throws -> Command {
        try Command(["gateway", "--config", configured("gateway.json5", keys: own)], launcher: nobody)
    }

    func post(_ event: String) throws {
        let words = ["post", "--data", data, "--listen", address, "--key", "\(keys)/backend.key"]
        #expect(try run(words, input: event).code == 0)
    }

    /// The rows that a gateway shows; nothing where there is none.
    func fetched() throws -> String {
        try run(["fetch", "c", "--data", data, "--listen", address, "--key", "\(keys)/reader.key"]).output
    }
}

@Test(.waits, .enabled(if: canBecomeNobody, "run it as root, in a folder that others may enter"))
func `a gateway of another user answers from a folder that it may only read, and reads no secret`() throws {
    let house = try House()
    let (keys, data, files) = (house.keys, house.data, FileManager.default)
    let service = try house.serve()
    #expect(try !children(of: service.process.processIdentifier).contains { $0.command == "gateway" })
    let gateway = try house.openGateway()
    try house.post(#"{"conversation": "c", "message": "m1", "order": 1, "sender": "ada", "time": 1, "text": "Hi"}"#)
    try waitUntil { try house.fetched().contains(" m1 ") }

    #expect(try mode(data) == 0o2750 && mode("\(data)/journal.db") == 0o640)
    #expect(try asNobody(["sh", "-c", "echo > \(data)/new"]) != 0)
    #expect(try asNobody(["cat", "\(keys)/server.key"]) != 0)
    let all = try #require(files.enumerator(atPath: data)).compactMap { $0 as? String }
    #expect(all.contains { $0.hasSuffix("-shm") })
    for name in all where name.hasSuffix("-shm") { #expect(try mode("\(data)/\(name)") == 0o660) }
    for name in all where try asNobody(["test", "-w", "\(data)/\(name)"]) == 0 {
        #expect(name.hasSuffix("-shm"), "\(name) may be written by the gateway")
    }

    // Stored rows are answered though nobody writes.
    service.process.terminate()
    #expect(try service.finish().code == 0)
    #expect(try house.fetched().contains(" m1 "))
    gateway.process.terminate()
    #expect(try gateway.finish().code == 0)
}

@Test(.waits, .enabled(if: canBecomeNobody, "run it as root, in a folder that others may enter"))
func `damage that a gateway of another user finds is mended, though it may leave no word of it`() throws {
    let house = try House()
    let contact =
        #""body": {"kind": "contact", "contact": {"name": "Grace", "phone": "+44 20 7946 0000"}}"#
    func event(_ name: String, _ order: Int) -> String {
        #"{"conversation": "c", "message": "\#(name)", "order": \#(order), "sender": "ada", "time": 1, \#(contact)}"#
    }
    let root = house.data + "/shards"
    func file() throws -> String? {
        try FileManager.default.subpathsOfDirectory(atPath: root).first { name in
            let bytes = FileManager.default.contents(atPath: "\(root)/\(name)")
            return name.hasSuffix(".db") && bytes?.range(of: Data("contactAvatar".utf8)) != nil
        }
    }
    do {
        let service = try house.serve()
        // So many that the page of the first is not written again with the last.
        try house.post((1...20).map { event("m\($0)", $0) }.joined(separator: "\n"))
        let gateway = try house.openGateway()
        try waitUntil { try house.fetched().contains(" m1 ") }
        for command in [gateway, service] {
            command.process.terminate()
            #expect(try command.finish().code == 0)
        }
    }
    let service = try house.serve()
    // The service that takes the shard over writes the log into the file.
    try house.post(event("m21", 21))
    try waitUntil { try file() != nil }
    let name = try #require(try file())
    let path = "\(root)/\(name)"
    let place = try #require(Data(contentsOf: URL(filePath: path)).range(of: Data("contactAvatar".utf8))).lowerBound
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: UInt64(place))
    try handle.write(contentsOf: Data("contactavatar".utf8))
    let gateway = try house.openGateway()
    try waitUntil { try house.fetched().contains(" m21 ") }
    try service.waitForMessage("a shard was not as it should be")
    try gateway.waitForMessage("files of shards are damaged; the coordinator is told")
    try waitUntil {
        let said = try house.fetched()
        return said.contains(" m1 ") && said.contains(" m21 ")
    }
    for command in [gateway, service] {
        command.process.terminate()
        #expect(try command.finish().code == 0)
    }
}
