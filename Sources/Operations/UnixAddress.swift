import Glibc

/// The address of a socket of this machine: a path, or, behind `@`, a name in the abstract name space.
struct UnixAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// Nil for what does not fit.
    init?(_ text: String) {
        let isAbstract = text.hasPrefix("@")
        guard isAbstract || text.hasPrefix("/"), text.utf8.count > 1 else { return nil }
        // A NUL stands in front of an abstract name, and behind a path.
        let bytes = isAbstract ? [0] + Array(text.utf8.dropFirst()) : Array(text.utf8) + [0]
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard bytes.count <= target.count else { return false }
            unsafe target.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
        length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    }

    mutating func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let length = length
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}
