import HTTP

/// A request about a window, once it is known who asks and what.
struct WindowRequest {
    let request: Request
    let endpoint: HTTPEndpoint
    let query: WindowQuery
    /// What its sender may do, and as whom it reads.
    let bearer: Grant

    init(_ request: Request, _ endpoint: HTTPEndpoint, _ query: WindowQuery, _ bearer: Grant) {
        (self.request, self.endpoint, self.query, self.bearer) = (request, endpoint, query, bearer)
    }
}
