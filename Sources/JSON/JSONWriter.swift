/// A writer that appends one JSON text to `bytes`, without spaces: the same bytes for the same calls.
///
///     var json = JSONWriter()
///     json.object {
///         $0.key("messages")
///         $0.integer(2000)
///     }
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    package init(appendingTo bytes: [UInt8] = []) { self.bytes = bytes }

    package mutating func object<Failure>(_ members: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try nested("{", "}", members)
    }

    package mutating func array<Failure>(_ elements: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        try nested("[", "]", elements)
    }

    package mutating func key(_ key: String) {
        string(key)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a key that stands in the program and needs no escapes.
    package mutating func key(plain name: StaticString) {
        separate()
        append("\"")
        append(name)
        append("\":")
        needsComma = false
    }

    package mutating func null() { raw("null") }

    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    package mutating func integer(_ value: some BinaryInteger) { token(String(value)) }

    /// Writes the types that most numbers have. The generic function is not specialised in other modules, and costs
    /// five times as much.
    package mutating func integer(_ value: Int) { digits(value.magnitude, isNegative: value < 0) }
    package mutating func integer(_ value: Int32) { digits(UInt(value.magnitude), isNegative: value < 0) }
    package mutating func integer(_ value: Int64) { digits(UInt(value.magnitude), isNegative: value < 0) }
    package mutating func integer(_ value: UInt64) { digits(UInt(value), isNegative: false) }

    package mutating func number(_ value: JSONNumber) { token(value.description) }

    /// Writes exactly `places` digits after the point, rounded to the nearest. NaN, infinity and numbers of more than
    /// 62 bits of digits are written as null.
    package mutating func decimal(_ value: Double, places: Int) {
        precondition((0...9).contains(places))
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let product = value * Double(scale)
        guard abs(product) < 0x1p62 else { return null() }
        // Not `rounded()`: it drags in the C library of mathematics.
        let scaled = Int(product + (product < 0 ? -0.5 : 0.5))
        let fraction = String(scaled.magnitude % UInt(scale) + UInt(scale)).dropFirst()
        let sign = scaled < 0 ? "-" : ""
        token(sign + String(scaled.magnitude / UInt(scale)) + (places > 0 ? "." + fraction : ""))
    }

    package mutating func string(_ value: String) {
        separate()
        bytes.append(0x22)
        var value = value
        value.withUTF8 { text in
            var start = 0
            while true {
                let special = unsafe text.endOfPlain(from: start, quote: 0x22)
                unsafe bytes.append(contentsOf: text.extracting(start..<special))
                guard special < text.count else { break }
                append(escaping: unsafe text[special])
                start = special + 1
            }
        }
        bytes.append(0x22)
    }

    /// Writes a text that is known to be one JSON value.
    package mutating func raw(_ text: [UInt8]) {
        separate()
        bytes.append(contentsOf: text)
    }

    package mutating func raw(_ text: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
    }

    /// Writes such a text that stands in the program.
    package mutating func raw(_ text: StaticString) {
        separate()
        append(text)
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements):
            array { for element in elements { $0.value(element) } }
        case .object(let object):
            self.object { members in
                for member in object.members {
                    members.key(member.key)
                    members.value(member.value)
                }
            }
        }
    }
}

extension JSONWriter {
    private mutating func append(_ text: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    private mutating func digits(_ value: UInt, isNegative: Bool) {
        separate()
        if isNegative { bytes.append(0x2D) }
        var first = bytes.count
        var rest = value
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // The last digits came first.
        var last = bytes.count - 1
        while first < last {
            bytes.swapAt(first, last)
            (first, last) = (first + 1, last - 1)
        }
    }

    private mutating func token(_ ascii: String) {
        separate()
        bytes.append(contentsOf: ascii.utf8)
    }

    private mutating func nested<Failure>(
        _ opening: StaticString, _ closing: StaticString, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        raw(opening)
        needsComma = false
        try body(&self)
        append(closing)
        needsComma = true
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            for digit in [byte >> 4, byte & 0xF] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
    }
}
