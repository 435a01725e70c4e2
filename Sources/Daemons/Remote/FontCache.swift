import Glibc
import Secrets
import Shaping
import Wire

/// Fonts of other hosts, by their hashes, in a folder that only its owner may enter. Together they have no more than
/// so many bytes: the most recently used ones stay.
///
/// ```text
/// 9f04…             a font with this hash
/// 77ab….4711.part   a font on its way to the process 4711
/// ```
///
/// No file there is trusted: each font is hashed whenever an edition is opened.
package struct FontCache: Sendable {
    let folder: String
    /// The most bytes of all fonts.
    let limit: Int

    package init(_ folder: String, limit: Int) throws(DaemonError) {
        (self.folder, self.limit) = (folder, limit)
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .cannotKeep(path: path, code: errno) }
        }
        // Another user's folder could not be closed to others, and is not used.
        guard unsafe chmod(folder, 0o700) == 0 else { throw .cannotKeep(path: folder, code: errno) }
    }

    func path(of font: FontHash) -> String { "\(folder)/\(font.text)" }
    private func part(of font: FontHash) -> String { "\(path(of: font)).\(getpid()).part" }
    /// The time in seconds after which a partial file is a remnant of a process that ended on the way.
    private static let longestWay = 3600

    /// Whether the font is there, with every byte of it. A file that is not that font is removed.
    func holds(_ font: EditionOffer.Font) -> Bool {
        let path = path(of: font.hash)
        guard let bytes = contents(of: path, atMost: Int(font.bytes)) else { return false }
        guard bytes.count == font.bytes, Fingerprint.of(bytes) == font.hash.bytes else {
            unsafe unlink(path)
            return false
        }
        // It is now the most recently used.
        unsafe utimensat(AT_FDCWD, path, nil, 0)
        return true
    }

    /// Adds bytes to a font that is on its way.
    /// - Parameter isFirst: true to drop the bytes of an earlier try.
    func append(_ bytes: [UInt8], to font: FontHash, isFirst: Bool) throws(DaemonError) {
        let path = part(of: font)
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | (isFirst ? O_TRUNC : 0), 0o600)
        guard file >= 0 else { throw .cannotKeep(path: path, code: errno) }
        defer { close(file) }
        guard unsafe bytes.withUnsafeBytes({ unsafe write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw .cannotKeep(path: path, code: errno)
        }
    }

    /// Takes a font that is whole; false where its bytes are not those of its hash.
    func finish(_ font: EditionOffer.Font) throws(DaemonError) -> Bool {
        let path = part(of: font.hash)
        guard let bytes = contents(of: path, atMost: Int(font.bytes)), bytes.count == font.bytes,
            Fingerprint.of(bytes) == font.hash.bytes
        else {
            unsafe unlink(path)
            return false
        }
        guard unsafe rename(path, self.path(of: font.hash)) == 0 else {
            throw .cannotKeep(path: self.path(of: font.hash), code: errno)
        }
        return true
    }

    /// Makes room for the fonts of an edition: it removes the least recently used of the others, and partial files
    /// that were left behind.
    func makeRoom(for offer: EditionOffer) {
        let wanted = Dictionary(offer.fonts.map { ($0.hash.text, Int($0.bytes)) }) { one, _ in one }
        var free = limit - wanted.values.reduce(0, +)
        for (name, facts) in files().sorted(by: { $0.facts.used > $1.facts.used }) where wanted[name] == nil {
            if name.hasSuffix(".part") {
                let oldest = time(nil) - Self.longestWay
                if facts.used < oldest { unsafe unlink("\(folder)/\(name)") }
                continue
            }
            free -= facts.bytes
            if free < 0 { unsafe unlink("\(folder)/\(name)") }
        }
    }

    private func files() -> [(name: String, facts: (bytes: Int, used: Int))] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var found: [(String, (Int, Int))] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            var status = stat()
            guard unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            found.append((name, (Int(status.st_size), Int(status.st_mtim.tv_sec))))
        }
        return found
    }

    /// Nil for a file that is not there, or is longer.
    private func contents(of path: String, atMost limit: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, Int(status.st_size) <= limit else { return nil }
        let count = Int(status.st_size)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let more = unsafe read(file, buffer.baseAddress! + filled, count - filled)
                guard more > 0 else { return }
                filled += more
            }
        }
    }
}
