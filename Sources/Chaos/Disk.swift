import Foundation
import Glibc

/// A disk that can be filled up and emptied again.
///
/// A folder on a small file system of its own (`deploy/chaos` mounts one where it may) is filled by a file, and
/// writers get ENOSPC. Elsewhere, where that would hit everybody, the kernel is asked to let no file of the service
/// grow (RLIMIT_FSIZE), and writers get EFBIG. Neither needs root.
struct Disk {
    package enum Way: String, Sendable {
        case fileSystem = "a file system of its own, filled up"
        case limit = "a limit on the size of files"
    }

    let way: Way
    private let ballast: String
    private var limited: [Int32] = []

    /// The largest file system that counts as the run's own; others share a larger one.
    private static let largest: UInt64 = 2 << 30
    /// A limit that every file of a running service has reached, so that none grows.
    private static let fileLimit = "4096"

    init(of folder: String) {
        ballast = folder + "/ballast"
        var facts = statvfs()
        unsafe mkdir(folder, 0o700)
        let isSmall =
            unsafe statvfs(folder, &facts) == 0 && UInt64(facts.f_blocks) * UInt64(facts.f_frsize) <= Self.largest
        way = isSmall ? .fileSystem : .limit
    }

    /// - Parameter writers: the processes that write there.
    mutating func fill(_ writers: [Int32]) {
        switch way {
        case .fileSystem: fill()
        case .limit:
            for process in writers where Self.limit(process, to: Self.fileLimit) { limited.append(process) }
        }
    }

    mutating func makeRoom() {
        unsafe unlink(ballast)
        for process in limited { _ = Self.limit(process, to: "unlimited") }
        limited = []
    }

    /// Allocates pieces that become smaller, until not even a page is left.
    private func fill() {
        let file = unsafe open(ballast, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        var (length, piece): (off_t, off_t) = (0, 1 << 26)
        while piece >= 4096 {
            if posix_fallocate(file, length, piece) == 0 { length += piece } else { piece /= 2 }
        }
    }

    /// Sets the soft limit alone, which a process may raise again by itself.
    private static func limit(_ process: Int32, to size: String) -> Bool {
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/bin/prlimit")
        tool.arguments = ["--pid", "\(process)", "--fsize=\(size):"]
        tool.standardError = FileHandle.nullDevice
        do { try tool.run() } catch { return false }
        tool.waitUntilExit()
        return tool.terminationStatus == 0
    }
}
