import Foundation
import Secrets
import Shaping

/// The identities that font files had when they were last read, so that a start need not read 80 MB to find them again.
///
/// As a file, it is a line that names the format and the hash of all that follows; then a line for each font, with
/// its identity, device, inode, size and time of change, and its path. A file that is not exactly so is no memory,
/// and will be written anew.
struct FontMemory: Equatable, Sendable {
    /// The state of a file, which tells whether it is still the one that was read.
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

    /// The most files that are remembered; those that were read longest ago are forgotten.
    static let most = 512

    subscript(file: File) -> FontIdentity? { entries.first { $0.file == file }?.identity }

    /// Remembers an identity, in the place of another for the same path.
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
        return "\(FontMemory.format) \(FontMemory.hash(lines.utf8))\n\(lines)"
    }

    /// Nil for a text that `encoded` did not write. It is read as bytes: a list has some two hundred files, and every
    /// start reads it.
    init?(decoding text: String) {
        let bytes = Array(text.utf8)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let lines = bytes[(end + 1)...]
        guard bytes[..<end].elementsEqual("\(FontMemory.format) \(FontMemory.hash(lines))".utf8) else { return nil }
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let entry = Entry(line) else { return nil }
            entries.append(entry)
        }
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> FontIdentity {
        FontIdentity(bytes: Fingerprint.of(Array(bytes)))
    }
}

extension FontMemory.Entry {
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
        guard words.count == 6, let identity = FontIdentity(hexadecimal: words[0]),
            let device = UInt64(decimal: words[1]),
            let inode = UInt64(decimal: words[2]), let size = Int64(decimal: words[3]),
            let modified = Int64(decimal: words[4])
        else { return nil }
        self.identity = identity
        file = FontMemory.File(
            path: String(decoding: words[5], as: UTF8.self), device: device, inode: inode, size: size,
            modified: modified)
    }
}

extension FixedWidthInteger {
    fileprivate init?(decimal digits: ArraySlice<UInt8>) { self.init(String(decoding: digits, as: UTF8.self)) }
}

extension FontIdentity {
    init?(hexadecimal text: some StringProtocol) { self.init(hexadecimal: Array(text.utf8)[...]) }

    init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.count == 2 * Fingerprint.length else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Fingerprint.length)
        for i in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = digits[i].digit, let low = digits[i + 1].digit else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes: bytes)
    }
}

extension UInt8 {
    /// Its value as a hexadecimal digit in ASCII.
    fileprivate var digit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
