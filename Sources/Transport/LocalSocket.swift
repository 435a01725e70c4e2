import Glibc

func ipcPath(_ endpoint: String) -> String? {
    endpoint.hasPrefix("ipc://") ? String(endpoint.dropFirst(6)) : nil
}

/// Whether no process listens at an endpoint now; false where only a call would tell, as over TCP.
package func nobodyListens(at endpoint: String) -> Bool { ipcPath(endpoint).map { !isListening($0) } ?? false }

/// Whether a process answers at this path now. Nothing answers at a file that a killed process left behind. A process
/// that was stopped has no room for more callers after some, and would have them wait.
func isListening(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
        guard path.utf8.count < target.count else { return false }
        unsafe target.copyBytes(from: path.utf8)
        return true
    }
    guard fits else { return false }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 || errno == EAGAIN
        }
    }
}
