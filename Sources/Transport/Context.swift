import CZMQ

/// The context that the sockets of one thread share: libzmq's own threads, which end when the last socket is closed.
@safe package final class Context {
    let raw: UnsafeMutableRawPointer
    private var door: Door?

    package init() throws(TransportError) {
        guard let raw = unsafe zmq_ctx_new() else { throw failure("zmq_ctx_new", "") }
        unsafe self.raw = unsafe raw
        // libzmq's default of 1023 is soon used up, as two more sockets watch each socket of a caller on TCP.
        unsafe zmq_ctx_set(raw, ZMQ_MAX_SOCKETS, 65_535)
    }

    deinit { unsafe zmq_ctx_term(raw) }

    /// Starts a doorkeeper at the door, for the first socket that needs one.
    func keep(_ door: Door) throws(TransportError) {
        guard self.door == nil else {
            precondition(self.door === door, "the sockets of one context have one door")
            return
        }
        try Doorkeeper.start(in: self, at: door)
        self.door = door
    }
}
