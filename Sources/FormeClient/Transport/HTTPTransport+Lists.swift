public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPTransport {
    /// A page of the conversations that the token covers, the most active first: JSON, as the gateway's article
    /// Conversations describes it. It is `busy` for a second or so where no list has been asked for before.
    ///
    ///     let page = try await transport.conversations(count: 50)
    ///
    /// - Parameters:
    ///   - place: `next` of the page before; nil for the first one.
    ///   - reader: the reader whose unread messages are counted, where no token says it.
    public func conversations(
        count: Int = 50, after place: String? = nil, for reader: String? = nil
    ) async throws -> Data {
        var parts = URLComponents(
            url: base.appendingPathComponent("v1/conversations"), resolvingAgainstBaseURL: false)
        parts?.queryItems = [URLQueryItem(name: "count", value: "\(count)")]
        if let place { parts?.queryItems?.append(URLQueryItem(name: "after", value: place)) }
        if let reader { parts?.queryItems?.append(URLQueryItem(name: "as", value: reader)) }
        // A gateway reads a plus sign as a space, as forms do, and Foundation leaves it as it is.
        let query = parts?.percentEncodedQuery?.replacing("+", with: "%2B")
        parts?.percentEncodedQuery = query
        guard let url = parts?.url else { throw WindowError.unreachable("'\(base)' is no address of a gateway") }
        var request = URLRequest(url: url)
        request.authorize(try await token())
        let (body, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw WindowError(status: status) }
        return body
    }
}
