/// The language of a text, as far as fonts care: a tag of BCP 47 such as `ja` or `zh-Hant`, in lowercase, with as
/// many subtags as eight letters hold. Subtags behind those decide about no font.
package struct Language: Hashable, Sendable {
    /// The letters, the first in the lowest byte.
    private let letters: UInt64

    package static let none = Language(letters: 0)

    private init(letters: UInt64) { self.letters = letters }

    /// The longest tag: no longer one is registered, or makes sense.
    package static let longestTag = 35

    /// The language of a tag: subtags of one to eight letters and digits, the first of letters alone, with hyphens
    /// between. Nil for any other text.
    package init?(_ tag: String) {
        guard tag.utf8.count <= Self.longestTag else { return nil }
        var (letters, count, isFull) = (UInt64(0), 0, false)
        for (place, subtag) in tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .enumerated()
        {
            guard 1...8 ~= subtag.count, subtag.allSatisfy({ $0.isLetter || place > 0 && $0.isDigit }) else {
                return nil
            }
            let own = (place == 0 ? [] : [UInt8(ascii: "-")]) + subtag.map(\.small)
            isFull = isFull || count + own.count > 8
            guard !isFull else { continue }
            for letter in own {
                letters |= UInt64(letter) << UInt64(8 * count)
                count += 1
            }
        }
        guard count > 0 else { return nil }
        self.letters = letters
    }

    private var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: letters >> UInt64(8 * $0)) }.filter { $0 != 0 }
    }

    /// The most exact of several languages that it is, or is a kind of; none where there is no such one.
    package func mostExact(of known: some Sequence<Language>) -> Language {
        guard self != .none else { return .none }
        return known.filter(isKind).max { $0.bytes.count < $1.bytes.count } ?? .none
    }

    /// Whether this is the other, or a kind of it: `zh-hant` is a kind of `zh`.
    package func isKind(of other: Language) -> Bool {
        let (own, its) = (bytes, other.bytes)
        return own == its || own.starts(with: its + [UInt8(ascii: "-")])
    }
}

extension Language: CustomStringConvertible {
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension UInt8 {
    fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    fileprivate var small: UInt8 { isLetter ? self | 0x20 : self }
}
