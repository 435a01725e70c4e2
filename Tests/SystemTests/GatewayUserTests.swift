import Foundation
import TestSupport
import Testing

/// A program that becomes the user nobody, and then the one that follows.
private let nobody = ["/usr/bin/setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"]

private func asNobody(_ words: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: nobody[0])
    process.arguments = nobody.dropFirst() + words
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
}

/// Only root becomes somebody else, who has to reach the program, too.
private let canBecomeNobody =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: nobody[0])
    && (try? asNobody(["test", "-x", Command.binary.path])) == 0

private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}

@Test(.waits, .enabled(if: canBecomeNobody, "run it as root, in a folder that others may enter"))
func `a gateway of another user answers from a folder that it may only read, and reads no secret`() throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let (keys, own, data) = (folder.file("keys"), folder.file("own"), folder.file("data"))
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
    let address = "127.0.0.1:\(try Ports.five())"
    func configure(_ name: String, keys: String) throws -> String {
        let path = folder.file(name)
        try "{ data: '\(data)', listen: '\(address)', security: { keys: '\(keys)', gatewayGroup: 'nogroup' } }".write(
            toFile: path, atomically: true, encoding: .utf8)
        return path
    }
    let service = try Command(["serve", "--workers", "1", "--config", configure("forme.json5", keys: keys)])
    try service.waitForMessage("a worker joined")
    #expect(try !children(of: service.process.processIdentifier).contains { $0.command == "gateway" })
    let gateway = try Command(["gateway", "--config", configure("gateway.json5", keys: own)], launcher: nobody)

    let place = ["--data", data, "--listen", address]
    let event = #"{"conversation": "c", "message": "m1", "order": 1, "sender": "ada", "time": 1, "text": "Hi"}"#
    #expect(try run(["post"] + place + ["--key", "\(keys)/backend.key"], input: event).code == 0)
    let asking = ["fetch", "c"] + place + ["--key", "\(keys)/reader.key"]
    try waitUntil { try run(asking).output.contains(" m1 ") }

    #expect(try mode(data) == 0o2750 && mode("\(data)/journal.db") == 0o640)
    #expect(try asNobody(["sh", "-c", "echo > \(data)/new"]) != 0)
    #expect(try asNobody(["cat", "\(keys)/server.key"]) != 0)
    let all = try #require(files.enumerator(atPath: data)).compactMap { $0 as? String }
    #expect(all.contains { $0.hasSuffix("-shm") })
    for name in all where name.hasSuffix("-shm") { #expect(try mode("\(data)/\(name)") == 0o660) }
    for name in all where try asNobody(["test", "-w", "\(data)/\(name)"]) == 0 {
        #expect(name.hasSuffix("-shm"), "\(name) may be written by the gateway")
    }

    // What is stored is answered though nobody writes.
    service.process.terminate()
    #expect(try service.finish().code == 0)
    #expect(try run(asking).output.contains(" m1 "))
    gateway.process.terminate()
    #expect(try gateway.finish().code == 0)
}
