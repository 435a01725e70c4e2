import CZMQ

/// What the sockets of one thread share: libzmq's own threads, ended when the last of the sockets is closed.
@safe package final class Context {
    let raw: UnsafeMutableRawPointer
    private var door: Door?

    package init() throws(TransportError) {
        guard let raw = unsafe zmq_ctx_new() else { throw failure("zmq_ctx_new", "") }
        unsafe self.raw = unsafe raw
        // 1023 of libzmq's are soon used up, as each socket of a caller on TCP is watched by two others.
        unsafe zmq_ctx_set(raw, ZMQ_MAX_SOCKETS, 65_535)
    }

    deinit { unsafe zmq_ctx_term(raw) }

    /// Has a doorkeeper at the door, from the first socket on that needs one.
    func keep(_ door: Door) throws(TransportError) {
        guard self.door == nil else {
            precondition(self.door === door, "the sockets of one context have one door")
            return
        }
        try Doorkeeper.start(in: self, at: door)
        self.door = door
    }
}
