/// The answer to a request, as a value. Length, date and framing are the server's business.
package struct Response: Equatable, Sendable {
    package enum Body: Equatable, Sendable {
        case bytes([UInt8])
        /// A part of a file, which is read while it is sent.
        case file(path: String, offset: UInt64, count: UInt64)

        package var count: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .file(_, _, let count): count
            }
        }
    }

    package var status: Int
    package var headers: Headers
    package var body: Body

    package init(_ status: Int, headers: Headers = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ status: Int, _ type: String, _ bytes: [UInt8]) {
        self.init(status, headers: ["Content-Type": type], body: .bytes(bytes))
    }

    /// A refusal that programs can read (RFC 9457). It repeats the status, and reveals nothing of the stored data.
    /// - Parameter detail: what to do about it.
    package static func problem(_ status: Int, _ title: StaticString, _ detail: StaticString? = nil) -> Response {
        problem(status, title, because: detail.map { "\($0)" })
    }

    /// - Parameter limit: the most bytes of a body there.
    static func tooLarge(limit: Int) -> Response {
        problem(413, "Body is too large", because: "a body has at most \(limit) bytes here")
    }

    /// - Parameter detail: a text of the service's own words and numbers, in which nothing has to be escaped.
    private static func problem(_ status: Int, _ title: StaticString, because detail: String?) -> Response {
        let reason = detail.map { #","detail":"\#($0)""# } ?? ""
        let text = #"{"type":"about:blank","title":"\#(title)","status":\#(status)\#(reason)}"#
        return Response(
            status, headers: ["Content-Type": "application/problem+json", "Cache-Control": "no-store"],
            body: .bytes(Array((text + "\n").utf8)))
    }
}
