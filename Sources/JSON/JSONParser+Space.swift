extension JSONParser {
    /// Skips space, and the comments of JSON5.
    @inline(__always)
    mutating func skipSpace() throws(JSONError) {
        guard byte <= 0x20 || dialect == .json5 else { return }
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
        if dialect == .json5 { try skipSpaceOfJSON5() }
    }

    private mutating func skipSpaceOfJSON5() throws(JSONError) {
        while true {
            switch byte {
            case 0x09...0x0D, 0x20: index += 1
            case UInt8(ascii: "/") where byte(ahead: 1) == UInt8(ascii: "/"): skipLineComment()
            case UInt8(ascii: "/") where byte(ahead: 1) == UInt8(ascii: "*"): try skipBlockComment()
            default:
                guard wideSpace > 0 else { return }
                index += wideSpace
            }
        }
    }

    /// The length of a no-break space, line separator, paragraph separator or byte order mark, if one is here.
    private var wideSpace: Int {
        switch (byte, byte(ahead: 1), byte(ahead: 2)) {
        case (0xC2, 0xA0, _): 2
        case (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xEF, 0xBB, 0xBF): 3
        default: 0
        }
    }

    private mutating func skipLineComment() {
        while index < end, byte != 0x0A, byte != 0x0D { index += 1 }
    }

    private mutating func skipBlockComment() throws(JSONError) {
        index += 2
        while index < end {
            if skip(word: "*/") { return }
            index += 1
        }
        throw unexpected(expected: .endOfComment)
    }
}
