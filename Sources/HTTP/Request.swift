/// One request, complete with its body, as a value.
package struct Request: Sendable {
    /// Names a request while it is not answered, and a stream while it is open. Never used twice.
    package struct ID: Hashable, Comparable, Sendable {
        let number: UInt64
        package static func < (one: ID, other: ID) -> Bool { one.number < other.number }
    }

    package let id: ID
    package let method: Method
    package let target: RequestTarget
    package let headers: Headers
    package let body: [UInt8]
    /// From where it comes, as the peer or a trusted proxy says.
    package let address: PeerAddress
    /// The number of the connection that it came on.
    package let connection: UInt64

    package init(
        id: ID = ID(number: 0), method: Method, target: RequestTarget, headers: Headers = [:], body: [UInt8] = [],
        from address: PeerAddress = .none, on connection: UInt64 = 0
    ) {
        self.id = id
        (self.address, self.connection) = (address, connection)
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// What the loop says to the head of a request that has a body.
package enum Admission {
    case body(atMost: Int)
    /// The connection is ended.
    case refused(Response)
}

/// What the loop says to a request when it meets it.
package enum Answer {
    case response(Response)
    /// The same that others are given.
    case prepared(PreparedResponse)
    /// The head of a stream, and the first bytes of it; more follow by `Server.send`, until `Server.end`.
    case stream(Response)
    /// `Server.answer` or `Server.stream` will say it.
    case later
}
