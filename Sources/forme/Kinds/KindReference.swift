import Console
import JSON
import MessageLayout

/// The fields of messages of a kind, as its style reads them.
struct KindReference {
    let template: Template
    /// Fields that every kind of the style may have.
    private let common: Set<String>

    init(_ template: Template, of style: StyleSheet) {
        (self.template, common) = (template, Set(style.carried.fields.map(\.name)))
    }

    /// A field, or one of an object within: `options[].text`.
    private struct Line {
        var name: String
        var type: String
        var field: FieldSpec.Field
        var isCommon: Bool

        var isRequired: String { field.isRequired ? "required" : "" }

        /// The use of the field where it is not for the layout; empty otherwise.
        var use: String {
            switch field.use {
            case .geometry: ""
            case .paint: "changes looks alone"
            case .behaviour: "not drawn"
            }
        }
    }

    /// A row of the list of kinds.
    var row: [String] {
        func names(_ isMeant: (FieldSpec.Field) -> Bool) -> String {
            let own = template.fields.fields.filter { !common.contains($0.name) && isMeant($0) }.map(\.name)
            return own.isEmpty ? "-" : own.joined(separator: ", ")
        }
        return [template.kind, names(\.isRequired), names { !$0.isRequired }]
    }

    static let heading = ["kind", "must have", "may have"]

    var text: String {
        let lines = lines(of: template.fields, within: "", isCommon: nil)
        func table(_ lines: [Line]) -> String {
            Columns.aligned(
                [["field", "type", "", ""]] + lines.map { [$0.name, $0.type, $0.isRequired, $0.use] },
                left: [0, 1, 2, 3])
        }
        let (shared, own) = (lines.filter(\.isCommon), lines.filter { !$0.isCommon })
        return [
            own.isEmpty ? "\(template.kind) has no fields of its own" : table(own),
            shared.isEmpty ? nil : "as every kind of this style:\n\n" + table(shared),
            "and lang, the language of its words: a tag such as ja, zh-Hant or ur-Aran",
            "an example, which forme layout draws:\n\n" + example,
        ]
        .compactMap(\.self).joined(separator: "\n\n")
    }

    /// A message with all fields of the kind.
    var example: String { String(decoding: SampleMessage.make(of: template), as: UTF8.self) }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("kind")
            json.string(template.kind)
            json.key("fields")
            json.array { json in
                for line in lines(of: template.fields, within: "", isCommon: nil) {
                    json.object {
                        $0.key("field")
                        $0.string(line.name)
                        $0.key("type")
                        $0.string(line.type)
                        $0.key("required")
                        $0.bool(line.field.isRequired)
                        $0.key("use")
                        $0.string(line.field.use.rawValue)
                        $0.key("every_kind")
                        $0.bool(line.isCommon)
                    }
                }
            }
            json.key("example")
            json.string(example)
        }
    }

    private func lines(of spec: FieldSpec, within path: String, isCommon: Bool?) -> [Line] {
        spec.fields.flatMap { field in
            let isCommon = isCommon ?? common.contains(field.name)
            let name = path + field.name
            let line = Line(name: name, type: type(of: field.type), field: field, isCommon: isCommon)
            switch field.type {
            case .object(let inner): return [line] + lines(of: inner, within: name + ".", isCommon: isCommon)
            case .list(let inner, _): return [line] + lines(of: inner, within: name + "[].", isCommon: isCommon)
            case .text, .integer, .flag, .picture, .bars, .texts: return [line]
            }
        }
    }

    private func type(of type: FieldSpec.FieldType) -> String {
        switch type {
        case .text(let most): most == FieldSpec.longestText ? "text" : "text of \(most) bytes at most"
        case .integer: "integer"
        case .flag: "true or false"
        case .picture: "{\"width\": …, \"height\": …} in pixels, or {}"
        case .bars: "numbers from 0 to 255"
        case .object: "object"
        case .list(_, let most): "list of \(most) objects at most"
        case .texts(let most): "list of \(most) texts at most"
        }
    }
}
