/// An answer that is given again and again, as libmicrohttpd holds it: to give it once more, nothing is made and nothing copied.
@safe package final class PreparedResponse {
    private let body: ResponseBody
    private let head: Response

    /// Nil when a file is not there any more, or what cannot stand in a head does.
    package init?(_ response: Response) {
        guard let body = ResponseBody(response.body), body.addAll(response.headers) else { return nil }
        self.body = body
        head = Response(response.status, headers: response.headers)
    }

    /// What is said to somebody who asks for it: itself, or that they have it.
    package func answer(to request: Request) -> Answer {
        head.notModified(for: request).map { .response($0) } ?? .prepared(self)
    }

    func queue(to exchange: Exchange) -> Bool { unsafe body.queue(status: head.status, to: exchange.connection) }
}
