/// A text in the numbers of its alphabet, and what looking its pairs up has shown so far.
struct Lettering {
    /// With a newline behind the last.
    private(set) var letters: [UInt8] = []
    private(set) var script: UInt16 = 0
    private(set) var isASCII = true
    /// Pairs that are kerned or must be shaped, by the place of their second letter.
    var places: [Int32] = []

    var count: Int { letters.count - 1 }

    /// False when the text has a character of no alphabet, or is empty. ASCII, which is most, is copied.
    mutating func read(_ text: String) -> Bool {
        letters.removeAll(keepingCapacity: true)
        var union: UInt8 = 0
        var text = text
        text.withUTF8 { bytes in
            unsafe letters.append(contentsOf: bytes)
            for i in 0..<bytes.count { union |= unsafe bytes[i] }
        }
        script = Alphabet.latin.script
        isASCII = union < 0x80
        if !isASCII && !readUnits(of: text) { return false }
        letters.append(Alphabet.newline)
        return letters.count > 1
    }

    private mutating func readUnits(of text: String) -> Bool {
        letters.removeAll(keepingCapacity: true)
        var isFound = false
        var numbers = Alphabet.latin.numbers
        for unit in text.utf16 {
            if !isFound, let found = Alphabet.script(of: unit) {
                // What came before has the same numbers in every alphabet, or none.
                if let alphabet = Alphabet.all.first(where: { $0.script == found }) { numbers = alphabet.numbers }
                script = found
                isFound = true
            }
            guard unit < numbers.count, numbers[Int(unit)] != 0 else { return false }
            letters.append(numbers[Int(unit)])
        }
        return isFound
    }
}
