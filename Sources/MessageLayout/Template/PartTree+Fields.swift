import JSON

/// Checks the fields that parts ask for against the fields of the kind: a slip of the pen in a style is an error when
/// it is read, and not an empty text when it is shown.
///
/// Parts may ask only for fields that are said to change geometry. Else a layout would change with a field that is
/// not in its key.
extension PartTree {
    func check(_ fields: FieldSpec) throws(JSONError) { try check(FieldScope(fields: fields.geometry)) }

    private func check(_ outer: FieldScope) throws(JSONError) {
        var scope = outer
        if let each = part.each {
            guard let element = try type(of: each, scope).element else { throw mismatch(each, expected: "a list") }
            scope.locals[part.eachName] = element
        }
        for condition in part.conditions { _ = try type(of: condition.path, scope) }
        if let amount = part.amount { try expect(amount, scope, "a number") { $0 == .integer } }
        try checkContent(&scope)
        if let about = part.about { _ = try type(of: about, scope) }
        for child in children { try child.check(scope) }
    }

    private func checkContent(_ scope: inout FieldScope) throws(JSONError) {
        switch part.content {
        case .none, .literal: break
        case .text(let binding):
            for case .field(let path, _) in binding.pieces {
                try expect(path, scope, "a text or a number") { $0.isShown || $0 == FieldScope.block }
            }
        case .picture(let path): try expect(path, scope, "a picture") { $0 == .picture }
        case .bars(let path): try expect(path, scope, "bars") { $0 == .bars }
        case .markdown(let path):
            try expect(path, scope, "a text") { $0.isShown }
            scope.locals["block"] = FieldScope.block
        }
    }

    private func expect(
        _ path: FieldPath, _ scope: FieldScope, _ expected: String, _ test: (FieldSpec.FieldType) -> Bool
    ) throws(JSONError) {
        guard test(try type(of: path, scope)) else { throw mismatch(path, expected: expected) }
    }

    private func type(of path: FieldPath, _ scope: FieldScope) throws(JSONError) -> FieldSpec.FieldType {
        if let type = scope.type(of: path) { return type }
        throw mismatch(path, expected: "a field of this kind that changes geometry (\(scope.known))")
    }

    private func mismatch(_ field: FieldPath, expected: String) -> JSONError {
        JSONError(problem: .mismatch(expected: expected, found: "'\(field.description)'"), path: path)
    }
}

/// The fields that can be asked for at some place of a template: those of a message, and in front of them list
/// elements.
private struct FieldScope {
    let fields: FieldSpec
    var locals: [String: FieldSpec.FieldType] = [:]

    /// A block of Markdown: a text with facts about itself.
    static let block = FieldSpec.FieldType.object(
        FieldSpec(fields: [
            field("marker", .text(FieldSpec.longestText)), field("level", .integer), field("depth", .integer),
            field("quotes", .integer), field("nested", .integer), field("language", .text(FieldSpec.longestText)),
        ]))

    private static func field(_ name: String, _ type: FieldSpec.FieldType) -> FieldSpec.Field {
        FieldSpec.Field(name: name, type: type, use: .geometry, isRequired: false)
    }

    var known: String { (locals.keys + fields.fields.map(\.name)).sorted().joined(separator: ", ") }

    func type(of path: FieldPath) -> FieldSpec.FieldType? {
        var type = locals[path.names[0]] ?? fields[path.names[0]]?.type
        for name in path.names.dropFirst() {
            guard case .object(let spec) = type else { return nil }
            type = spec[name]?.type
        }
        return type
    }
}

extension FieldSpec.FieldType {
    /// The type of an element of a list; nil for other types.
    fileprivate var element: FieldSpec.FieldType? {
        switch self {
        case .list(let spec, _): .object(spec)
        case .texts: .text(FieldSpec.longestText)
        case .text, .integer, .flag, .picture, .bars, .object: nil
        }
    }

    fileprivate var isShown: Bool {
        switch self {
        case .text, .integer: true
        case .flag, .picture, .bars, .object, .list, .texts: false
        }
    }
}
