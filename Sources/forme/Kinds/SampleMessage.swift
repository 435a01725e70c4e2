import JSON
import MessageLayout

/// A message of a kind that nobody has written one for: each of its fields says something, in the field's own name.
enum SampleMessage {
    static func make(of template: Template) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("kind")
            json.string(template.kind)
            write(template.fields, to: &json)
        }
        return json.bytes
    }

    /// Fields that only decide what a touch does are left out, as they are not seen.
    private static func write(_ spec: FieldSpec, to json: inout JSONWriter) {
        for field in spec.fields where field.isRequired || field.use != .behaviour && !common.contains(field.name) {
            json.key(field.name)
            write(field.type, named: field.name, to: &json)
        }
    }

    /// The fields that a message of any kind may have; messages of the other kinds show them.
    private static let common: Set = [
        "reply", "forward", "reactions", "thread", "translation", "edited", "status", "sender", "time",
    ]

    private static func write(_ type: FieldSpec.FieldType, named name: String, to json: inout JSONWriter) {
        switch type {
        case .text: json.string(name == "name" ? "Ada" : words(name))
        case .integer: json.integer(42)
        case .flag: json.bool(true)
        case .picture:
            json.object { json in
                json.key("width")
                json.integer(1200)
                json.key("height")
                json.integer(900)
            }
        case .bars: json.array { json in for bar in 0..<40 { json.integer(40 + bar * 37 % 200) } }
        case .object(let spec): json.object { write(spec, to: &$0) }
        case .list(let spec, let most):
            json.array { json in for _ in 0..<min(most, 2) { json.object { write(spec, to: &$0) } } }
        case .texts(let most): json.array { json in for _ in 0..<min(most, 2) { json.string(words(name)) } }
        }
    }

    /// `buttonTitle` as "Button title".
    private static func words(_ name: String) -> String {
        let spaced = name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
        return spaced.prefix(1).uppercased() + spaced.dropFirst()
    }
}
