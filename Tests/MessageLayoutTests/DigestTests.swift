import Testing
import Typography

@testable import MessageLayout

/// The examples of FIPS 180-4, and the lengths around a block.
@Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (String(repeating: "a", count: 56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
])
func `hashes are those of the standard`(text: String, hash: String) {
    #expect(hexadecimal(SHA256.hash(of: Array(text.utf8))) == hash)
    #expect(Digest(of: Array(text.utf8)).description == String(hash.prefix(32)))
}

@Test func `no two lists of values are written alike`() {
    let lists: [(inout KeyBytes) -> Void] = [
        { _ in },
        { $0.missing() },
        { $0.flag(false) },
        { $0.flag(true) },
        { $0.number(0) },
        { $0.number(1) },
        { $0.text("") },
        { $0.text("1") },
        { $0.list(0) },
        { $0.text("ab") },
        {
            $0.text("a")
            $0.text("b")
        },
        {
            $0.text("")
            $0.text("ab")
        },
        { $0.list([1, 2]) { $0.number($1) } },
        {
            $0.list([1]) { $0.number($1) }
            $0.number(2)
        },
        { $0.digest(Digest(of: [])) },
        { $0.text("e\u{301}") },
        { $0.text("\u{e9}") },
    ]
    let written = lists.map { write in
        var key = KeyBytes()
        write(&key)
        return key.bytes
    }
    #expect(Set(written).count == lists.count)
}

/// Who adds a property to one of these has to say in `KeyBytes` whether layouts depend on it, and then here.
@Test func `keys know every property of a part`() {
    #expect(
        names(Part(Shape(.stack))) == ["shape", "conditions", "each", "eachName", "amount", "content", "node"])
    #expect(
        names(Shape(.stack)) == [
            "operation", "end", "traits", "variants", "shows", "alignment", "anchor", "lengths", "minimum", "maximum",
            "radius", "number", "mostLines", "value", "node", "isLiteral",
        ])
    #expect(names(NodeTemplate()) == ["node", "alignment", "findsEntities"])
    #expect(
        names(Skeleton.Node()) == [
            "part", "role", "parent", "pins", "corners", "traits", "token", "source", "text", "action", "priority",
            "label",
            "accessRole",
        ])
    #expect(names(TextRole(size: .zero, lineHeight: .zero)) == ["size", "lineHeight", "style", "isScaled"])
    #expect(names(RoomRule()) == ["percent", "less", "most"])
    #expect(names(Target(width: .zero, scale: .one)) == ["width", "scale", "textScale", "isMirrored"])
}

private func names(_ value: Any) -> [String] { Mirror(reflecting: value).children.map { $0.label ?? "" } }

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
