import CMicroHTTPD
import Glibc

/// Hears when clients go whose connections libmicrohttpd has put aside, and so does not listen to.
struct HangUps: ~Copyable {
    private let descriptor: Int32

    init() throws(HTTPError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", code: errno) }
    }

    deinit { close(descriptor) }

    /// Until the socket is closed, or forgotten.
    func watch(_ socket: Int32, for id: Request.ID) { _ = forme_hangup_watch(descriptor, socket, id.number) }

    func forget(_ socket: Int32) { forme_hangup_forget(descriptor, socket) }

    /// Those who have gone since the last look, each told once.
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
