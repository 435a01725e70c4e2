/// One request, complete with its body, as a value.
package struct Request: Sendable {
    /// The name of a request until it is answered, and of a stream while it is open. It is never used twice.
    package struct ID: Hashable, Comparable, Sendable {
        let number: UInt64
        package static func < (one: ID, other: ID) -> Bool { one.number < other.number }
    }

    package let id: ID
    package let method: Method
    package let target: RequestTarget
    package let headers: Headers
    package let body: [UInt8]
    /// The address of its sender, as the peer or a trusted proxy gives it.
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

/// The loop's decision about the head of a request that has a body.
package enum Admission {
    case body(atMost: Int)
    /// The response is sent, and the connection ends.
    case refused(Response)
}

/// The loop's answer to a complete request, when it first meets it.
package enum Answer {
    case response(Response)
    /// An answer that other requests are given, too.
    case prepared(PreparedResponse)
    /// The head of a stream, and the first bytes of it; more follow by `Server.send`, until `Server.end`.
    case stream(Response)
    /// The answer comes with `Server.answer` or `Server.stream`.
    case later
}
