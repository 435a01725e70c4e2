import Glibc

/// The limit of files and sockets that this process may have open.
enum Descriptors {
    /// Raises the limit up to 65,536, as far as the kernel allows, as each connection takes one. Child processes
    /// inherit it.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, 65_536)
        else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        // Where that is refused, the old limit has to do.
        _ = unsafe setrlimit(resource, &limit)
    }
}
