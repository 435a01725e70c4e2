import FormeLayout
import JSON
import TestSupport
import Testing
import Typography

@testable import MessageLayout

/// A screen of each class.
private let screens = [
    Target(width: .points(375), scale: .two), Target(width: .points(320), scale: .one),
    Target(width: .points(640), scale: .one),
]
private let environment = LayoutEnvironment(fonts: [1, 2, 3])

/// A style before and after a change: finds the kinds that are laid out anew, and checks that no other had to be.
private final class Comparison {
    let source: StyleSource
    private let inputs: [String: [UInt8]]
    private var layout: MonospacedLayout
    private var random = SplitMix64(seed: 7)

    init(_ style: String) throws {
        source = try StyleSource(style)
        let sheet = try source.sheet()
        inputs = sheet.inputs
        layout = MonospacedLayout(sheet, targets: screens)
    }

    /// The kinds whose template has another id. A random one of the others is laid out both ways. (The inputs of the
    /// hashes are compared, as the hashes take long without an optimiser.)
    func kinds(changedBy change: (inout StyleSource) -> Void) throws -> Set<String> {
        var other = source
        change(&other)
        let sheet = try other.sheet()
        let changed = sheet.inputs
        let different = Set(Kinds.names.filter { inputs[$0] != changed[$0] })
        if let kind = Kinds.names.filter({ !different.contains($0) }).randomElement(using: &random) {
            var after = MonospacedLayout(sheet, targets: screens)
            let message = try Kinds.messages(kind).randomElement(using: &random)!
            #expect(try layout.layOut(message) == after.layOut(message), "\(kind) has the same id, and another layout")
        }
        return different
    }
}

extension StyleSheet {
    fileprivate var inputs: [String: [UInt8]] { templates.mapValues { inputs(of: $0, screens, environment).bytes } }
}

private let lengthKeys: Set = [
    "gap", "lineGap", "by", "margin", "drop", "box", "most", "least", "cell", "bar", "height", "radius", "min", "max",
    "wraps",
]

@Test(arguments: Kinds.styles)
func `a length is in the keys of the kinds that use it, and of no other`(style: String) throws {
    let comparison = try Comparison(style)
    let source = comparison.source
    for length in source.style["lengths"]!.object!.members.map(\.key) {
        let users = source.kinds(using: length) { lengthKeys.contains($0) }
        let changed = try comparison.kinds { $0.style = $0.style.changed("lengths", length) { $0.longer } }
        #expect(changed == users, "\(length)")
    }
    for (name, device) in source.style["classes"]!.object!.members.map({ ($0.key, $0.value) }) {
        for length in device["lengths"]?.object?.members.map(\.key) ?? [] {
            let users = source.kinds(using: length) { lengthKeys.contains($0) }
            let changed = try comparison.kinds {
                $0.style = $0.style.changed("classes", name, "lengths", length) { $0.longer }
            }
            #expect(changed == users, "\(length) of \(name)")
        }
    }
}

@Test(arguments: Kinds.styles)
func `a text is in the keys of the kinds that use it, and of no other`(style: String) throws {
    let comparison = try Comparison(style)
    let source = comparison.source
    for role in source.style["texts"]!.object!.members.map(\.key) {
        let users = source.kinds(using: role) { $0 == "style" }
        // Some texts have the same size for every reader.
        let isScaled = source.style["texts"]?[role]?["scaled"] != .bool(false)
        let changes: [(String, JSONValue)] = [
            ("size", 31), ("line", 47), ("weight", 350), ("italic", .bool(true)), ("scaled", .bool(!isScaled)),
        ]
        for (key, value) in changes {
            let changed = try comparison.kinds { $0.style = $0.style.with("texts", role, key, as: value) }
            #expect(changed == users, "\(key) of \(role)")
        }
        let changed = try comparison.kinds {
            $0.style = $0.style.with("classes", "small", "texts", role, "size", as: 33)
        }
        #expect(changed == users, "\(role) of small screens")
    }
}

@Test(arguments: Kinds.styles)
func `a word is in the keys of the kinds that say it, and of no other`(style: String) throws {
    let comparison = try Comparison(style)
    let source = comparison.source
    for word in source.style["strings"]!.object!.members.map(\.key) {
        let users = Kinds.names.filter { kind in
            source.material(of: kind).contains { $0.strings { $0 == "text" }.contains { $0.contains("{$\(word)}") } }
        }
        let changed = try comparison.kinds { $0.style = $0.style.with("strings", word, as: .string("mot")) }
        #expect(changed == Set(users), "\(word)")
    }
}

