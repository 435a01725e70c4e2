/// An answer that is given again and again, in libmicrohttpd's own form: giving it once more builds nothing and
/// copies nothing.
@safe package final class PreparedResponse {
    private let body: ResponseBody
    private let head: Response
    /// The bytes that it keeps in memory, and the number of clients to which it is on its way.
    let count: Int
    var takers = 0

    /// Nil when a file is not there any more, or a field cannot stand in a head.
    package init?(_ response: Response) {
        guard let body = ResponseBody(response.body), body.addAll(response.headers) else { return nil }
        self.body = body
        head = Response(response.status, headers: response.headers)
        count = response.body.bytesInMemory
    }

    /// The answer to a request for it: the response itself, or *not modified*.
    package func answer(to request: Request) -> Answer {
        head.notModified(for: request).map { .response($0) } ?? .prepared(self)
    }

    func queue(to exchange: Exchange) -> Bool { unsafe body.queue(status: head.status, to: exchange.connection) }
}
