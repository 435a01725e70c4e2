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

        /// The bytes that are kept in memory until it is sent.
        var bytesInMemory: Int { if case .bytes(let bytes) = self { bytes.count } else { 0 } }
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
    /// - Parameters:
    ///   - detail: what to do about it.
    ///   - name: the name of the reason, where clients have to tell it from others of this status. It stays the same in
    ///     other versions, and the sentence may not.
    package static func problem(
        _ status: Int, _ title: StaticString, _ detail: StaticString? = nil, because name: String? = nil
    ) -> Response {
        problem(status, title, [("detail", detail.map { "\($0)" }), ("because", name)])
    }

    /// - Parameter limit: the most bytes of a body there.
    static func tooLarge(limit: Int) -> Response {
        problem(413, "Body is too large", [("detail", "a body has at most \(limit) bytes here")])
    }

    /// - Parameter more: members with the service's own words and numbers, in which nothing has to be escaped.
    private static func problem(_ status: Int, _ title: StaticString, _ more: [(String, String?)]) -> Response {
        let members = more.compactMap { name, text in text.map { #","\#(name)":"\#($0)""# } }.joined()
        let text = #"{"type":"about:blank","title":"\#(title)","status":\#(status)\#(members)}"#
        return Response(
            status, headers: ["Content-Type": "application/problem+json", "Cache-Control": "no-store"],
            body: .bytes(Array((text + "\n").utf8)))
    }
}
