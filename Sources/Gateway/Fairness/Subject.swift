package import Secrets
package import Wire

/// Whom the work of an answer is charged to: the reader whom a token names, else the token, else the key of a connection, else the
/// connection itself.
package enum Subject: Hashable, Sendable {
    case reader(SenderID)
    case token(Token.ID)
    case key(String)
    case connection([UInt8])
    /// Over HTTP, where nobody is asked for a token.
    case anybody
}

extension Grant {
    package var payer: Subject {
        if let subject { return .reader(subject) }
        return token.map { .token($0.id) } ?? .anybody
    }
}
