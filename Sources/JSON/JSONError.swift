/// The fault of a text or of a value in it, and its place: `config/fonts.json5:3:14: weight: expected …`.
package struct JSONError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        // The text is not what its dialect allows.
        case unexpected(Unicode.Scalar?, expected: Expectation)  // nil is the end of the text
        case invalidUTF8
        case controlCharacter(UInt8)
        case invalidEscape
        case loneSurrogate(UInt16)
        case leadingZero
        case notFinite
        case duplicateKey(String)
        // The text exceeds a limit.
        case textLimit(Int)
        case depthLimit(Int)
        case stringLimit(Int)
        case memberLimit(Int)
        case numberLimit
        // The text is well formed, and its reader cannot use it.
        case mismatch(expected: String, found: String)
        case missingField(String)
        case unknownField(known: [String])
    }

    package enum Expectation: String, Hashable, Sendable {
        case value = "a value"
        case key = "a key"
        case colon = "':'"
        case commaOrBracket = "',' or ']'"
        case commaOrBrace = "',' or '}'"
        case digit = "a digit"
        case endOfString = "the end of the string"
        case endOfComment = "'*/'"
        case endOfText = "the end of the text"
    }

    /// A place in a text, one-based; columns count Unicode scalars.
    package struct Position: Hashable, Sendable {
        package var line: Int
        package var column: Int
    }

    package var problem: Problem
    package var path: JSONPath
    package var position: Position?
    package var source: String?

    package init(problem: Problem, path: JSONPath = .root, position: Position? = nil) {
        (self.problem, self.path, self.position) = (problem, path, position)
    }
}

extension JSONError.Position {
    init(of offset: Int, in bytes: some Collection<UInt8>) {
        (line, column) = (1, 1)
        var last: UInt8 = 0
        for byte in bytes.prefix(offset) {
            switch byte {
            case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (line, column) = (line + 1, 1)
            case 0x80...0xBF: break
            default: column += 1
            }
            last = byte
        }
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        var place = position.map { "\($0.line):\($0.column): " } ?? ""
        if let source { place = "\(source):" + (place.isEmpty ? " " : place) }
        return place + (path == .root ? "" : "\(path): ") + problem.description
    }
}

extension JSONError {
    /// The description without the value that was found, for people who may not see the text.
    package var discreet: String {
        var error = self
        switch problem {
        case .unexpected(_?, let expected): error.problem = .mismatch(expected: expected.rawValue, found: "")
        case .mismatch(let expected, _): error.problem = .mismatch(expected: expected, found: "")
        case .duplicateKey: error.problem = .duplicateKey("…")
        case .unexpected(nil, _), .invalidUTF8, .controlCharacter, .invalidEscape, .loneSurrogate, .leadingZero,
            .notFinite,
            .textLimit, .depthLimit, .stringLimit, .memberLimit, .numberLimit, .missingField, .unknownField:
            break
        }
        return error.description
    }
}

extension JSONError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpected(let found?, let expected): "expected \(expected.rawValue), found \(Self.quoted(found))"
        case .unexpected(nil, let expected): "expected \(expected.rawValue), found the end of the text"
        case .invalidUTF8: "not UTF-8"
        case .controlCharacter(let byte): "control character \(byte) in a string; write it as an escape"
        case .invalidEscape: "not an escape of this dialect"
        case .loneSurrogate(let unit): "\\u\(String(unit, radix: 16)) is half of a surrogate pair"
        case .leadingZero: "a number does not begin with 0 and another digit"
        case .notFinite: "Infinity and NaN are not numbers here"
        case .duplicateKey(let key): "'\(key)' is there twice"
        case .textLimit(let limit): "longer than \(limit) bytes"
        case .depthLimit(let limit): "nested deeper than \(limit)"
        case .stringLimit(let limit): "a string of more than \(limit) bytes"
        case .memberLimit(let limit): "more than \(limit) members"
        case .numberLimit: "a number of more than 64 bits or an exponent beyond \(JSONNumber.exponents.upperBound)"
        case .mismatch(let expected, ""): "expected \(expected), found something else"
        case .mismatch(let expected, let found): "expected \(expected), found \(found)"
        case .missingField(let name): "'\(name)' is missing"
        case .unknownField(let known): "unknown; known are \(known.joined(separator: ", "))"
        }
    }

    private static func quoted(_ scalar: Unicode.Scalar) -> String {
        scalar.value < 0x20 || scalar.value == 0x7F ? "U+\(String(scalar.value, radix: 16))" : "'\(scalar)'"
    }
}
