/// A text in the numbers of its alphabet, and the results of looking up its pairs.
struct Lettering {
    /// The letters, with a newline behind the last.
    private(set) var letters: [UInt8] = []
    private(set) var script: UInt16 = 0
    private(set) var isASCII = true
    /// Pairs that are kerned or must be shaped, by the place of their second letter.
    var places: [Int32] = []

    var count: Int { letters.count - 1 }

    /// Reads a text; false when it is not ASCII. Most texts are, and are copied.
    mutating func read(_ text: String) -> Bool {
        letters.removeAll(keepingCapacity: true)
        var union: UInt8 = 0
        var text = text
        text.withUTF8 { bytes in
            unsafe letters.append(contentsOf: bytes)
            for i in 0..<bytes.count { union |= unsafe bytes[i] }
        }
        (script, isASCII) = (Alphabet.latin.script, union < 0x80)
        letters.append(Alphabet.newline)
        return isASCII
    }

    /// Reads units; false when one of them is not in the text's alphabet, or that alphabet cannot be told.
    mutating func read(_ units: [UInt16]) -> Bool {
        guard let alphabet = Alphabet.likely(of: units) else { return false }
        script = alphabet.script
        letters.setCount(units.count + 1, to: Alphabet.newline)
        var letters = letters.mutableSpan
        var union: UInt16 = 0
        for i in units.indices {
            letters[i] = alphabet.letter(of: units[i])
            guard letters[i] != 0 else { return false }
            union |= units[i]
        }
        letters[units.count] = Alphabet.newline
        isASCII = union < 0x80
        return true
    }
}
