/// The classes of UTF-16 units for the finder of entities. They take no Unicode data: beyond ASCII everything is part
/// of a word, except for the spaces, punctuation marks and symbols that people put around words.
extension UInt16 {
    var isASCIIDigit: Bool { self &- UInt16(ascii: "0") < 10 }

    var isASCIILetter: Bool { (self | 0x20) &- UInt16(ascii: "a") < 26 }

    var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }

    /// Whether a unit from U+0080 on is part of a word. A leading surrogate answers for its pair.
    var isWordUnit: Bool {
        switch self {
        case 0x80...0xBF: self == 0xAA || self == 0xB5 || self == 0xBA
        case 0xD7, 0xF7: false
        case 0x055A...0x055F, 0x0589, 0x05C3, 0x05F3...0x05F4: false  // Armenian, Hebrew
        case 0x060C, 0x061B, 0x061F, 0x066A...0x066D, 0x06D4: false  // Arabic
        case 0x0964...0x0965, 0x0E5A...0x0E5B, 0x0F04...0x0F14: false  // dandas, Thai, Tibetan
        case 0x104A...0x104F, 0x1361...0x1368, 0x17D4...0x17DA: false  // Burmese, Ethiopic, Khmer
        case 0x1680, 0x2000...0x200B, 0x200E...0x206F: false  // but the joiners U+200C and U+200D are in words
        case 0x20A0...0x20CF, 0x20E3, 0x2190...0x2BFF: false  // currencies, keycaps, arrows, mathematics, symbols
        case 0x2E00...0x2E7F, 0x3000...0x3003, 0x3008...0x3020, 0x3030: false
        case 0xD83C...0xD83E: false  // the planes' emoji, U+1F000...U+1FBFF
        case 0xE000...0xF8FF: false  // private use
        case 0xFE00...0xFE1F, 0xFE30...0xFE6F, 0xFEFF: false  // variation selectors, vertical and small forms
        case 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65, 0xFFE0...0xFFFF: false
        default: true
        }
    }

    /// Whether the unit is of a script that is written without spaces, or puts particles right after a word: an ASCII
    /// name may begin or end beside it.
    var isUnspaced: Bool {
        switch self {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xDFFF, 0xF900...0xFFDC: true
        default: false
        }
    }

    var isSpace: Bool {
        switch self {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    var isCurrency: Bool {
        self == UInt16(ascii: "$") || 0xA2...0xA5 ~= self || 0x20A0...0x20CF ~= self || self == 0xFFE5
    }

    /// Whether the unit is one of these ASCII characters.
    @inline(__always)
    func isOne(of characters: StaticString) -> Bool {
        for index in 0..<characters.utf8CodeUnitCount where unsafe self == UInt16(characters.utf8Start[index]) {
            return true
        }
        return false
    }
}

extension UInt16 {
    /// An ASCII character as a unit.
    @inline(__always)
    init(ascii: Unicode.Scalar) { self = UInt16(truncatingIfNeeded: ascii.value) }
}
