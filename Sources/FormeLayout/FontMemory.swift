import Foundation
import Secrets
import Shaping

/// Which identities font files had when they were last read, so that a start need not read 60 MB to find them again.
///
/// As a file: a line that names the format and the hash of all that follows; then a line for each font, with its identity,
/// device, inode, size and time of change, and its path. What is not exactly so is no memory, and will be written anew.
struct FontMemory: Equatable, Sendable {
    /// What is looked at to tell whether a file is still the one that was read.
    struct File: Hashable, Sendable {
        var path: String
        var device: UInt64
        var inode: UInt64
        var size: Int64
        /// Nanoseconds since 1970.
        var modified: Int64
    }

    private var entries: [Entry] = []

    fileprivate struct Entry: Equatable, Sendable {
        var file: File
        var identity: FontIdentity
    }

    /// Lists have a few dozen files; those that were not asked for lately are forgotten.
    static let most = 512

    subscript(file: File) -> FontIdentity? { entries.first { $0.file == file }?.identity }

    /// Takes the place of what was remembered for the same path.
    mutating func remember(_ identity: FontIdentity, of file: File) {
        entries.removeAll { $0.file.path == file.path }
        entries.insert(Entry(file: file, identity: identity), at: 0)
        if entries.count > FontMemory.most { entries.removeLast() }
    }
}

extension FontMemory {
    private static let format = "forme-fonts-1"

    func encoded() -> String {
        // A path may hold anything but 0; one of several lines would not be read again.
        let lines = entries.filter { !$0.file.path.contains("\n") }.map { entry in
            let file = entry.file
            return "\(entry.identity) \(file.device) \(file.inode) \(file.size) \(file.modified) \(file.path)\n"
        }.joined()
        return "\(FontMemory.format) \(FontMemory.hash(lines))\n\(lines)"
    }

    /// Nil for what `encoded` did not write.
    init?(decoding text: String) {
        guard let end = text.utf8.firstIndex(of: 0x0a) else { return nil }
        let lines = text[text.utf8.index(after: end)...]
        guard text[..<end] == "\(FontMemory.format) \(FontMemory.hash(lines))" else { return nil }
        for line in lines.split(separator: "\n") {
            guard let entry = Entry(line) else { return nil }
            entries.append(entry)
        }
    }

    private static func hash(_ text: some StringProtocol) -> FontIdentity {
        FontIdentity(bytes: Fingerprint.of(Array(text.utf8)))
    }
}

extension FontMemory.Entry {
    fileprivate init?(_ line: Substring) {
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
        guard words.count == 6, let identity = FontIdentity(hexadecimal: words[0]), let device = UInt64(words[1]),
            let inode = UInt64(words[2]), let size = Int64(words[3]), let modified = Int64(words[4])
        else { return nil }
        self.identity = identity
        file = FontMemory.File(
            path: String(words[5]), device: device, inode: inode, size: size, modified: modified)
    }
}

extension FontIdentity {
    init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 2 * Fingerprint.length, text.utf8.count == digits.count else { return nil }
        self.init(bytes: stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