@Test(arguments: Kinds.styles)
func `what every row has is in every key`(style: String) throws {
    let comparison = try Comparison(style)
    let all = Set(Kinds.names)
    #expect(try comparison.kinds { $0.style = $0.style.changed("room", "less") { $0.longer } } == all)
    #expect(try comparison.kinds { $0.style = $0.style.with("classes", "small", "below", as: 340) } == all)
    #expect(try comparison.kinds { $0.style = $0.style.with("classes", "tablet", "room", "most", as: 300) } == all)
    // No row of a tablet is of this class, but the layouts of tablets end where it begins.
    #expect(
        try comparison.kinds {
            $0.style = $0.style.with("classes", "wall", as: .object(JSONObject([.init("from", 5000)])))
        } == all)
    #expect(
        try comparison.kinds {
            $0.style = $0.style.changed("variants") { .array($0.array! + [.string("pinned")]) }
        } == all)
}

@Test(arguments: Kinds.styles)
func `what no layout shows is in no key`(style: String) throws {
    let comparison = try Comparison(style)
    #expect(try comparison.kinds { $0.style = $0.style.with("name", as: .string("other")) } == [])
    #expect(try comparison.kinds { $0.style = $0.style.with("lengths", "unused", as: 12) } == [])
    #expect(try comparison.kinds { $0.style = $0.style.with("strings", "unused", as: .string("nothing")) } == [])
    #expect(try comparison.kinds { $0.style = $0.style.with("fields", "pinned", as: .string("flag")) } == [])
    #expect(try comparison.kinds { $0.style = $0.style.with("textScales", as: .array([100])) } == [])
    #expect(try comparison.kinds { $0.style = $0.style.changed("targets") { .array([$0.array![1]]) } } == [])
    #expect(try comparison.kinds { $0.style = $0.style.with("frames", "line", "row", as: .string("elsewhere")) } == [])
    #expect(try comparison.kinds { $0.style = $0.style.with("frames", "line", "series", as: .bool(true)) } == [])
    // Every entry of a table has another index: nothing may depend on it.
    #expect(
        try comparison.kinds { source in
            for table in ["lengths", "texts", "strings", "fields"] {
                source.style = source.style.changed(table) { $0.turnedAround }
            }
        } == [])
}

@Test(arguments: Kinds.styles)
func `the file of a kind is in its own key, and in that of texts it takes the place of`(style: String) throws {
    let comparison = try Comparison(style)
    for kind in Kinds.names {
        let changed = try comparison.kinds {
            $0.kinds[kind] = $0.kinds[kind]!.changed("content") { content in
                .object(JSONObject([.init("inset", content), .init("by", 3)]))
            }
        }
        #expect(changed == (kind == "emoji" ? ["emoji", "text"] : [kind]))
        let others = try comparison.kinds { $0.kinds[kind] = $0.kinds[kind]!.with("about", as: .string("words")) }
        #expect(others == [])
    }
    #expect(try comparison.kinds { $0.kinds["payment"] = $0.kinds["date"]!.with("kind", as: .string("payment")) } == [])
    #expect(try comparison.kinds { $0.kinds["text"] = $0.kinds["text"]!.with("jumbo", "most", as: 5) } == ["text"])
}

@Test(arguments: Kinds.styles)
func `the name of a colour, an action or a label is stored, and so in the key`(style: String) throws {
    let comparison = try Comparison(style)
    for key in ["token", "action", "label", "name", "access", "priority"] {
        let changed = try comparison.kinds {
            $0.kinds["date"] = $0.kinds["date"]!.with(
                "content", key, as: key == "priority" ? 7 : .string(key == "access" ? "button" : "renamed"))
        }
        // A priority belongs to an action, and a date has none.
        #expect(changed == (key == "priority" ? [] : ["date"]), "\(key)")
    }
}

