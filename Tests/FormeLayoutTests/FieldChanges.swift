import JSON
import MessageLayout

/// One message after one field was changed.
struct FieldChange {
    var path: String
    var value: JSONValue
    var isGeometry: Bool

    func inside(_ name: String, _ whole: JSONValue) -> FieldChange {
        FieldChange(path: "\(name).\(path)", value: whole.with(name, as: value), isGeometry: isGeometry)
    }
}

extension FieldSpec {
    /// The message with each of its fields changed in turn, and with fields added that only change paint or
    /// behaviour.
    func changes(of message: JSONValue) -> [FieldChange] {
        fields.flatMap { field -> [FieldChange] in
            let isGeometry = field.use == .geometry
            guard let value = message[field.name] else {
                guard !isGeometry, let sample = field.type.sample else { return [] }
                return [FieldChange(path: field.name, value: message.with(field.name, as: sample), isGeometry: false)]
            }
            return field.type.changes(of: value).map { change in
                var change = change.inside(field.name, message)
                change.isGeometry = change.isGeometry && isGeometry
                return change
            }
        }
    }
}

extension FieldSpec.FieldType {
    fileprivate var sample: JSONValue? {
        switch self {
        case .text: .string("sample")
        case .integer: 7
        case .flag: .bool(true)
        case .picture, .bars, .object, .list, .texts: nil
        }
    }

    fileprivate func changes(of value: JSONValue) -> [FieldChange] {
        func change(_ value: JSONValue, _ isGeometry: Bool = true) -> [FieldChange] {
            [FieldChange(path: "", value: value, isGeometry: isGeometry)]
        }
        switch self {
        case .text: return change(.string(value.string! + "x"))
        case .integer: return change(.number(JSONNumber(value.number!.integer! + 1)))
        case .flag: return change(.bool(!value.bool!))
        case .picture:
            return change(value.with("width", as: 7))
                + change(value.with("url", as: .string("https://example.com/another")), false)
                + change(value.with("blurhash", as: .string("LEHV6nWB2yk8pyo0adR*.7kCMdnj")), false)
                + change(value.with("alt", as: .string("another")), false)
        case .bars: return change(.array(value.array! + [9]))
        case .texts: return change(.array(value.array! + [.string("more")]))
        case .object(let spec): return spec.changes(of: value)
        case .list(let spec, atMost: _):
            let elements = value.array!
            return (elements.isEmpty ? [] : change(.array(elements.dropLast())))
                + elements.indices.flatMap { place in
                    spec.changes(of: elements[place]).map { change in
                        var others = elements
                        others[place] = change.value
                        return FieldChange(
                            path: "\(place).\(change.path)", value: .array(others), isGeometry: change.isGeometry)
                    }
                }
        }
    }
}
