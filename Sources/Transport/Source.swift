import CZMQ
import Glibc

/// Something that a loop can wait for: a socket, a bell, a signal, or standard input.
///
/// It keeps what it waits for alive, and, like a socket, belongs to one thread.
package struct Source {
    enum Kind {
        case socket(SocketHandle)
        case descriptor(Int32, owner: AnyObject?)
    }
    let kind: Kind

    init(kind: Kind) { self.kind = kind }

    /// A source of any other descriptor that the kernel can wait for, kept open by its owner.
    package init(descriptor: Int32, of owner: AnyObject) { kind = .descriptor(descriptor, owner: owner) }

    /// Standard input. It is readable, too, when the other end of a pipe has closed.
    package static var standardInput: Source { Source(kind: .descriptor(STDIN_FILENO, owner: nil)) }
}

/// Waits until something can be received from a source. Returns true for each such source; all false when time is up
/// first.
package func wait(for sources: [Source], atMost time: Duration) throws(TransportError) -> [Bool] {
    var items = unsafe sources.map { source in
        switch source.kind {
        case .socket(let handle):
            unsafe zmq_pollitem_t(socket: handle.raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        case .descriptor(let number, _):
            unsafe zmq_pollitem_t(socket: nil, fd: number, events: Int16(ZMQ_POLLIN), revents: 0)
        }
    }
    // An interrupted wait is a wait that ended early; the caller looks at its clock in any case.
    if unsafe zmq_poll(&items, Int32(items.count), time.wholeMilliseconds) < 0, zmq_errno() != EINTR {
        throw .system(call: "zmq_poll", code: zmq_errno(), endpoint: "")
    }
    return unsafe items.map { unsafe $0.revents != 0 }
}

extension Duration {
    /// The duration in milliseconds, rounded up, so that a wait does not end just before its time; never negative,
    /// which would mean for ever.
    var wholeMilliseconds: Int { max(0, Int((self / .milliseconds(1)).rounded(.up))) }
}
