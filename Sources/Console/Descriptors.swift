import Glibc

/// How many files and sockets this process may have open.
enum Descriptors {
    /// As many as the kernel allows it, as each connection is one. What is given to child processes holds for them, too.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, 65_536)
        else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        // Where that is refused, what there was has to do.
        _ = unsafe setrlimit(resource, &limit)
    }
}
