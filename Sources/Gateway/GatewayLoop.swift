import Operations
package import Storage
package import Transport
package import Wire

private let log = Log("gateway")

/// The read side: answers queries from the cache, and writes nothing.
package struct GatewayLoop: ~Copyable {
    private let socket: Socket
    private var readers: ShardReaders

    package init(in folder: DataFolder, at endpoints: Endpoints, access: Access = Access()) throws {
        let socket = try Socket(
            .router, in: try Context(), frameLimit: Limits.frame,
            security: access.listening(at: endpoints.fetch, admits: [.reader, .operator]))
        try socket.bind(endpoints.fetch)
        self.socket = socket
        readers = ShardReaders(folder)
    }

    package mutating func run(until stop: [Source]) throws {
        while true {
            ServiceManager.current.isAlive()
            let awake = try wait(for: [socket.source] + stop, atMost: .seconds(5))
            if awake.dropFirst().contains(true) { return }
            while let parts = try socket.receive() {
                // A client that is gone asks again when it is back.
                _ = try socket.send(parts[0], answer(to: parts.count == 2 ? parts[1] : []).encoded())
            }
        }
    }

    private mutating func answer(to bytes: [UInt8]) -> Framed<PageWord> {
        do throws(WireError) {
            let framed = try Framed<ReaderWord>(decoding: bytes)
            switch framed.word {
            case .fetch(let query): return Framed(answer(to: query), request: framed.request)
            }
        } catch {
            return Framed(.refused(.malformed))
        }
    }

    private mutating func answer(to query: Query) -> PageWord {
        do throws(StorageError) {
            guard let page = try readers.page(query) else { return .refused(.unprepared) }
            return .page(page)
        } catch {
            log.error("the cache could not be read", ["reason": "\(error)"])
            return .refused(.unavailable)
        }
    }
}
