/// The pages of other origins that may read answers (CORS): none by default.
package struct CrossOrigin: Equatable, Sendable {
    /// The allowed origins, such as `https://chat.example`; `*` allows every page.
    package var origins: Set<String>

    /// The fields that such a page may read, beside those that CORS always lets it read.
    private let exposed: [String]

    package init(origins: Set<String> = [], exposing exposed: [String] = []) {
        self.origins = origins
        self.exposed = ["ETag", "Retry-After", "Content-Range"] + exposed
    }

    /// Adds the fields that let the asking page read this answer, if it may.
    package func opened(_ response: Response, to request: Request) -> Response {
        guard !origins.isEmpty else { return response }
        var response = response
        // A cache must not hand one origin the answer to another.
        let varies = response.headers["Vary"]
        if !origins.contains("*"), !(varies?.hasSuffix("Origin") ?? false) {
            response.headers["Vary"] = varies.map { $0 + ", Origin" } ?? "Origin"
        }
        guard let origin = allowed(request) else { return response }
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = exposed.joined(separator: ", ")
        return response
    }

    /// The answer to a preflight: a browser asks, before a request, whether it may send it. Nil for any other
    /// request.
    package func preflight(_ request: Request, methods: [Method]) -> Response? {
        guard request.method == .options, request.headers["Access-Control-Request-Method"] != nil,
            allowed(request) != nil
        else { return nil }
        return opened(
            Response(
                204,
                headers: [
                    "Access-Control-Allow-Methods": methods.map(\.name).joined(separator: ", "),
                    "Access-Control-Allow-Headers":
                        "Authorization, Content-Type, If-None-Match, If-Range, Last-Event-ID, Range",
                    "Access-Control-Max-Age": "600",
                ]), to: request)
    }

    /// The origin whose pages may read the answer to this request; nil where it has no origin, or one that is not
    /// allowed.
    package func allowed(_ request: Request) -> String? {
        guard !origins.isEmpty, let origin = request.headers["Origin"] else { return nil }
        return origins.contains("*") ? "*" : origins.contains(origin) ? origin : nil
    }
}
