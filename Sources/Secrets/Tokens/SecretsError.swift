import Glibc

/// The reason why keys cannot be read or kept. Its text says what to do, and names files only.
package enum SecretsError: Error, Equatable, Sendable {
    case unreadable(path: String, code: Int32)
    /// The list of revoked tokens is there, or may be, and nothing of it can be read; no code where it is no text.
    case unreadableList(path: String, code: Int32?)
    case unwritable(path: String, code: Int32)
    /// Users other than its owner may read the file.
    case exposed(path: String)
    /// The file has not the content that it should have.
    case damaged(path: String)
    /// The list of revoked tokens has lines that cannot be understood.
    case damagedList(path: String)
    case noKeys(folder: String)
    case hasKeys(folder: String)
    case unknownKey(String, folder: String)
}

extension SecretsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let code): "\(path) cannot be read: \(reason(code)); check the path and its owner"
        case .unreadableList(let path, let code):
            "\(path), the list of revoked tokens, cannot be read by this user (\(code.map(reason) ?? "it is no text")), so no token is "
                + "accepted; give it the owner of its folder, or mend it"
        case .unwritable(let path, let code):
            "\(path) cannot be written: \(reason(code)); check the path, its owner and the disk"
        case .exposed(let path): "\(path) can be read by others than its owner; run: chmod 600 \(path)"
        case .damaged(let path): "\(path) holds no key of Forme; restore it, or revoke it and make another"
        case .damagedList(let path):
            "\(path) has lines that are not the id of a token and the second in which it expires; mend or remove them"
        case .noKeys(let folder): "\(folder) has no key to sign with; run: forme token keys make --keys \(folder)"
        case .hasKeys(let folder): "\(folder) has a key already; run: forme token keys rotate --keys \(folder)"
        case .unknownKey(let id, let folder):
            "\(folder) has no key \(id); list those it has: forme token keys list --keys \(folder)"
        }
    }
}

private func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
