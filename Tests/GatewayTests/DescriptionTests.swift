import FormeLayout
import Foundation
import JSON
import MessageLayout
import Names
import Pool
import Record
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

extension JSONShape {
    /// The reason why a value is not of this shape; nil where it is.
    func fault(_ value: JSONValue, at path: String = "") -> String? {
        switch self {
        case .anything: return nil
        case .null: return value == .null ? nil : "\(path): not null"
        case .bool: return value.bool != nil ? nil : "\(path): not a flag"
        case .decimal: return value.number != nil ? nil : "\(path): not a number"
        case .integer: return value.number?.exponent == 0 ? nil : "\(path): not a whole number"
        case .number(let range):
            return value.number?.integer.map { range.contains($0) } ?? false ? nil : "\(path): not in \(range)"
        case .text: return value.string != nil ? nil : "\(path): not a text"
        case .word(let words): return value.string.map(words.contains) ?? false ? nil : "\(path): none of \(words)"
        case .carrying: return value.string != nil ? nil : "\(path): not a text"
        case .list(let element, let count):
            guard let list = value.array else { return "\(path): not a list" }
            if let count, list.count != count { return "\(path): not \(count) elements" }
            return list.enumerated().lazy.compactMap { element.fault($1, at: "\(path)[\($0)]") }.first
        case .table(let shape):
            guard let object = value.object else { return "\(path): not an object" }
            return object.members.lazy.compactMap { shape.fault($0.value, at: "\(path).\($0.key)") }.first
        case .object(let members, let optional, let isOpen):
            guard let object = value.object else { return "\(path): not an object" }
            for member in members {
                guard let value = object[member.name] else {
                    if optional.contains(member.name) { continue }
                    return "\(path).\(member.name): is missing"
                }
                if let fault = member.shape.fault(value, at: "\(path).\(member.name)") { return fault }
            }
            let strange = object.members.first { known in !members.contains { $0.name == known.key } }
            return isOpen ? nil : strange.map { "\(path).\($0.key): is not described" }
        case .either(let shapes):
            let faults = shapes.compactMap { $0.fault(value, at: path) }
            return faults.count == shapes.count ? faults.joined(separator: " | ") : nil
        case .named(let name):
            guard let shape = OpenAPI.shapes.first(where: { $0.name == name })?.shape else {
                return "\(name): no shape"
            }
            return shape.fault(value, at: "\(path)<\(name)>")
        }
    }

    /// All that are named in it.
    var names: [String] {
        switch self {
        case .anything, .null, .bool, .integer, .number, .decimal, .text, .word: []
        case .list(let shape, _), .table(let shape), .carrying(let shape): shape.names
        case .object(let members, _, _): members.flatMap(\.shape.names)
        case .either(let shapes): shapes.flatMap(\.names)
        case .named(let name): [name]
        }
    }
}

@Test func `whatever is named in the description is described, once, and something names it`() {
    let known = OpenAPI.shapes.map(\.name)
    #expect(Set(known).count == known.count)
    let routes = HTTPRoute.all.flatMap { route in
        ([route.body] + route.answers.flatMap(\.contents).map(\.shape)).compactMap { $0?.names }.flatMap(\.self)
    }
    let named = Set(OpenAPI.shapes.flatMap(\.shape.names) + routes + ["Problem"])
    #expect(named == Set(known))
}

extension JSONValue {
    /// Whether a reader that takes every number for floating point has it to the digit.
    fileprivate var isExactInABrowser: Bool {
        switch self {
        case .null, .bool, .string: true
        case .number(let number): number.exponent != 0 || number.magnitude <= 1 << 53
        case .array(let elements): elements.allSatisfy(\.isExactInABrowser)
        case .object(let object): object.members.allSatisfy(\.value.isExactInABrowser)
        }
    }
}

