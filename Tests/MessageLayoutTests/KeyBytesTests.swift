import Testing
import Typography

@testable import MessageLayout

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
        { $0.digest(Array(repeating: 0, count: 16)) },
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

/// A new property of one of these needs a decision in `KeyBytes` whether layouts depend on it, and then an entry
/// here.
@Test func `keys know every property of a part`() {
    #expect(
        names(Part(Shape(.stack))) == [
            "shape", "conditions", "each", "eachName", "amount", "about", "content", "node",
        ])
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
