extension JSONParser {
    /// A quoted string. One without escapes is copied from the text in one piece.
    mutating func string() throws(JSONError) -> String {
        let quote = byte
        let start = index + 1
        index = start
        skipPlain(until: quote)
        if byte == quote {
            index += 1
            return try text(of: start..<index - 1)
        }
        unescaped.removeAll(keepingCapacity: true)
        try append(start..<index)
        while byte != quote {
            try appendSpecial()
            let start = index
            skipPlain(until: quote)
            try append(start..<index)
        }
        index += 1
        return String(decoding: unescaped, as: UTF8.self)
    }

    /// A piece of the text, which begins and ends at ASCII and therefore is as much UTF-8 as the whole.
    func text(of range: Range<Int>) throws(JSONError) -> String {
        guard range.count <= limits.stringBytes else {
            throw error(.stringLimit(limits.stringBytes), at: range.lowerBound)
        }
        return unsafe String(copying: UTF8Span(unchecked: bytes.extracting(range).span))
    }

    private mutating func skipPlain(until quote: UInt8) { index = unsafe bytes.endOfPlain(from: index, quote: quote) }

    private mutating func append(_ range: Range<Int>) throws(JSONError) {
        guard unescaped.count + range.count <= limits.stringBytes else { throw error(.stringLimit(limits.stringBytes)) }
        unsafe unescaped.append(contentsOf: bytes.extracting(range))
    }

    /// Appends the escape that stopped `skipPlain` before the quote.
    private mutating func appendSpecial() throws(JSONError) {
        guard index < end else { throw unexpected(expected: .endOfString) }
        guard byte == UInt8(ascii: "\\") else { throw error(.controlCharacter(byte)) }
        let start = index
        index += 2
        switch unsafe start + 1 < end ? bytes[start + 1] : 0 {
        case let plain where plain == UInt8(ascii: "\"") || plain == UInt8(ascii: "\\") || plain == UInt8(ascii: "/"):
            unescaped.append(plain)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): append(try scalar(escapedAt: start))
        case let other where dialect == .json5: try appendJSON5(other, at: start)
        default: throw error(.invalidEscape, at: start)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        unescaped.append(contentsOf: UTF8.encode(scalar)!)
    }

    /// Appends an escape that only JSON5 has: `\x41`, `\v`, `\0`, a line that goes on, or any other character for
    /// itself.
    private mutating func appendJSON5(_ escaped: UInt8, at start: Int) throws(JSONError) {
        switch escaped {
        case UInt8(ascii: "x"): append(Unicode.Scalar(UInt8(try hexadecimal(digits: 2, at: start))))
        case UInt8(ascii: "v"): unescaped.append(0x0B)
        case UInt8(ascii: "0") where !byte.isDigit: unescaped.append(0)
        case 0x0D where byte == 0x0A: index += 1
        case 0x0A, 0x0D: break
        case 0xE2 where byte == 0x80 && byte(ahead: 1) & 0xFE == 0xA8: index += 2
        case 0, UInt8(ascii: "0")...UInt8(ascii: "9"): throw error(.invalidEscape, at: start)
        default: unescaped.append(escaped)  // the rest of a longer character follows as plain text
        }
    }

    /// The scalar of one escape, or of the two of a surrogate pair.
    private mutating func scalar(escapedAt start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = UInt16(try hexadecimal(digits: 4, at: start))
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if UTF16.isLeadSurrogate(unit), byte == UInt8(ascii: "\\"), byte(ahead: 1) == UInt8(ascii: "u") {
            let second = index
            index += 2
            let trail = UInt16(try hexadecimal(digits: 4, at: second))
            if UTF16.isTrailSurrogate(trail) { return UTF16.decode(UTF16.EncodedScalar([unit, trail])) }
            index = second
        }
        guard loneSurrogates == .replaced else { throw error(.loneSurrogate(unit), at: start) }
        return "\u{FFFD}"
    }

    private mutating func hexadecimal(digits: Int, at start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = byte.hexadecimal else { throw error(.invalidEscape, at: start) }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The next quote, backslash, control character or the end; eight bytes at a step while there are as many.
    func endOfPlain(from start: Int, quote: UInt8) -> Int {
        var index = start
        let quotes = UInt64(repeating: quote)
        while index + 8 <= count {
            let word = unsafe UnsafeRawPointer(baseAddress!).loadUnaligned(fromByteOffset: index, as: UInt64.self)
                .littleEndian
            let stops =
                (word ^ quotes).zeroBytes | (word ^ UInt64(repeating: UInt8(ascii: "\\"))).zeroBytes
                | (word & UInt64(repeating: 0xE0)).zeroBytes
            index += stops.trailingZeroBitCount / 8
            if stops != 0 { return index }
        }
        while index < count, unsafe self[index] != quote, unsafe self[index] != UInt8(ascii: "\\"),
            unsafe self[index] >= 0x20
        {
            index += 1
        }
        return index
    }
}

extension Span<UInt8> {
    /// Whether a JSON text may have a member with one of two keys: whether the key stands there between quotes. The
    /// cost is a step for each 32 bytes and for each quote. A key that is spelled in escapes is not found.
    package func mayHaveKey(_ first: StaticString, or second: StaticString) -> Bool {
        unsafe withUnsafeBufferPointer { bytes in
            var index = 0
            while let quote = unsafe bytes.firstQuote(from: index) {
                index = quote + 1
                if unsafe bytes.hasQuoted(first, at: index) || bytes.hasQuoted(second, at: index) { return true }
            }
            return false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func firstQuote(from start: Int) -> Int? {
        let quotes = UInt64(repeating: UInt8(ascii: "\""))
        var index = start
        while index + 32 <= count {
            let part = unsafe UnsafeRawPointer(baseAddress! + index)
            var found: UInt64 = 0
            for step in 0..<4 {
                found |= (unsafe part.loadUnaligned(fromByteOffset: 8 * step, as: UInt64.self) ^ quotes).zeroBytes
            }
            if found != 0 { break }
            index += 32
        }
        while index < count, unsafe self[index] != UInt8(ascii: "\"") { index += 1 }
        return index < count ? index : nil
    }

    /// Whether a word stands between an index and a quote.
    fileprivate func hasQuoted(_ word: StaticString, at index: Int) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end < count, unsafe self[end] == UInt8(ascii: "\""), unsafe self[index] == word.utf8Start[0] else {
            return false
        }
        return unsafe extracting(index..<end).elementsEqual(
            UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}

extension UInt8 {
    var hexadecimal: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

extension UInt64 {
    fileprivate init(repeating byte: UInt8) { self = UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The high bit of each byte that is zero. Only the first of them is exact, and only that one is used.
    fileprivate var zeroBytes: UInt64 { (self &- UInt64(repeating: 1)) & ~self & UInt64(repeating: 0x80) }
}