@Test func `examples in the description are what they are examples of`() throws {
    for (name, examples) in DescribedExamples.all {
        for example in examples {
            let value = try JSONValue.parse(Array(example.utf8))
            let fault = JSONShape.named(name).fault(value)
            #expect(fault == nil, "\(name): \(fault ?? "")")
            if name == "Word" { _ = try ClientWord(parsing: Array(example.utf8)) }
            if name == "Events" { _ = try IngestRequest(parsing: Array(example.utf8)) }
        }
    }
    for parameter in HTTPRoute.all.flatMap(\.parameters) {
        guard let example = parameter.example else { continue }
        switch parameter.shape {
        case .text(let pattern?):
            #expect(example.range(of: pattern, options: .regularExpression) != nil, "\(parameter.name)")
        case .number(let range): #expect(Int(example).map { range.contains($0) } ?? false, "\(parameter.name)")
        default: Issue.record("\(parameter.name) has another shape")
        }
    }
}

@Test func `the page of windows has every word in JSON, as it is read and as it is described`() throws {
    let page = try String(contentsOf: Project.file("Sources/Wire/Wire.docc/Windows.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    // A word begins at the edge of the page, and goes on in lines that do not.
    let words = blocks.flatMap { ("\n" + $0).components(separatedBy: "\n{").dropFirst().map { "{" + $0 } }
    var known: [String: Set<String>] = ["Word": [], "Told": []]
    for word in words {
        let bytes = Array(word.utf8)
        let value = try JSONValue.parse(bytes)
        let name = try #require(value.object?.members.first?.key)
        // Some words are said by clients and told by gateways, with other fields.
        let isClients = (try? ClientWord(parsing: bytes)) != nil
        let fault = JSONShape.named(isClients ? "Word" : "Told").fault(value)
        #expect(fault == nil, "\(word): \(fault ?? "")")
        known[isClients ? "Word" : "Told"]?.insert(name)
    }
    for (kind, prefix) in [("Word", "Say"), ("Told", "Tell")] {
        let described = OpenAPI.shapes.first { $0.name == kind }?.shape.names ?? []
        let told = Set(known[kind, default: []].map { prefix + $0.prefix(1).uppercased() + $0.dropFirst() })
        #expect(told == Set(described))
    }
}

/// A conversation of real layouts, in which somebody has read some.
private func stage(of rows: ClosedRange<Int64>) throws -> WindowStage {
    let style = try StyleFiles.open(Project.file("config/styles/bubble.json5").path)
    let stage = try WindowStage()
    var worker = Worker(style, [WindowStage.target])
    for number in rows {
        try stage.commit([stage.change(number, .laidOut(worker.row(number, saying: Int(number) % 60)))])
    }
    return stage
}

@Test(arguments: RowVersion.allCases)
func `every word that is told in JSON is as the description says`(version: RowVersion) throws {
    let stage = try stage(of: 1...60)
    let client = WindowClient("r")
    let target = WindowStage.target
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: target,
        reader: WindowReader(own: try SenderID("me"), unreadFrom: 55, isSelecting: true), count: 20, screen: 900,
        wantsMessages: true, wantsEditions: true, wantsUnavailable: true, rowVersion: version)
    var words = stage.say(.open(opening), as: client)
    let window = WindowID(1)
    guard case .window(let reply)? = words.first else { throw Reader.NoWindow() }
    let anchor = WindowAnchor(row: reply.rows[3].number, edge: .top)
    let said: [ClientWord] = [
        .hold(window, [anchor]), .page(window, .older, count: 10), .heights(window, -10_000..<0),
        .locate(window, y: -100),
        .rows(window, reply.rows.prefix(2).map(\.number)), .position(window, try MessageID("m60")),
        .position(window, try MessageID("nobody")), .adjust(window, maxCount: 8, focus: 500),
        .resize(window, target, screen: 900, anchor), .read(window, from: nil), .busy(WindowID(9), true),
        .lines(window, WantedLines(row: reply.rows[1].number, mark: RowMark(7), lines: 0..<2)),
    ]
    for word in said { words += stage.say(word, as: client) }
    _ = stage.say(.open(opening), as: client)
    var worker = Worker(try StyleFiles.open(Project.file("config/styles/flat.json5").path), [target])
    for number in [61, 60, 59] as [Int64] {
        try stage.commit([stage.change(number, .laidOut(worker.row(number, saying: 3)))])
    }
    try stage.commit([stage.change(58, .removed)])
    try stage.commit([stage.change(57, .laidOut(worker.row(62, saying: 4)))])
    try stage.commit([stage.change(56, .touched(ShardSample.facts(order: 56, status: #""failed""#)))])
    stage.letTimePass()
    words += stage.told[client] ?? []
    words += [
        .unreadable("count: 257 is not in 1...256"), .pending(window, try MessageID("m"), order: 3),
        .unavailable(window, try MessageID("m"), order: 3), .done(window),
        .adjusted(window, nil),
    ]
    var kinds: Set<String> = []
    for word in words {
        let value = try JSONValue.parse(try word.json())
        let fault = JSONShape.named("Told").fault(value)
        let name = try #require(value.object?.members.first?.key)
        kinds.insert(name)
        // The shape with the name of the word tells more than that none of ten fits.
        let own = JSONShape.named(name.prefix(1).uppercased() + name.dropFirst()).fault(try #require(value[name]))
        #expect(fault == nil, "\(own ?? fault ?? "")")
        #expect(value.isExactInABrowser, "\(name)")
        for change in value["changes"]?["changes"]?.array ?? [] {
            kinds.insert(try #require(change.object?.members.first?.key))
        }
    }
    let told: Set = [
        "window", "heights", "rows", "place", "changes", "adjusted", "done", "refused", "pending", "unavailable",
        "unreadable",
        "insert", "remove", "replace", "redecorate",
    ]
    #expect(kinds.isSuperset(of: told), "\(told.subtracting(kinds))")
}

@Test func `what becomes of events is as the description says`() throws {
    let limits = RequestLimits()
    let answers: [EventAnswer] = [
        .accepted, .duplicate, .superseded, .invalid(field: "order", reason: "expected a number"),
        .busy(retryAfter: 100, reason: .draining), .busy(retryAfter: 100, reason: nil),
    ]
    for bytes in [
        EventAnswer.json(answers, warnings: [0: "status: unknown"], limits: limits),
        EventAnswer.json([], limits: limits),
    ] {
        #expect(JSONShape.named("Answers").fault(try JSONValue.parse(bytes)) == nil)
    }
    let fault = EventAnswer.json(RequestFault(reason: "what", limits: limits))
    #expect(JSONShape.named("Fault").fault(try JSONValue.parse(fault)) == nil)
}

@Test(arguments: [
    #"{"page":{"window":1,"side":"older","count":50}}"#, #"{"heights":{"window":1,"from":0,"to":500}}"#,
    #"{"rows":{"window":1,"rows":[1]}}"#, #"{"locate":{"window":1,"y":100}}"#,
    #"{"position":{"window":1,"message":"m3"}}"#, #"{"changes":{"window":1,"since":[1,7,0]}}"#,
    #"{"resize":{"window":1,"target":{"width":375,"scale":3},"screen":2000}}"#,
    #"{"adjust":{"window":1,"most":400,"focus":0.5}}"#,
    #"{"hold":{"window":1,"anchors":[{"row":28,"edge":"top","offset":0}]}}"#, #"{"busy":{"window":1,"is":true}}"#,
    #"{"read":{"window":1}}"#, #"{"lines":{"window":1,"row":3,"mark":"00c0ffee00c0ffee","from":0,"to":3}}"#,
    #"{"prewarm":{"conversation":"c1","targets":[]}}"#, #"{"close":{"window":1}}"#,
])
func `words that can be read are described`(text: String) throws {
    let bytes = Array(text.utf8)
    _ = try ClientWord(parsing: bytes)
    #expect(JSONShape.named("Word").fault(try JSONValue.parse(bytes)) == nil)
}

@Test(arguments: [
    #"{"conversation":"c1","message":"m1","order":1,"sender":"ada","time":1700000000000,"body":{"kind":"photo","photo":{}}}"#,
    #"{"events":[{"conversation":"c1","message":"m1","revision":2,"status":"read"}],"lane":"backfill"}"#,
    #"{"conversation":"c1","message":"m1","react":{"reader":"grace","emoji":["👍"]}}"#,
    #"{"events":[{"conversation":"c1","message":"m1","revision":3,"deleted":true}],"subject":"ada"}"#,
])
func `events that can be read are described`(text: String) throws {
    let bytes = Array(text.utf8)
    let request = try IngestRequest(parsing: bytes)
    #expect(request.events.allSatisfy { if case .success = $0 { true } else { false } })
    #expect(JSONShape.named("Events").fault(try JSONValue.parse(bytes)) == nil)
}
