import Glibc

/// A record of what was done to a service, and by whom: keys and tokens that were made and taken back, and orders
/// that operators gave, each a line of `audit.log` in the folder that it is about. The file only grows; past some
/// megabytes it becomes `audit.log.1`, in the place of the one before.
///
///     time=2026-03-01T12:00:00.250Z level=info component=audit message="forbade a key" by=root name=ada
package struct AuditTrail: Sendable {
    package let path: String

    private static let mostBytes = 16 << 20
    private static let log = Log("audit")

    package init(in folder: String) { path = folder + "/audit.log" }

    /// Writes a line about a deed. A line that cannot be written is reported in the log; the deed stands.
    package func note(_ deed: StaticString, by person: String = AuditTrail.user, _ fields: LogFields) {
        let line = LogLine(
            level: .info, component: "audit", message: "\(deed)",
            fields: [(key: "by", value: .text(person))] + Array(fields))
        let bytes = Array((line.text(.logfmt, showsIDs: true, time: LogTime.now) + "\n").utf8)
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return tellTrouble() }
        defer { close(file) }
        // One call, so that lines of several processes do not mix.
        guard unsafe write(file, bytes, bytes.count) == bytes.count else { return tellTrouble() }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { return tellTrouble() }
        // A file that root began is handed to the owner of the folder, who goes on with it.
        var folder = stat()
        if geteuid() == 0, facts.st_size == bytes.count, facts.st_nlink == 1,
            unsafe stat(String(path.dropLast("audit.log".count)), &folder) == 0
        {
            _ = fchown(file, folder.st_uid, folder.st_gid)
        }
        if facts.st_size > Self.mostBytes { _ = unsafe rename(path, path + ".1") }
    }

    private func tellTrouble() {
        let reason = unsafe String(cString: strerror(errno))
        Self.log.warning("what was done cannot be written down", ["file": "\(path)", "reason": "\(reason)"])
    }

    /// The user who runs this process; where that is root for somebody else (sudo), both.
    package static let user: String = {
        let own = unsafe getpwuid(getuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
        let other = unsafe getenv("SUDO_USER").map { unsafe String(cString: $0) }
        return other.map { "\($0) as \(own)" } ?? own
    }()
}
