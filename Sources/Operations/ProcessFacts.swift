import Glibc

/// The kernel's figures about a process; nil where it gives none, as of a process that has ended or is another
/// user's.
package struct ProcessFacts: Sendable {
    /// Bytes of its own. Pages of mapped files are not counted, as they cost nobody anything.
    package let memory: Int?
    /// Files and sockets that it has open.
    package let handles: Int?

    package init(of process: Int32 = getpid()) {
        (memory, handles) = (Self.memory(of: process), Self.handles(of: process))
    }

    /// The same figure alone, which a loop asks for ten times a second.
    package static func memory(of process: Int32 = getpid()) -> Int? {
        let descriptor = unsafe open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let pages = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        return pages.count > 2 ? max(0, pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE))) : nil
    }

    /// The number of times that `forme serve` had started a process again when it started this one; nil where it did
    /// not start it, or that is not seen.
    package static func restarts(of process: Int32) -> Int? {
        guard let environment = contents("/proc/\(process)/environ", atMost: 1 << 18) else { return nil }
        let name = Array("\(ServiceManager.restartsVariable)=".utf8)
        guard let variable = environment.split(separator: 0).first(where: { $0.starts(with: name) }) else { return nil }
        return Int(String(decoding: variable.dropFirst(name.count), as: UTF8.self))
    }

    /// The times at which two processes began, in ticks of the kernel; nil where one has ended.
    package static func starts(of one: Int32, _ other: Int32) -> (Int, Int)? {
        func start(_ process: Int32) -> Int? {
            guard let bytes = contents("/proc/\(process)/stat", atMost: 4096) else { return nil }
            // The name of the program is in parentheses, and may have any character.
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 19 ? Int(fields[19]) : nil
        }
        guard let first = start(one), let second = start(other) else { return nil }
        return (first, second)
    }

    private static func contents(_ path: String, atMost limit: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var (all, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4096))
        while all.count < limit {
            let count = unsafe read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            all += piece[..<count]
        }
        return all.isEmpty ? nil : all
    }

    private static func handles(of process: Int32) -> Int? {
        guard let folder = unsafe opendir("/proc/\(process)/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // The folder itself, the one above it, and, in an own one, the handle that reads it.
        return max(0, count - (process == getpid() ? 3 : 2))
    }
}

/// The bytes that the user of this process may still write to the disk of a folder; nil where that is unknown.
package enum DiskLeft {
    package static func bytes(at folder: String) -> Int? {
        var facts = statvfs()
        return unsafe statvfs(folder, &facts) == 0 ? Int(facts.f_bavail) * Int(facts.f_frsize) : nil
    }
}
