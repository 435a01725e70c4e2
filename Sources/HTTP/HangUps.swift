import CMicroHTTPD
import Glibc

/// A watch for clients that go while libmicrohttpd has suspended their connections, and so does not listen to them.
struct HangUps: ~Copyable {
    private let descriptor: Int32

    init() throws(HTTPError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", code: errno) }
    }

    deinit { close(descriptor) }

    /// Watches a socket until it is closed or forgotten.
    func watch(_ socket: Int32, for id: Request.ID) { _ = forme_hangup_watch(descriptor, socket, id.number) }

    func forget(_ socket: Int32) { forme_hangup_forget(descriptor, socket) }

    /// The requests whose clients have gone since the last look, each once.
    func gone() -> [Request.ID] {
        var gone: [Request.ID] = []
        var ids = [UInt64](repeating: 0, count: 256)
        while true {
            let count = Int(unsafe forme_hangup_take(descriptor, &ids))
            gone += ids.prefix(max(0, count)).map { Request.ID(number: $0) }
            if count < ids.count { return gone }
        }
    }
}
