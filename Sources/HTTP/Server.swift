/// An HTTP/1.1 server that is one of the things a loop waits for: requests come out of it as values, and answers go in.
///
///     let server = try Server(ServerOptions(address: "127.0.0.1:8080"))
///     // when server.descriptor is readable, and at the latest after server.rest:
///     server.turn { request in .response(Response(200, "text/plain", Array("Hello\n".utf8))) }
///
/// It lives and dies on one thread, like a socket. A request that is not answered within a turn is answered by its
/// `id` at any later time; a stream is open until it is ended, its reader goes, or its reader falls behind.
package struct Server: ~Copyable {
    private let daemon: Daemon

    /// Listens at once; requests are answered from the first turn on.
    package init(_ options: ServerOptions) throws(HTTPError) { daemon = try Daemon(options) }

    /// The port that it was given, or the one that the kernel chose for 0.
    package var port: UInt16 { daemon.port }

    /// The descriptor to wait for: readable when there is something to do in a turn. It is open as long as `owner`
    /// lives.
    package var descriptor: Int32 { daemon.descriptor }
    package var owner: AnyObject { daemon }

    /// The longest time until the next turn, if nothing becomes readable before. Zero after `answer`, `send` and the
    /// like.
    package var rest: Duration { daemon.rest }

    /// Receives and sends, and asks for the answer to each request that is complete; never waits.
    ///
    /// - Parameters:
    ///   - admit: asked once about each request that has a body, when its head is there and none of its body was
    ///     taken. A request that it refuses costs no more memory than that head.
    ///   - answer: asked about each request that is complete.
    /// - Returns: the streams that have ended since the last turn, for any reason.
    package func turn(
        admitting admit: (Request) -> Admission = { _ in .body(atMost: .max) }, _ answer: (Request) -> Answer
    ) -> [Request.ID] { daemon.turn(admit, answer) }

    /// Marks the sender of the request that is being admitted or answered as known: its connection is not among the
    /// first to be closed when there are too many.
    package func vouch() { daemon.met?.visit?.isKnown = true }

    /// The error that keeps a renewed certificate from being shown; nil where there is none.
    package var certificateTrouble: HTTPError? { daemon.shown?.trouble }

    /// Answers a request that was put off. Nothing happens if its client has gone.
    package func answer(_ id: Request.ID, _ response: Response) { daemon.answer(id, response) }

    /// Opens a stream for a request that was put off; false if its client has gone.
    package func stream(_ id: Request.ID, _ head: Response) -> Bool { daemon.stream(id, head) }

    /// Gives a stream more bytes. They are sent in the next turn, and shared, not copied, until then.
    package func send(_ id: Request.ID, _ bytes: [UInt8]) -> Sent { daemon.send(id, bytes) }

    /// Ends a stream once all its bytes are sent.
    package func end(_ id: Request.ID) { daemon.end(id) }

    /// Stops taking connections and requests, ends streams, and finishes the work under way. Done when `isQuiet`.
    package func quiesce() { daemon.quiesce() }
    package var isQuiet: Bool { daemon.visits.isEmpty }

    package var load: ServerLoad {
        ServerLoad(connections: daemon.visits.count, waiting: daemon.waiting, held: daemon.exchanges.count)
    }
}

/// The outcome of sending bytes to a stream.
package enum Sent: Sendable {
    case done
    /// The reader is too far behind, or further than all others where they are so together, and has just been dropped.
    case slow
    /// The reader is not there any more.
    case gone
}

/// The load of a server.
package struct ServerLoad: Equatable, Sendable {
    package let connections: Int
    /// Requests that were put off and not answered yet.
    package let waiting: Int
    /// The same requests, and streams.
    package let held: Int
}
