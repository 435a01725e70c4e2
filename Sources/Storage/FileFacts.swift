import Glibc

/// What the kernel knows of a file without opening it.
struct FileFacts: Equatable {
    let inode: UInt64
    let device: UInt64
    let size: Int64

    /// Nil where there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (inode, device, size) = (UInt64(status.st_ino), UInt64(status.st_dev), Int64(status.st_size))
    }

    func isSameFile(as other: FileFacts) -> Bool { inode == other.inode && device == other.device }

    /// Brings a file, or the names in a folder, to the disk.
    static func sync(_ path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .notAccessible(path: path, code: errno) }
    }

    /// Which start of the machine this is; what was not synced before another one may be lost.
    static func bootID() throws(StorageError) -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 36)
        guard unsafe read(descriptor, &bytes, 36) == 36 else { throw .notAccessible(path: path, code: errno) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension FileFacts {
    /// What stands in a folder.
    static func names(in folder: String) throws(StorageError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw .notAccessible(path: folder, code: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
