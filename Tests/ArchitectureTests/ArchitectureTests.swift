import Foundation
import Testing

/// The modules that each module may import: the table of the page House, word for word. A module that is missing here
/// may import nothing.
private let table: [String: Set<String>] = [
    // Core: pure values and decisions.
    "JSON": [],
    "Bytes": [],
    "Names": ["Bytes"],
    "Typography": ["Bytes"],
    "MessageLayout": ["Bytes", "JSON", "Typography"],
    "Rows": ["JSON", "MessageLayout", "Typography"],
    "Record": ["Bytes", "MessageLayout", "Names", "Rows", "Typography"],
    "Wire": ["Bytes", "JSON", "MessageLayout", "Names", "Record", "Rows", "Typography"],
    "Conversation": ["Bytes", "MessageLayout", "Names", "Record", "Rows", "Typography", "Wire"],
    "Pool": ["JSON", "Names", "Wire", "MessageLayout", "Typography"],
    "Replication": ["Bytes", "MessageLayout", "Names", "Pool", "Wire"],
    "Simulation": ["Bytes", "Conversation", "MessageLayout", "Names", "Pool", "Replication", "Wire"],
    // Edges: each the only door to its C library, and none sees another.
    "Shaping": ["Typography", "CHarfBuzz", "CICU", "Foundation"],
    "Storage": core.union(["CSQLite", "CScrub", "Foundation"]),
    "Webfonts": ["CHarfBuzzSubset", "CWOFF2"],
    "Transport": ["CZMQ", "Foundation"],
    "HTTP": ["CMicroHTTPD", "CZlib", "Foundation"],
    "Secrets": ["Bytes", "CGnuTLS", "CSodium", "Foundation"],
    "Etcd": ["Bytes", "CCurl", "JSON", "Pool", "Replication"],
    "Postgres": ["CPQ", "Pool", "Replication"],
    // Shells: the loops that perform what the core decides.
    "FormeClient": [
        "JSON", "Bytes", "Names", "Typography", "MessageLayout", "Rows", "Record", "Wire", "Conversation", "Foundation",
        "FoundationNetworking", "UIKit",
    ],
    "FormeClientZMQ": core.union(["FormeClient", "Transport", "Foundation"]),
    "Flood": core.union(["FormeClientZMQ", "Transport", "Foundation"]),
    "Chaos": core.union(["Daemons", "Transport", "Foundation"]),
    "FormeLayout": core.union(["Shaping", "Secrets", "Foundation"]),
    "Daemons": core.union(edges).union(["FormeLayout", "Operations", "Foundation"]),
    "Operations": ["Secrets", "Foundation"],
    "Settings": core.union(["Operations", "Transport", "Foundation"]),
    "Gateway": core.union(edges).union(["Operations", "Foundation"]),
    "Drawing": core,
    "Console": core.union(edges).union([
        "Daemons", "FormeClientZMQ", "FormeLayout", "Operations", "Settings", "Foundation",
    ]),
    // Programs see everything of ours, and no C library.
    "forme": core.union(edges).union(shells).union(["Foundation"]),
    "forme-bench": core.union(edges).union(shells).union(["Foundation"]),
]
private let core: Set = [
    "JSON", "Bytes", "Names", "Typography", "MessageLayout", "Rows", "Record", "Wire", "Conversation", "Pool",
    "Replication", "Simulation",
]
private let edges: Set = ["Shaping", "Storage", "Transport", "HTTP", "Secrets", "Webfonts", "Etcd", "Postgres"]

private let shells: Set = [
    "Chaos", "Console", "Daemons", "Drawing", "Flood", "FormeClient", "FormeClientZMQ", "FormeLayout", "Gateway",
    "Operations",
    "Settings",
]

/// Modules of the toolchain that are free of effects: all modules may import them. The C library of the system is for
/// edges and shells.
private let pure: Set = ["Synchronization"]
private let system: Set = ["Glibc"]

@Test func `imports go down the table only`() throws {
    for file in try Repository.swiftFiles(in: "Sources") {
        var allowed = table[file.module, default: []].union(pure)
        if !core.contains(file.module) { allowed.formUnion(system) }
        let wrong = imports(in: file.text).subtracting(allowed)
        #expect(wrong.isEmpty, "\(file.path) imports \(wrong.sorted()), which \(file.module) may not")
    }
}

@Test func `every folder of Sources stands in the table, and the table has no other`() throws {
    #expect(Set(try Repository.swiftFiles(in: "Sources").map(\.module)) == Set(table.keys))
}

@Test func `no source escapes the compiler's proof of thread safety, sleeps, or puts work off`() throws {
    for file in try Repository.swiftFiles(in: "Sources") {
        // A task that is suspended until a moment holds no thread.
        let text = file.text.replacing("await ContinuousClock().sleep(", with: "")
        let words = ["@unchecked Sendable", "Task.detached", "sleep(", "TODO", "FIXME"]
            .filter { text.contains($0) }
        #expect(words.isEmpty, "\(file.path)")
    }
}

