import Glibc

/// The want of descriptors, which every file and every connection takes. The kernel tells it of whatever file was to be
/// opened next, with which nothing is wrong.
package enum OpenFiles {
    /// The sentence for an operator; nil where the kernel's code says something else.
    package static func shortage(_ code: Int32) -> String? {
        switch code {
        case EMFILE:
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return "this process has as many files and connections open as it may, \(limit.rlim_cur); raise "
                + "'ulimit -n' (LimitNOFILE in a unit of systemd), and start it again"
        case ENFILE: return "this machine has as many files open as it may; raise fs.file-max with sysctl"
        default: return nil
        }
    }
}
