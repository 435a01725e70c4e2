import Operations
package import Storage
package import Transport
package import Wire

private let log = Log("gateway")

/// The read side: answers queries from the cache, and writes nothing.
package struct GatewayLoop: ~Copyable {
    private let socket: Socket
    private let folder: DataFolder
    private var reader: LayoutReader?

    package init(in folder: DataFolder, at endpoints: Endpoints, access: Access = Access()) throws {
        let socket = try Socket(
            .router, in: try Context(), frameLimit: Limits.frame,
            security: access.listening(at: endpoints.fetch, admits: [.reader, .operator]))
        try socket.bind(endpoints.fetch)
        self.socket = socket
        self.folder = folder
        reader = nil
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

    private mutating func answer(to bytes: [UInt8]) -> Frame {
        do {
            let frame = try Frame(decoding: bytes)
            guard case .fetch(let query) = frame.content else {
                return Frame(.refused(.malformed), request: frame.request)
            }
            return Frame(answer(to: query), request: frame.request)
        } catch {
            return Frame(.refused(.malformed))
        }
    }

    private mutating func answer(to query: Query) -> Frame.Content {
        do throws(StorageError) {
            if reader == nil { reader = try LayoutReader(in: folder) }
            guard let page = try reader!.page(query) else { return .refused(.unprepared) }
            return .page(page)
        } catch .absent {
            // No worker has stored anything yet, so there is nothing in any conversation.
            return .page(Page(rows: [], next: nil))
        } catch {
            reader = nil
            log.error("the cache could not be read", ["reason": "\(error)"])
            return .refused(.unavailable)
        }
    }
}
