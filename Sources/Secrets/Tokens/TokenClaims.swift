/// The claims of a token: its bearer, the rights it gives, the conversations it is for, and when it expires.
///
/// As bytes, numbers big-endian:
///
///     1  version, 1                     4  issued, seconds since 1970
///     8  key that signed                4  expires: not valid from this second on
///     1  rights, added: 1 read,         1  length of the subject, and so many bytes of UTF-8
///        2 write, 4 for everybody
///     1  scope: 0 all, 1 one            1  length of the scope's text, and so many bytes of UTF-8; 0 for all
///        conversation, 2 a prefix
///
/// The token is `forme1_` and, in base64url without padding, these bytes and the Ed25519 signature of these bytes. So
/// a backend can make tokens in any language, without a library of Forme.
package struct TokenClaims: Hashable, Sendable {
    package var key: TokenKeyID
    package var rights: TokenRights
    package var scope: TokenScope
    /// The sender as whom the bearer reads; empty for an observer.
    package var subject: String
    package var issued: TokenTime
    package var expires: TokenTime

    /// - Parameter subject: at most 255 bytes, as is the text of the scope.
    package init(
        key: TokenKeyID, rights: TokenRights, scope: TokenScope, subject: String, issued: TokenTime, expires: TokenTime
    ) {
        self.key = key
        self.rights = rights
        self.scope = scope
        self.subject = subject
        self.issued = issued
        self.expires = expires
    }

    static let version: UInt8 = 1
    static let textLimit = 255

    var bytes: [UInt8] {
        let (kind, text): (UInt8, String) =
            switch scope {
            case .all: (0, "")
            case .conversation(let name): (1, name)
            case .prefix(let start): (2, start)
            }
        precondition(subject.utf8.count <= Self.textLimit && text.utf8.count <= Self.textLimit)
        var bytes = [Self.version] + key.bytes + [rights.rawValue, kind]
        for time in [issued, expires] {
            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: time.seconds >> shift)) }
        }
        for text in [subject, text] { bytes += [UInt8(text.utf8.count)] + Array(text.utf8) }
        return bytes
    }

    /// The claims in some bytes; nil for anything but the bytes of claims.
    init?(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest.removeFirst(count) }
            return rest.prefix(count)
        }
        func time() -> TokenTime? {
            take(4).map { TokenTime(seconds: $0.reduce(0) { $0 << 8 | UInt32($1) }) }
        }
        func text() -> String? {
            take(1)?.first.flatMap { take(Int($0)) }.flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard take(1)?.first == Self.version, let key = take(TokenKeyID.length), let rights = take(1)?.first,
            TokenRights(rawValue: rights).subtracting(.known).isEmpty, let kind = take(1)?.first,
            let issued = time(), let expires = time(), let subject = text(), let name = text(), rest.isEmpty
        else { return nil }
        let scope: TokenScope
        switch kind {
        case 0 where name.isEmpty: scope = .all
        case 1: scope = .conversation(name)
        case 2: scope = .prefix(name)
        default: return nil
        }
        self.init(
            key: TokenKeyID(Array(key)), rights: TokenRights(rawValue: rights), scope: scope, subject: subject,
            issued: issued, expires: expires)
    }
}
