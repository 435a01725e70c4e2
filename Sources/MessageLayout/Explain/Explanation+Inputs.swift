import JSON
import Typography

extension Explanation.Inputs {
    init(_ message: JSONValue, _ plan: Plan, _ template: Template, _ metrics: TargetMetrics, _ sheet: StyleSheet) {
        kind = template.kind
        (fields, ignored) = ([], [])
        for member in message.object?.members ?? [] {
            guard let field = template.fields[member.key] else { continue }
            if field.use == .geometry {
                fields.append((member.key, field.type.geometry(of: member.value)))
            } else {
                ignored.append((member.key, field.use.rawValue))
            }
        }
        let used = Set(plan.shapes.flatMap(\.allLengths)).subtracting([.zero])
        lengths = used.sorted { $0.place < $1.place }.map { length in
            (sheet.tables.name(of: length), metrics.pixels(length))
        }
        let places = Set(plan.shapes.filter { $0.operation == .text }.map(\.number))
        roles = places.sorted().map { place in
            let role = metrics.roles[Int(place)]
            return Explanation.Role(
                name: sheet.tables.name(ofRole: Int16(place)), fontSize: role.face.fontSize, pitch: role.face.pitch,
                ascent: role.face.ascent, weight: sheet.tables.roleList[Int(place)].style.weight)
        }
    }
}

extension FieldSpec.FieldType {
    /// The value without fields that change only paint or behaviour.
    fileprivate func geometry(of value: JSONValue) -> JSONValue {
        switch self {
        case .text, .integer, .flag, .picture, .bars, .texts: value
        case .object(let spec): spec.geometry(of: value)
        case .list(let spec, atMost: _): .array((value.array ?? []).map { spec.geometry(of: $0) })
        }
    }
}

extension FieldSpec {
    fileprivate func geometry(of value: JSONValue) -> JSONValue {
        let members = (value.object?.members ?? []).compactMap { member -> JSONObject.Member? in
            guard let field = self[member.key], field.use == .geometry else { return nil }
            return JSONObject.Member(member.key, field.type.geometry(of: member.value))
        }
        return .object(JSONObject(members))
    }
}

extension StyleTables {
    /// The name of a length; its points if it has none.
    fileprivate func name(of length: LengthID) -> String {
        if let named = lengthNames.first(where: { $0.value == length }) { return named.key }
        let raw = lengthList[Int(length.place)].points.raw
        return raw % 64 == 0 ? "\(raw / 64) points" : "\(Double(raw) / 64) points"
    }

    fileprivate func name(ofRole place: Int16) -> String {
        roleNames.first { $0.value.place == place }?.key ?? "role \(place)"
    }
}
