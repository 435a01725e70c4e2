import HTTP

/// A request about a window, with its bearer and its query.
struct WindowRequest {
    let request: Request
    let endpoint: HTTPEndpoint
    let query: WindowQuery
    /// The rights of its sender, and the subject as whom it reads.
    let bearer: Grant

    init(_ request: Request, _ endpoint: HTTPEndpoint, _ query: WindowQuery, _ bearer: Grant) {
        (self.request, self.endpoint, self.query, self.bearer) = (request, endpoint, query, bearer)
    }
}
