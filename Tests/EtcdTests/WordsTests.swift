import Bytes
import JSON
import Replication
import TestSupport
import Testing

@testable import Etcd

@Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
])
func `bytes are written as RFC 4648 has them`(plain: String, text: String) {
    var written: [UInt8] = []
    Base64.append(Array(plain.utf8), to: &written)
    #expect(String(decoding: written, as: UTF8.self) == text)
    #expect(Base64.bytes(text) == Array(plain.utf8))
}

@Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "====", "Zg==Zg==", "Zm9v Zg=", "Zm9_", "Zm9v\n", "ZgÄ="])
func `what nobody writes so is not read`(text: String) { #expect(Base64.bytes(text) == nil) }

@Test func `all bytes come back`() {
    forEachSeed(200) { random in
        let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        var text: [UInt8] = []
        Base64.append(bytes, to: &text)
        return Base64.bytes(String(decoding: text, as: UTF8.self)) == bytes
    }
}

@Test func `keys are in the order of places, and each log has its own`() throws {
    let keys = try #require(EtcdKeys(cluster: "chat"))
    let places = [0, 1, 9, 10, 255, 256, UInt64.max].map(LogSequence.init)
    let all = places.map { keys.key(Partition(1), $0) }
    #expect(String(decoding: all[4], as: UTF8.self) == "forme/chat/log/0001/00000000000000ff")
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    let range = keys.all(of: Partition(1))
    #expect(all.allSatisfy { !$0.lexicographicallyPrecedes(range.from) && $0.lexicographicallyPrecedes(range.to) })
    for other in [Partition(0), Partition(2)] {
        let key = keys.key(other, LogSequence(5))
        #expect(key.lexicographicallyPrecedes(range.from) || !key.lexicographicallyPrecedes(range.to))
    }
    for (place, key) in zip(places, all) { #expect(keys.place(key)?.1 == place) }
}

@Test(arguments: [
    "forme/chat/log/0001/00000000000000f", "forme/chat/log/0001/00000000000000fff",
    "forme/chat/log/0001/00000000000000FF",
    "forme/chat/log/001/000000000000000ff", "forme/chas/log/0001/00000000000000ff", "",
])
func `what is no key of a record has no place`(key: String) throws {
    #expect(try #require(EtcdKeys(cluster: "chat")).place(Array(key.utf8)) == nil)
}

@Test(arguments: ["", "a/b", "ä", "a b", String(repeating: "a", count: 64)])
func `a name that is no name of a cluster is refused in words`(name: String) throws {
    do {
        _ = try EtcdLog(of: name, at: ["http://127.0.0.1:1"])
        Issue.record("it was taken")
    } catch { #expect(error == .clusterName(name)) }
}

@Test(arguments: [
    "127.0.0.1:2379", "http://127.0.0.1", "http://:1", "http://a:0", "http://a:1/v3", "http://u@a:1", "file:///a:1",
])
func `what is no address of etcd is refused in words`(address: String) throws {
    do {
        _ = try EtcdLog(of: "chat", at: [address])
        Issue.record("it was taken")
    } catch { #expect(error == .address(address)) }
}
