import Foundation
import TestSupport
import Testing
import Transport

@testable import Settings

private struct Keys {
    let folder: TemporaryFolder
    let keys: KeyFolder

    init() throws {
        folder = try TemporaryFolder()
        keys = KeyFolder(folder.file("keys"))
        try keys.makeServer()
    }

    func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    func set(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func write(_ text: String, _ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    }
}

@Test func `secret keys are for their owner only, and so is their folder`() throws {
    let made = try Keys()
    let client = try made.keys.makeClient(Guest(name: "backend", role: .producer))
    #expect(try made.mode(made.keys.path) == 0o700)
    #expect(try made.mode(made.keys.server) == 0o600 && made.mode(client.path) == 0o600)
}

@Test func `a key is read as it was written, with the keys of its service`() throws {
    let made = try Keys()
    let client = try made.keys.makeClient(Guest(name: "backend", role: .producer))
    let read = try KeyFile(reading: client.path)
    #expect(read.pair.publicKey == client.pair.publicKey)
    let gateway = try KeyFile(reading: made.keys.gateway)
    #expect(try read.servers == [KeyFile(reading: made.keys.server).pair.publicKey, gateway.pair.publicKey])
    #expect(
        try made.keys.guests() == [
            client.pair.publicKey: Guest(name: "backend", role: .producer),
            gateway.pair.publicKey: Guest(name: "gateway", role: .gateway),
        ])
    #expect(try KeyFile(reading: made.keys.server).credentials == nil)
}

@Test(arguments: [0o640, 0o604, 0o660, 0o666, 0o620])
func `a secret key that others can read or replace is refused`(mode: Int) throws {
    let made = try Keys()
    try made.set(mode, made.keys.server)
    #expect(throws: SettingsError.tooOpen(path: made.keys.server, mode: UInt32(mode))) {
        _ = try KeyFile(reading: made.keys.server)
    }
}

@Test(arguments: [0o664, 0o646])
func `a list that others can write is refused`(mode: Int) throws {
    let made = try Keys()
    try made.set(mode, made.keys.allowed)
    #expect(throws: SettingsError.tooOpen(path: made.keys.allowed, mode: UInt32(mode))) { _ = try made.keys.guests() }
}

@Test func `the keys of a service are made with its workers' key, and making that once more changes nothing`() throws {
    let folder = try TemporaryFolder()
    let keys = KeyFolder(folder.file("keys"))
    try keys.makeService()
    let (worker, gateway) = (Guest(name: "worker", role: .worker), Guest(name: "gateway", role: .gateway))
    let made = try KeyFile(reading: keys.client("worker"))
    let guests = try keys.guests()
    #expect(
        try guests == [made.pair.publicKey: worker, KeyFile(reading: keys.gateway).pair.publicKey: gateway])
    #expect(try made.servers == keys.publicKeys() && made.credentials != nil)
    #expect(try keys.makeClient(worker).pair.publicKey == made.pair.publicKey)
    #expect(try keys.guests() == guests)
    // A key of the same name and another role is another's.
    #expect(throws: SettingsError.exists(path: keys.client("worker"))) {
        _ = try keys.makeClient(Guest(name: "worker", role: .reader))
    }
}

@Test func `no key is overwritten`() throws {
    let made = try Keys()
    let before = try made.text(made.keys.server)
    #expect(throws: SettingsError.exists(path: made.keys.server)) { try made.keys.makeServer() }
    #expect(try made.text(made.keys.server) == before)
    #expect(
        try FileManager.default.contentsOfDirectory(atPath: made.keys.path).sorted() == [
            "allowed.json5", "gateway.key", "server.key",
        ])
}

@Test func `an error about a file of keys shows nothing that stands in it`() throws {
    let made = try Keys()
    let secret = try KeyFile(reading: made.keys.server).pair.secretKey.revealed()
    let other = try KeyPair().publicKey
    for text in [
        secret, "{ secret: \"\(secret)\" }", "{ public: \"\(other)\", secret: \"\(secret)\" }", "{ \"\(secret)\": 1 }",
        "{ public: \"\(other)\", secret: \"\(secret)x\" }", "{ secret: [\"\(secret)\"], public: 1 }",
    ] {
        try made.write(text, made.keys.server)
        #expect(throws: SettingsError.notAKeyFile(path: made.keys.server)) {
            _ = try KeyFile(reading: made.keys.server)
        }
    }
}

@Test func `what is no file, or is not there, is told`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SettingsError.unreadable(path: folder.path, code: EINVAL)) { _ = try KeyFile(reading: folder.path) }
    let missing = folder.file("missing.key")
    #expect(throws: SettingsError.unreadable(path: missing, code: ENOENT)) { _ = try KeyFile(reading: missing) }
}

@Test func `a new key of a service is trusted before it is used, and the old one until then`() throws {
    let made = try Keys()
    let client = try made.keys.makeClient(Guest(name: "backend", role: .producer)).path
    let old = try KeyFile(reading: made.keys.server).pair.publicKey
    let gateway = try KeyFile(reading: made.keys.gateway).pair.publicKey
    let next = try made.keys.beginRotation()
    #expect(try made.keys.beginRotation() == next)
    #expect(try KeyFile(reading: made.keys.server).pair.publicKey == old)
    #expect(try KeyFile(reading: client).servers == [old, next, gateway])
    #expect(try made.keys.makeClient(Guest(name: "late", role: .reader)).servers == [old, next, gateway])
    #expect(try made.keys.finishRotation() == next)
    #expect(try KeyFile(reading: made.keys.server).pair.publicKey == next)
    #expect(try KeyFile(reading: client).servers == [next, gateway])
    #expect(!FileManager.default.fileExists(atPath: made.keys.next))
    #expect(try made.mode(made.keys.server) == 0o600 && made.mode(client) == 0o600)
}

