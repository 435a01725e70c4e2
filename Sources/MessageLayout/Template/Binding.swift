import JSON

/// A way into a message: `reply.sender`. The element that a part repeats for (`each`) comes before the message's own
/// fields.
package struct FieldPath: Hashable, Sendable {
    package var names: [String]

    package init(_ names: [String]) { self.names = names }

    package var description: String { names.joined(separator: ".") }
}

/// The content of a text part, as a style says it: `"{text}"`, or `"Forwarded from {forward.from}"`.
package struct TextBinding: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case literal(String)
        case field(FieldPath, Format)
    }

    package var pieces: [Piece]

    /// The form in which a number is written.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// As it is.
        case plain
        /// Seconds as 1:05.
        case time
        /// 1.4 MB
        case bytes
        /// 12, 1.2K, 3.4M
        case count
        /// 45%
        case percent
    }

    /// The field, if it shows one field unchanged and nothing else.
    package var field: FieldPath? {
        if pieces.count == 1, case .field(let path, .plain) = pieces[0] { path } else { nil }
    }

    package var firstField: FieldPath? {
        pieces.lazy.compactMap { piece in
            if case .field(let path, _) = piece { path } else { nil }
        }.first
    }

    /// The text, if it is the same for every message.
    package var literal: String? {
        guard pieces.count <= 1 else { return nil }
        switch pieces.first {
        case nil: return ""
        case .literal(let text): return text
        case .field: return nil
        }
    }

    /// The binding as it was written, with the style's own words filled in: a client can write its text again from it.
    package var pattern: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .field(let path, .plain): "{\(path.description)}"
            case .field(let path, let format): "{\(path.description)|\(format.rawValue)}"
            }
        }.joined()
    }
}

extension TextBinding {
    /// Braces hold a field, or with `$` a word of the style's `strings`; `{{` is a brace.
    init(_ reader: JSONReader, strings: [String: String]) throws(JSONError) {
        let text = try reader.string()
        pieces = []
        var literal = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            literal += rest[..<brace]
            rest = rest[rest.index(after: brace)...]
            if rest.first == "{" {
                literal += "{"
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(of: "}") else { throw reader.mismatch(expected: "a '}' for every '{'") }
            let inside = rest[..<end]
            rest = rest[rest.index(after: end)...]
            if inside.first == "$" {
                guard let word = strings[String(inside.dropFirst())] else {
                    throw reader.mismatch(expected: "a word of 'strings' behind '$'")
                }
                literal += word
                continue
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
            pieces.append(try TextBinding.field(inside, reader))
        }
        literal += rest
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }

    private static func field(_ inside: Substring, _ reader: JSONReader) throws(JSONError) -> Piece {
        let parts = inside.split(separator: "|", omittingEmptySubsequences: false)
        guard let path = FieldPath(text: parts[0]) else {
            throw reader.mismatch(expected: "'{field}' or '{field|format}'")
        }
        guard parts.count > 1 else { return .field(path, .plain) }
        guard parts.count == 2, let format = Format(rawValue: String(parts[1])) else {
            let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw reader.mismatch(expected: "one of the formats \(known) behind '|'")
        }
        return .field(path, format)
    }
}

extension FieldPath {
    /// `reply.sender`; nil where a name is missing.
    init?(text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } })
        else { return nil }
        names = parts.map { String($0) }
    }

    init(_ reader: JSONReader) throws(JSONError) {
        guard let path = FieldPath(text: try reader.string()) else {
            throw reader.mismatch(expected: "a field, such as 'text' or 'reply.sender'")
        }
        self = path
    }
}

/// A condition for a part to be there: `"reply"`, `"!reply"`, `"kind=code"`.
package struct Condition: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// The field is there, and not false, zero or empty.
        case holds
        case equals(String)
    }

    package var path: FieldPath
    package var test: Test
    package var isNegated: Bool

    init(_ reader: JSONReader) throws(JSONError) {
        var text = try reader.string()[...]
        isNegated = text.first == "!"
        if isNegated { text = text.dropFirst() }
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = FieldPath(text: sides[0]) else {
            throw reader.mismatch(expected: "a condition: 'field', '!field' or 'field=word'")
        }
        self.path = path
        test = sides.count == 2 ? .equals(String(sides[1])) : .holds
    }
}