/// Swift 6.3's optimizer destroys a value that `_read` lends where it has been given back already, if it was copied and
/// the accessor is not inlined: memory that somebody else may have by then (the page GettersCopy).
@Test func `no accessor lends what it reads`() throws {
    for file in try Repository.swiftFiles(in: "Sources") {
        #expect(!file.text.contains(/\b_read\b/), "\(file.path)")
    }
}

/// `String` compares by canonical equivalence, names of senders, messages and conversations compare by their bytes:
/// texts that are one name here and two there let somebody write into a conversation that is not theirs.
@Test func `no name of a backend is compared as a String`() throws {
    for file in try Repository.swiftFiles(in: "Sources") {
        #expect(comparedNames(in: file.text).isEmpty, "\(file.path) compares names as texts; compare the names")
    }
}

@Test(arguments: [
    ("if event.conversation.text != conversation {", 1), ("x.first { name == $0.message.text }", 1),
    ("stream.subject?.text == other", 1), ("claims.subject == subject", 1),
    ("\"c\" == parameters[\"conversation\"]", 1),
    ("event.conversation != conversation", 0), ("shape.operation == .text", 0), ("message.text.isEmpty", 0),
])
func `names that are compared as texts are found`(line: String, count: Int) {
    #expect(comparedNames(in: line).count == count)
}

private func comparedNames(in text: String) -> [String] {
    let name = #"(?:conversation|message|sender|subject|own|reader)"#
    let patterns = [
        #"\b\#(name)[?!]?\.text\b\s*[!=]= "#, #" [!=]= [\w.$?!]*\b\#(name)[?!]?\.text\b"#,
        #"claims\.subject\s*[!=]= "#, #" [!=]= [\w.]*claims\.subject\b"#,
        #"\["(?:conversation|stream)"\]\s*[!=]= "#, #" [!=]= [\w.]*\["(?:conversation|stream)"\]"#,
    ]
    return patterns.flatMap { pattern in
        let found =
            (try? NSRegularExpression(pattern: pattern))?
            .matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? []
        return found.compactMap { Range($0.range, in: text).map { range in String(text[range]) } }
    }
}

@Test func `nothing that stores, serves or shows rows knows a kind of message`() throws {
    let folder = Repository.root.appending(path: "config/styles/kinds")
    // These are also words of the protocols.
    let words: Set = ["date", "emoji", "events", "unread"]
    let kinds = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .map { String($0.prefix { $0 != "." }) }.filter { !words.contains($0) }
    #expect(kinds.count > 10)
    for module in ["Storage", "Conversation", "Gateway", "FormeClient"] {
        for file in try Repository.swiftFiles(in: "Sources/\(module)") {
            // They name every field of the protocols, some of which are called like kinds.
            let shapes = ["OpenAPI+Shapes.swift", "EventShapes.swift", "ListShapes.swift", "DescribedExamples.swift"]
            if shapes.contains(where: file.path.hasSuffix) { continue }
            #expect(kinds.filter { file.text.contains("\"\($0)\"") }.isEmpty, "\(file.path)")
        }
    }
}

@Test func `a client measures nothing: it can reach no code that measures, and no C`() throws {
    var reached: Set = ["FormeClient"]
    while true {
        let next = reached.union(reached.flatMap { table[$0, default: []] })
        if next == reached { break }
        reached = next
    }
    #expect(reached.isDisjoint(with: edges))
    #expect(reached.allSatisfy { !$0.hasPrefix("C") || $0 == "Conversation" })
    // The code within its reach breaks lines that were measured, and lays out from a style; a client asks for neither.
    let makers = [
        "LineBreaker", "MeasuredText", "Composer", "Solver", "Planner", "Shaper", "boundingRect", "sizeThatFits",
    ]
    for file in try Repository.swiftFiles(in: "Sources") where ["FormeClient", "Conversation"].contains(file.module) {
        let found = makers.filter { file.text.contains($0) }
        #expect(found.isEmpty, "\(file.path)")
        guard file.module == "FormeClient" else { continue }
        #expect(imports(in: file.text).isSubset(of: table["FormeClient"]!), "\(file.path)")
    }
    for name in reached.intersection(core) {
        #expect(table[name, default: []].isDisjoint(with: ["Foundation", "FoundationNetworking"]))
    }
}

@Test(arguments: [
    ("import Foundation", ["Foundation"]),
    ("package import struct Wire.Frame  // why", ["Wire"]),
    ("@testable import Pool\n\npublic import Wire", ["Pool", "Wire"]),
    ("#if canImport(UIKit)\n    public import UIKit\n#endif", ["UIKit"]),
    ("/// import Nothing\nlet text = \"import Nothing\"", []),
])
func `imports are read in every form that Swift has`(text: String, modules: [String]) {
    #expect(imports(in: text).sorted() == modules)
}

private func imports(in text: String) -> Set<String> {
    let line = /^ *(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|func|let|var|typealias)\s+)?(\w+)/
        .anchorsMatchLineEndings()
    return Set(text.matches(of: line).map { String($0.output.1) })
}
