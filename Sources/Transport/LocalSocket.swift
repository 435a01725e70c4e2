import Glibc

func ipcPath(_ endpoint: String) -> String? {
    endpoint.hasPrefix("ipc://") ? String(endpoint.dropFirst(6)) : nil
}

/// Whether a process answers at this path now. Nothing answers at a file that a killed process left behind.
func isListening(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
        guard path.utf8.count < target.count else { return false }
        unsafe target.copyBytes(from: path.utf8)
        return true
    }
    guard fits else { return false }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}