@Test func `a change of keys that one client's file stops is finished when that file is mended`() throws {
    let made = try Keys()
    let clients = try ["backend", "reader"].map { try made.keys.makeClient(Guest(name: $0, role: .reader)).path }
    let old = try KeyFile(reading: made.keys.server).pair.publicKey
    let gateway = try KeyFile(reading: made.keys.gateway).pair.publicKey
    let next = try made.keys.beginRotation()
    try made.set(0o644, clients[1])
    #expect(throws: SettingsError.tooOpen(path: clients[1], mode: 0o644)) { _ = try made.keys.finishRotation() }
    #expect(try made.keys.publicKeys() == [old, next, gateway])
    #expect(try KeyFile(reading: clients[0]).servers == [old, next, gateway])
    try made.set(0o600, clients[1])
    #expect(try made.keys.finishRotation() == next)
    #expect(try made.keys.publicKeys() == [next, gateway])
    for client in clients { #expect(try KeyFile(reading: client).servers == [next, gateway]) }
}

@Test func `a host of a cluster goes on trusting the services of the others when its own changes keys, and no gateway`()
    throws
{
    let made = try Keys()
    var host = try made.keys.makeClient(Guest(name: "host", role: .host))
    let others = [try KeyPair().publicKey, try KeyPair().publicKey]
    host.servers += others
    try host.write(replacing: true)
    let old = try KeyFile(reading: made.keys.server).pair.publicKey
    #expect(host.servers == [old] + others)
    let next = try made.keys.beginRotation()
    #expect(try KeyFile(reading: host.path).servers == [old, next] + others)
    _ = try made.keys.finishRotation()
    #expect(try KeyFile(reading: host.path).servers == [next] + others)
    // One that an earlier release made trusts the gateway of its own service.
    host.servers = [next, try KeyFile(reading: made.keys.gateway).pair.publicKey] + others
    try host.write(replacing: true)
    _ = try made.keys.beginRotation()
    let last = try made.keys.finishRotation()
    #expect(try KeyFile(reading: host.path).servers == [last] + others)
    // Its gateway's key is made anew as Operating says.
    var list = try AllowList(reading: made.keys.allowed)
    try list.remove("gateway", in: made.keys.allowed)
    try FileManager.default.removeItem(atPath: made.keys.gateway)
    _ = try made.keys.makeClient(Guest(name: "gateway", role: .gateway))
    #expect(try KeyFile(reading: host.path).servers == [last] + others)
}

@Test func `a list keeps what people wrote in it, whoever comes and goes`() throws {
    let made = try Keys()
    let (first, second) = try (KeyPair().publicKey, KeyPair().publicKey)
    try made.write(
        "// Ours.\n[\n  { name: 'hand', role: 'reader', key: '\(first)' }, // by hand\n]\n", made.keys.allowed)
    var list = try AllowList(reading: made.keys.allowed)
    let entry = AllowList.Entry(guest: Guest(name: "b", role: .worker), key: second)
    try list.add(entry, in: made.keys.allowed)
    #expect(try AllowList(reading: made.keys.allowed).entries.last == entry)
    #expect(try made.text(made.keys.allowed).contains("// by hand"))
    try list.remove("b", in: made.keys.allowed)
    #expect(
        try made.text(made.keys.allowed)
            == "// Ours.\n[\n  { name: 'hand', role: 'reader', key: '\(first)' }, // by hand\n]\n")
    // Not in the form of a line for each: it is left to people, and stays as it was.
    #expect(throws: SettingsError.editByHand(path: made.keys.allowed)) {
        try list.remove("hand", in: made.keys.allowed)
    }
    #expect(try AllowList(reading: made.keys.allowed).entries.map(\.guest.name) == ["hand"])
}

@Test(arguments: [
    ("[{ name: 'a', role: 'king', key: 'K' }]", "[0].role: expected 'producer' or 'worker' or 'reader' or 'operator'"),
    ("[{ name: 'a', role: 'reader', key: 'short' }]", "[0].key: expected a public key"),
    ("[{ name: 'a b', role: 'reader', key: 'K' }]", "[0].name: expected 1 to 64 of"),
    ("[{ name: 'a', role: 'reader' }]", "[0]: 'key' is missing"),
    ("[{ name: 'a', role: 'reader', key: 'K', since: 1 }]", "since: unknown; known are name, role, key"),
    (
        "[{ name: 'a', role: 'reader', key: 'K' },\n { name: 'b', role: 'worker', key: 'K' }]",
        "list:2:2: [1]: expected a key that is not there yet"
    ),
])
func `an entry that cannot be is told with its place`(text: String, sentence: String) throws {
    let key = try KeyPair().publicKey.description
    #expect(
        performing: { try AllowList(text.replacing("'K'", with: "'\(key)'"), from: "list") },
        throws: { "\($0)".contains(sentence) })
}

@Test(arguments: ["", ".hidden", "a/b", "..", "a b", "ä", "a\"", String(repeating: "a", count: 65)])
func `what could be more than a name is none`(name: String) {
    #expect(!Guest.isName(name))
    #expect(Guest.isName("Back-end_1.eu"))
}
