/// A reader that passes over a JSON text without making values of it, as long as the text is *plain*: spelled as
/// `JSONWriter` spells it, but for space between tokens.
///
/// Programs mostly write plainly, and then most of a text is only passed on. At a part that is not plain (an escape
/// that is not needed, a fraction, a key beyond ASCII, a key that is there twice, a mistake), calls answer nil or
/// false, at once or from then on. The caller then has `JSONValue.parse` read the text, which knows all rules and
/// reports faults. So a skimmer decides nothing and refuses nothing: it is only fast.
///
///     bytes.span.skimming { skimmer in skimmer.object { skimmer, key in skimmer.skip() } }
@safe package struct JSONSkimmer {
    private let bytes: UnsafeBufferPointer<UInt8>  // UTF-8, lent for as long as the skimmer lives
    private var index = 0
    private var depth = 0
    /// Bytes of space that were passed.
    private var space = 0
    /// The keys of the objects that are open.
    private var keys: [Range<Int>] = []

    private static let deepest = 32
    private static let mostKeys = 16
    private static let mostDigits = 18

    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }
}

extension Span<UInt8> {
    /// Lends a skimmer of these bytes. Nil when `body` gives up, and when not all of the text was read.
    package func skimming<Result>(_ body: (inout JSONSkimmer) -> Result?) -> Result? {
        guard (try? UTF8Span(validating: self)) != nil else { return nil }
        return skimmingAgain(body)
    }

    /// The same for bytes that are known to be UTF-8, as they were read before.
    package func skimmingAgain<Result>(_ body: (inout JSONSkimmer) -> Result?) -> Result? {
        unsafe withUnsafeBufferPointer { buffer in
            var skimmer = unsafe JSONSkimmer(buffer)
            skimmer.skipSpace()
            guard let result = body(&skimmer), skimmer.isAtEnd else { return nil }
            return result
        }
    }
}

extension JSONSkimmer {
    /// The key of a member, to be compared with what is known.
    package struct Key {
        fileprivate let range: Range<Int>
    }

    package func says(_ key: Key, _ word: StaticString) -> Bool {
        unsafe key.range.count == word.utf8CodeUnitCount
            && bytes.extracting(key.range).elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Whether a key equals a word that is not known before the program runs.
    package func says(_ key: Key, _ word: String) -> Bool {
        unsafe key.range.count == word.utf8.count && bytes.extracting(key.range).elementsEqual(word.utf8)
    }

    /// Calls `member` at the value of each member; false when a call returns false, or when this is no plain object.
    package mutating func object(_ member: (inout JSONSkimmer, Key) -> Bool) -> Bool {
        guard open("{") else { return false }
        let first = keys.count
        if !take("}") {
            repeat {
                guard let key = key(after: first), member(&self, key) else { return false }
                skipSpace()
            } while goOn()
            guard take("}") else { return false }
        }
        keys.removeSubrange(first...)
        depth -= 1
        return true
    }

    /// Calls `element` at each element; false when a call returns false, or when this is no plain array.
    package mutating func array(_ element: (inout JSONSkimmer) -> Bool) -> Bool {
        guard open("[") else { return false }
        if !take("]") {
            repeat {
                guard element(&self) else { return false }
                skipSpace()
            } while goOn()
            guard take("]") else { return false }
        }
        depth -= 1
        return true
    }

    /// The content of a string without escapes.
    package mutating func string() -> String? {
        guard let range = content(), unsafe !bytes.extracting(range).contains(UInt8(ascii: "\\")) else { return nil }
        return unsafe String(copying: UTF8Span(unchecked: bytes.extracting(range).span))
    }

    /// Skips a string, and returns the number of bytes between its quotes: with escapes, more than its text has.
    package mutating func text() -> Int? { content()?.count }

    package var isAtString: Bool { byte == UInt8(ascii: "\"") }

    package mutating func integer() -> Int? {
        let isNegative = take("-")
        let first = index
        var number = 0
        while byte.isDigit {
            number = number &* 10 &+ Int(byte & 0xF)
            index += 1
        }
        let count = index - first
        guard 1...Self.mostDigits ~= count, unsafe bytes[first] != UInt8(ascii: "0") || (count == 1 && !isNegative),
            byte != UInt8(ascii: "."), byte | 0x20 != UInt8(ascii: "e")
        else { return nil }
        return isNegative ? -number : number
    }

    package mutating func bool() -> Bool? { take(word: "true") ? true : take(word: "false") ? false : nil }

    /// A value of any kind, as `JSONWriter` writes it.
    package mutating func value() -> [UInt8]? { value { $0.skip() } }

    /// The text that `pass` skips, as `JSONWriter` writes it.
    package mutating func value(_ pass: (inout JSONSkimmer) -> Bool) -> [UInt8]? {
        let (start, spaceBefore) = (index, space)
        guard pass(&self) else { return nil }
        let passed = unsafe bytes.extracting(start..<index)
        return space == spaceBefore ? unsafe Array(passed) : unsafe withoutSpace(passed)
    }

    /// Skips a value; false when it is not plain.
    package mutating func skip() -> Bool {
        switch byte {
        case UInt8(ascii: "\""): content() != nil
        case UInt8(ascii: "{"): object { skimmer, _ in skimmer.skip() }
        case UInt8(ascii: "["): array { $0.skip() }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): bool() != nil
        case UInt8(ascii: "n"): take(word: "null")
        default: integer() != nil
        }
    }
}

extension JSONSkimmer {
    /// The byte here, or 0 after the end: nothing that is plain has a NUL.
    private var byte: UInt8 { unsafe index < bytes.count ? unsafe bytes[index] : 0 }
    fileprivate var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return unsafe index == bytes.count
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard unsafe end <= bytes.count, says(Key(range: index..<end), word) else { return false }
        index = end
        return true
    }

    fileprivate mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
            space += 1
        }
    }

    private mutating func open(_ bracket: Unicode.Scalar) -> Bool {
        guard depth < Self.deepest, take(bracket) else { return false }
        depth += 1
        skipSpace()
        return true
    }

    /// Skips the comma before the next member, if there is one.
    private mutating func goOn() -> Bool {
        guard take(",") else { return false }
        skipSpace()
        return true
    }

    /// A key and its colon; nil where an earlier key of the object is equal.
    private mutating func key(after first: Int) -> Key? {
        guard let range = content(), keys.count - first < Self.mostKeys else { return nil }
        let isPlain = unsafe bytes.extracting(range).allSatisfy { $0 != UInt8(ascii: "\\") && $0 < 0x80 }
        guard isPlain else { return nil }
        for other in keys[first...] where other.count == range.count {
            if unsafe bytes.extracting(other).elementsEqual(bytes.extracting(range)) { return nil }
        }
        keys.append(range)
        skipSpace()
        guard take(":") else { return nil }
        skipSpace()
        return Key(range: range)
    }

    /// The range between the quotes of a string; nil where it has other escapes than those that `JSONWriter` writes.
    private mutating func content() -> Range<Int>? {
        guard take("\"") else { return nil }
        let start = index
        while true {
            index = unsafe bytes.endOfPlain(from: index, quote: UInt8(ascii: "\""))
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return start..<index - 1
            case UInt8(ascii: "\\"):
                index += 1
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                    index += 1
                default: return nil
                }
            default: return nil
            }
        }
    }
}

/// The text without the space between its tokens.
private func withoutSpace(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(text.count)
    var (isInString, isEscaped) = (false, false)
    for place in text.indices {
        let byte = unsafe text[place]
        if !isInString, byte <= 0x20 { continue }
        copy.append(byte)
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString.toggle()
        }
    }
    return copy
}
