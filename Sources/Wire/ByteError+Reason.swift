import Bytes

extension ByteError {
    /// The reason as the sender reads it: the field, the value that was found, and the values that it may have.
    package var reason: String {
        switch self {
        case .truncated(let needed, let left): "it ends too early: \(needed) bytes are needed, and \(left) are left"
        case .trailing(let count): "\(count) bytes stand behind its last field"
        case .notForme: "it does not begin with FRME"
        case .unknownVersion(let version): "version: \(version) is not \(framedVersion)"
        case .unknownKind(let kind): "kind: \(kind) is no word"
        case .unknownFlags(let flags): "flags: \(flags) is not 0"
        case .unknownCase(let code, let field): "\(field): \(code) means nothing"
        case .notUTF8: "a text is not UTF-8"
        case .tooLong(let length, let limit, let field): "\(field): \(length) is more than \(limit)"
        case .empty(let field): "\(field): it is empty"
        case .outOfRange(let number, let field): "\(field): \(number) cannot be"
        case .outOfBounds(let number, let bounds, let field):
            "\(field): \(number) is not in \(bounds.lowerBound)...\(bounds.upperBound)"
        }
    }
}
