import Foundation
import Glibc
import Secrets
package import Shaping

/// Opens lists of fonts, and knows the identity of each file: it reads and hashes files that it has not met, and
/// remembers them, so that a second start opens two hundred files of 80 MB in a few milliseconds.
///
/// The memory is `fonts` in `$XDG_CACHE_HOME/forme` or `~/.cache/forme`. It may be deleted at any time: entries that
/// are missing, damaged or of another version are found again. A font is read again when its device, inode, size or
/// time has changed.
package struct FontCatalog: Sendable {
    /// The folder of the memory; nil if there is no place for it.
    private let folder: String?

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            folder = cache + "/forme"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            folder = home + "/.cache/forme"
        } else {
            folder = nil
        }
    }

    package func open(_ families: [FontFamily]) throws(FontError) -> FontList { try FontList(identified(families)) }

    /// The same families, each of their files with its identity.
    package func identified(_ families: [FontFamily]) throws(FontError) -> [FontFamily] {
        var memory = remembered()
        let before = memory
        var families = families
        for family in families.indices {
            for face in families[family].faces.indices {
                let path = families[family].faces[face].path
                families[family].faces[face].identity = try identity(of: path, &memory)
            }
        }
        if memory != before { keep(memory) }
        return families
    }

    /// The identities of the files, as far as they can be read.
    package func identities(of paths: [String]) -> [String: FontIdentity] {
        var memory = remembered()
        let before = memory
        var known: [String: FontIdentity] = [:]
        for path in paths where known[path] == nil {
            // A file that is not there is looked for elsewhere by its hash.
            do throws(FontError) { known[path] = try identity(of: path, &memory) } catch {}
        }
        if memory != before { keep(memory) }
        return known
    }

    private func identity(of path: String, _ memory: inout FontMemory) throws(FontError) -> FontIdentity {
        // The state comes before the bytes: if the file changes meanwhile, the next start finds another time, and
        // reads it again.
        let file = try FontCatalog.file(path)
        if let known = memory[file] { return known }
        do {
            let bytes = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
            let identity = unsafe bytes.withUnsafeBytes { unsafe FontIdentity(bytes: Fingerprint.of($0)) }
            memory.remember(identity, of: file)
            return identity
        } catch {
            throw .unreadable(path: path, code: errno)
        }
    }

    private static func file(_ path: String) throws(FontError) -> FontMemory.File {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, code: EISDIR) }
        let time = status.st_mtim
        return FontMemory.File(
            path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    private func remembered() -> FontMemory {
        guard let folder, let bytes = FileManager.default.contents(atPath: folder + "/fonts") else {
            return FontMemory()
        }
        return FontMemory(decoding: String(decoding: bytes, as: UTF8.self)) ?? FontMemory()
    }

    /// Writes the memory beside its file and renames it, so that a reader never sees half of it, and of two writers
    /// one is right.
    private func keep(_ memory: FontMemory) {
        guard let folder else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(memory.encoded().utf8).write(to: URL(filePath: folder + "/fonts"), options: .atomic)
        } catch {
            let complaint =
                "\(folder)/fonts cannot be written, so every start reads all fonts; set XDG_CACHE_HOME elsewhere"
            // The fonts are read; that nobody can be told of the rest, as on a full disk, ends nothing.
            try? FileHandle.standardError.write(contentsOf: Data((complaint + "\n").utf8))
        }
    }
}
