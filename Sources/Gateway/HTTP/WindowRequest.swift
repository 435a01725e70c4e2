import HTTP

/// A request about a window, once it is known who asks and what.
struct WindowRequest {
    let request: Request
    let endpoint: HTTPEndpoint
    let query: WindowQuery
    /// As whom its sender reads.
    let subject: String

    init(_ request: Request, _ endpoint: HTTPEndpoint, _ query: WindowQuery, subject: String) {
        (self.request, self.endpoint, self.query, self.subject) = (request, endpoint, query, subject)
    }
}
