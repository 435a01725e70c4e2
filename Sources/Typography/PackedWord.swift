/// Up to eight characters of ASCII in lower case as one number, to look words up without making strings of them.
struct PackedWord: Hashable {
    static let longest = 8

    private var bytes: UInt64 = 0

    /// The number of a word that stands in the program.
    init(_ word: String) {
        precondition(word.utf8.count <= Self.longest)
        for byte in word.utf8 { append(UInt16(byte)) }
    }

    init() {}

    mutating func append(_ unit: UInt16) {
        let isCapital = unit &- UInt16(ascii: "A") < 26
        bytes = bytes << 8 | UInt64(isCapital ? unit | 0x20 : unit)
    }
}

extension EntityScanner {
    /// The word in a range; nil when it is longer than any known one, or not ASCII.
    func word(_ range: Range<Int>) -> PackedWord? {
        guard range.count <= PackedWord.longest else { return nil }
        var word = PackedWord()
        for index in range {
            guard self[index] < 0x80 else { return nil }
            word.append(self[index])
        }
        return word
    }
}
