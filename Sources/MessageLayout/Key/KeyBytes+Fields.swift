package import JSON

/// The fields of a message that change geometry: only those that are there, in the order of their names, so that a
/// kind may get new fields and messages be written in any order.
extension KeyBytes {
    /// Adds the fields of a message that was checked. `fields` are sorted, and nothing but geometry: see
    /// `FieldSpec.geometry`.
    package mutating func fields(_ fields: FieldSpec, of value: JSONValue) {
        if case .object(let object) = value {
            // By index: an element that is taken out of its list is copied with all that is in it.
            for field in fields.fields.indices {
                guard let place = object.place(of: fields.fields[field].name) else { continue }
                text(fields.fields[field].name)
                self.value(object.members[place].value, fields.fields[field].type)
            }
        }
        missing()
    }

    private mutating func value(_ value: JSONValue, _ type: FieldSpec.FieldType) {
        switch type {
        case .text: text(value.string ?? "")
        case .integer: number(value.number)
        case .flag: flag(value.bool ?? false)
        case .picture: for side in ["width", "height"] { optional(value[side]) { $0.number($1.number) } }
        case .bars: list(value.array ?? []) { $0.number($1.number) }
        case .object(let spec): fields(spec, of: value)
        case .list(let spec, atMost: _): list(value.array ?? []) { $0.fields(spec, of: $1) }
        case .texts: list(value.array ?? []) { $0.text($1.string ?? "") }
        }
    }

    /// Adds a whole number. (Styles can tell 0 from -0.)
    private mutating func number(_ value: JSONNumber?) {
        flag(value?.isNegative ?? false)
        number(Int64(bitPattern: value?.magnitude ?? 0))
    }
}

extension FieldSpec {
    /// The fields that change geometry, at all depths, sorted by name.
    package var geometry: FieldSpec {
        let own = fields.filter { $0.use == .geometry }.map { field in
            var field = field
            field.type = field.type.geometry
            return field
        }
        return FieldSpec(fields: own.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }
}

extension FieldSpec.FieldType {
    fileprivate var geometry: FieldSpec.FieldType {
        switch self {
        case .text, .integer, .flag, .picture, .bars, .texts: self
        case .object(let spec): .object(spec.geometry)
        case .list(let spec, let most): .list(spec.geometry, atMost: most)
        }
    }
}
