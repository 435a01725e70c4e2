import Foundation
import JSON
import MessageLayout
import TestSupport

/// A style and its kinds as their files have them, to be changed before they are read.
struct StyleSource {
    var style: JSONValue
    var kinds: [String: JSONValue] = [:]

    init(_ name: String) throws {
        style = try StyleSource.value("config/styles/\(name).json5")
        for kind in Kinds.names { kinds[kind] = try StyleSource.value("config/styles/kinds/\(kind).json5") }
    }

    private static func value(_ path: String) throws -> JSONValue {
        try JSONValue.parse(Array(Data(contentsOf: Project.file(path))), dialect: .json5)
    }

    func sheet() throws -> StyleSheet {
        var sheet = try StyleSheet(JSONReader(style))
        for kind in kinds.keys.sorted() { try sheet.addKind(JSONReader(kinds[kind]!)) }
        return sheet
    }

    /// The parts that a kind is made of: its content, its frame, and the parts that these use.
    func material(of kind: String) -> [JSONValue] {
        guard let file = kinds[kind], let frame = file["frame"]?.string.flatMap({ style["frames"]?[$0] })
        else { return [] }
        let jumbo = file["jumbo"]?["kind"]?.string.map { material(of: $0) } ?? []
        return [file["content"], frame].compactMap(\.self).flatMap { withParts($0) } + jumbo
    }

    private func withParts(_ value: JSONValue) -> [JSONValue] {
        let used = value.strings { $0 == "use" }.compactMap { style["parts"]?[$0] }
        return [value] + used.flatMap { withParts($0) }
    }

    /// The kinds that use a length, a text or a word of the style.
    func kinds(using name: String, under isKey: (String) -> Bool) -> Set<String> {
        Set(kinds.keys.filter { material(of: $0).contains { $0.strings(under: isKey).contains(name) } })
    }
}

extension JSONValue {
    /// The strings that stand behind some keys, at any depth.
    func strings(under isKey: (String) -> Bool) -> [String] {
        switch self {
        case .null, .bool, .number, .string: []
        case .array(let elements): elements.flatMap { $0.strings(under: isKey) }
        case .object(let object):
            object.members.flatMap { (isKey($0.key) ? $0.value.ownStrings : []) + $0.value.strings(under: isKey) }
        }
    }

    private var ownStrings: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.ownStrings)
        case .null, .bool, .number, .object: []
        }
    }

    /// The value with a change at a path. A member that is not there is null before, and is added last.
    func changed(_ path: String..., by change: (JSONValue) -> JSONValue) -> JSONValue {
        changed(path[...], by: change)
    }

    func with(_ path: String..., as value: JSONValue) -> JSONValue { changed(path[...]) { _ in value } }

    private func changed(_ path: ArraySlice<String>, by change: (JSONValue) -> JSONValue) -> JSONValue {
        guard let key = path.first else { return change(self) }
        var members = object?.members ?? []
        let place = members.firstIndex { $0.key == key } ?? members.count
        if place == members.count { members.append(.init(key, .null)) }
        members[place].value = members[place].value.changed(path.dropFirst(), by: change)
        return .object(JSONObject(members))
    }

    /// The value with the members of every object in reverse order.
    var turnedAround: JSONValue {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map(\.turnedAround))
        case .object(let object):
            .object(JSONObject(object.members.reversed().map { .init($0.key, $0.value.turnedAround) }))
        }
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
}