@Test func `fonts, rules and targets are in every key, and the name of an edition in none`() throws {
    let style = try Kinds.style("bubble")
    let message = JSONReader(try Kinds.messages("text")[0])
    func key(
        _ name: String = "a", _ targets: [Target] = screens, _ environment: LayoutEnvironment = environment
    ) throws -> LayoutKey {
        try LayoutKey(of: message, in: Edition(name: name, style: style, targets: targets, environment: environment))
    }
    var mirrored = screens
    mirrored[1].isMirrored = true
    let keys = [
        try key(), try key("a", screens.dropLast()), try key("a", screens.reversed()), try key("a", mirrored),
        try key("a", screens, LayoutEnvironment(fonts: [1, 2])),
        try key("a", screens, LayoutEnvironment(fonts: [1, 2, 3], rules: LayoutEnvironment.rules + 1)),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(try key("b") == key("a"))
}

@Test(arguments: Kinds.styles)
func `a field is in the key of a message when it changes geometry, and not when it does not`(style: String) throws {
    let sheet = try Kinds.style(style)
    let edition = Edition(name: "now", style: sheet, targets: screens, environment: environment)
    var layout = MonospacedLayout(sheet, targets: screens)
    for kind in Kinds.names {
        let fields = sheet.template(for: kind)!.fields
        for message in try Kinds.messages(kind).prefix(3) {
            let key = try LayoutKey(of: JSONReader(message), in: edition)
            #expect(try LayoutKey(of: JSONReader(message.turnedAround), in: edition) == key, "\(kind)")
            var isLaidOut = false
            let sheet = try layout.layOut(message)
            for change in fields.changes(of: message) {
                let changed = try LayoutKey(of: JSONReader(change.value), in: edition)
                #expect((changed != key) == change.isGeometry, "\(kind) \(change.path)")
                guard changed == key else { continue }
                // A change of paint alone works alike in every message, so a few messages are enough.
                if !isLaidOut { #expect(try layout.layOut(change.value) == sheet, "\(kind) \(change.path)") }
                isLaidOut = change.value != message
            }
        }
    }
}

/// A message that goes out at the second attempt is laid out once: the cache finds it by its key.
@Test(arguments: Kinds.styles)
func `a message that fails and is sent again keeps its key`(style: String) throws {
    let edition = Edition(name: "now", style: try Kinds.style(style), targets: screens, environment: environment)
    for kind in Kinds.names {
        let message = try #require(try Kinds.messages(kind).first)
        let keys = try ["sending", "failed", "sending", "sent", "delivered", "read"].map { status in
            try LayoutKey(of: JSONReader(message.with("status", as: .string(status))), in: edition)
        }
        #expect(Set(keys).count == 1, "\(kind)")
    }
}

@Test func `messages of unknown kinds are told from those of the kind that stands in for them`() throws {
    let style = try Kinds.style("bubble")
    let edition = Edition(name: "now", style: style, environment: environment)
    func key(_ text: String) throws -> LayoutKey {
        try LayoutKey(of: JSONReader(JSONValue.parse(Array(text.utf8))), in: edition)
    }
    let unknown = try key(#"{"kind":"payment","summary":"Sent 5","amount":5}"#)
    #expect(try key(#"{"kind":"payment","summary":"Sent 5","amount":7}"#) == unknown)
    #expect(try key(#"{"kind":"payment","summary":"Sent 7","amount":5}"#) != unknown)
    #expect(try key(#"{"kind":"unsupported","summary":"Sent 5"}"#) != unknown)
}

@Test(arguments: [
    #"{"text":"a"}"#, #"{"kind":"text"}"#, #"{"kind":"text","text":1}"#, #"{"kind":"text","text":"a","txet":"b"}"#,
    #"{"kind":7}"#, "[]",
])
func `what cannot be laid out has no key, for the same reason`(text: String) throws {
    let style = try Kinds.style("bubble")
    let edition = Edition(name: "now", style: style, environment: environment)
    let message = try JSONValue.parse(Array(text.utf8))
    var layout = MonospacedLayout(style)
    let wanted = #expect(throws: JSONError.self) { try layout.layOut(message) }
    let found = #expect(throws: JSONError.self) { try LayoutKey(of: JSONReader(message), in: edition) }
    #expect(found?.description == wanted?.description)
}

extension JSONValue {
    /// A length that is some points longer.
    fileprivate var longer: JSONValue {
        guard object != nil else { return .number(JSONNumber((number?.integer ?? 0) + 5)) }
        return changed("points") { $0.longer }
    }
}
