import Glibc

/// A listener that follows a conversation over HTTP, as Server-Sent Events.
final class StreamListener {
    private(set) var descriptor: Int32 = -1
    let conversation: Int
    /// The time in microseconds at which the newest message that it has heard of was due; nil before the window has
    /// come.
    private(set) var newest: UInt64?
    /// The number of messages that it has heard of while it listened.
    private(set) var heard = 0
    private(set) var isOver = false
    private var lastEvent = ""
    private var text = StreamText()

    init(of conversation: Int) { self.conversation = conversation }

    deinit { hangUp() }

    /// Asks for the stream, from the beginning or from the last event that was heard.
    /// - Parameter room: the kernel's buffer for bytes that are not read yet; 0 for the usual one.
    func call(_ port: UInt16, _ path: String, room: Int32 = 0) -> Bool {
        hangUp()
        (text, isOver) = (StreamText(), false)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        if room > 0 {
            var room = room
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return false }
        let resume = lastEvent.isEmpty ? "" : "Last-Event-ID: \(lastEvent)\r\n"
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(resume)\r\n".utf8)
        guard unsafe send(descriptor, request, request.count, 0) == request.count else { return false }
        return fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
    }

    private func hangUp() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Takes the bytes that have come.
    /// - Parameter dues: gets the time at which each new message was due.
    func listen(_ buffer: inout [UInt8], _ dues: inout [UInt64]) {
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                isOver = isOver || count == 0 || (errno != EAGAIN && errno != EINTR)
                return
            }
            text.take(buffer[..<count]) { line in take(line, &dues) }
            if text.isOver || text.status.map({ $0 != 200 }) ?? false { isOver = true }
            if count < buffer.count { return }
        }
    }

    private static let mark = Array("id: ".utf8)
    private static let data = Array("data: ".utf8)

    private func take(_ line: ArraySlice<UInt8>, _ dues: inout [UInt64]) {
        if line.starts(with: Self.mark) {
            lastEvent = String(decoding: line.dropFirst(Self.mark.count), as: UTF8.self)
        } else if line.starts(with: Self.data) {
            let told = DueName.all(in: line)
            defer { newest = max(newest ?? 0, told.last ?? 0) }
            // The window comes first, with all messages that are there. Later an old message may come again with
            // other decorations.
            guard let newest else { return }
            let new = told.filter { $0 > newest }
            heard += new.count
            dues += new
        }
    }
}
