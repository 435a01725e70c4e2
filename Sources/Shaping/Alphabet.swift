/// The letters of one script that are shaped by pairs, numbered so that a pair is a place in a table.
///
/// ASCII keeps its codes. A newline has a number of its own; 0 stands for every unit that is not in the alphabet.
struct Alphabet {
    let script: UInt16
    /// The scalar of each letter; 0 where there is none.
    let scalars: [UInt32]
    /// The letter of each unit below `numbers.count`.
    let numbers: [UInt8]

    static let newline: UInt8 = 0x0a
    static let size = 256

    static let latin = Alphabet(
        script: 25, ranges: [0xc0...0xd6, 0xd8...0xf6, 0xf8...0x131, 0x134...0x148, 0x14a...0x17e])
    static let greek = Alphabet(
        script: 14, ranges: [0x386...0x386, 0x388...0x38a, 0x38c...0x38c, 0x38e...0x3a1, 0x3a3...0x3ce])
    static let cyrillic = Alphabet(script: 8, ranges: [0x400...0x45f, 0x490...0x491])

    /// The letter of a unit; 0 when it is not in the alphabet.
    func letter(of unit: UInt16) -> UInt8 { Int(unit) < numbers.count ? numbers[Int(unit)] : 0 }

    static let all: [Alphabet] = [.latin, .greek, .cyrillic]

    /// Quotation marks and apostrophes: common to all scripts, and never with an opportunity beside a letter.
    private static let quotes: [UInt32] = [0x2018, 0x2019, 0x201c, 0x201d]

    private init(script: UInt16, ranges: [ClosedRange<UInt32>]) {
        var scalars = [UInt32](repeating: 0, count: Alphabet.size)
        scalars[Int(Alphabet.newline)] = 0x0a
        for ascii in 0x20...0x7e as ClosedRange<UInt32> {
            let isLetter = 0x41...0x5a ~= ascii || 0x61...0x7a ~= ascii
            if !isLetter || script == 25 { scalars[Int(ascii)] = ascii }
        }
        let free = 0x80..<Alphabet.size
        for (place, scalar) in zip(free, Alphabet.quotes + ranges.joined()) { scalars[place] = scalar }
        var numbers = [UInt8](repeating: 0, count: 0x2020)
        for (place, scalar) in scalars.enumerated() where scalar != 0 { numbers[Int(scalar)] = UInt8(place) }
        self.script = script
        self.scalars = scalars
        self.numbers = numbers
    }

    /// The alphabet that a text is likely to be written in: that of its first letter. The characters that may stand
    /// before that have the same number in every alphabet, or none.
    static func likely(of units: [UInt16]) -> Alphabet? {
        for unit in units {
            if let script = script(of: unit) { return all.first { $0.script == script } }
            guard latin.letter(of: unit) != 0 else { return nil }
        }
        return nil
    }

    /// The alphabet that a text with this unit is likely to be written in.
    static func script(of unit: UInt16) -> UInt16? {
        switch unit {
        case 0x41...0x5a, 0x61...0x7a, 0xc0...0x24f: 25
        case 0x370...0x3ff: 14
        case 0x400...0x4ff: 8
        default: nil
        }
    }
}
