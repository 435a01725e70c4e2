package import HTTP
package import Names
package import Secrets
import Wire

/// The subject that the work of an answer is charged to: the reader whom a token names, else the token, else the key
/// of a connection, else the connection itself.
package enum Subject: Hashable, Sendable {
    case reader(SenderID)
    case token(Token.ID)
    case key(String)
    case connection([UInt8])
    /// Over HTTP without tokens: an address elsewhere, and a connection of this machine.
    case address(PeerAddress)
    case caller(UInt64)
    case anybody

    /// The sender of a request without a token.
    init(_ request: Request) {
        self = request.address.isHere ? .caller(request.connection) : .address(request.address)
    }
}
