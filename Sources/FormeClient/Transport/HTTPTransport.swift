public import Foundation
import Wire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A gateway over HTTP: each window is a stream of frames, and the client's questions about it are posted.
///
/// The request for a stream says in its query and its head all that the word `open` says elsewhere.
public struct HTTPTransport: GatewayTransport {
    let base: URL
    let token: @Sendable () async throws -> String

    /// The silence is longer than the fifteen seconds after which a gateway gives a sign of life.
    public let silence = Duration.seconds(20)

    /// - Parameters:
    ///   - base: the address of the service, such as `https://chat.example`.
    ///   - token: called for every connection, so that a new token can take the place of one that has expired. It has
    ///     the time of `Patience.answer`, with the connection: let one that takes longer go on, and give it to the next call.
    public init(_ base: URL, token: @escaping @Sendable () async throws -> String = { "" }) {
        (self.base, self.token) = (base, token)
    }

    public func connect(_ call: GatewayCall) async throws -> GatewayLine {
        let folder = try call.folder(at: base)
        let bearer = try await token()
        var request = URLRequest(url: try call.url(in: folder))
        request.setValue(call.form, forHTTPHeaderField: "Accept")
        if let mark = call.mark { request.setValue(mark, forHTTPHeaderField: "Last-Event-ID") }
        request.authorize(bearer)
        return try await HTTPLine(folder: folder, bearer: bearer).open(request)
    }
}

extension URLRequest {
    mutating func authorize(_ bearer: String) {
        if !bearer.isEmpty { setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
    }
}
