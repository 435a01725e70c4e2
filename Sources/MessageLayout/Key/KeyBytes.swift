/// The inputs of a key as bytes. Every value begins with its type, and what can be of any length with its length: no two
/// lists of inputs are written alike.
struct KeyBytes {
    private(set) var bytes: [UInt8] = []

    private enum Tag: UInt8 {
        case missing = 0
        case flag, number, text, list, digest
    }

    var digest: Digest { Digest(of: bytes) }

    mutating func missing() { add(.missing) }

    mutating func flag(_ value: Bool) {
        add(.flag)
        bytes.append(value ? 1 : 0)
    }

    mutating func number(_ value: some BinaryInteger) {
        add(.number)
        let value = Int64(value)
        add(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    mutating func text(_ text: String) {
        add(.text)
        add(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    /// So many values follow.
    mutating func list(_ count: Int) {
        add(.list)
        add(UInt64(count))
    }

    mutating func list<Element>(_ elements: [Element], _ body: (inout KeyBytes, Element) -> Void) {
        list(elements.count)
        for element in elements { body(&self, element) }
    }

    mutating func optional<Value>(_ value: Value?, _ body: (inout KeyBytes, Value) -> Void) {
        if let value { body(&self, value) } else { missing() }
    }

    mutating func digest(_ digest: Digest) {
        add(.digest)
        bytes += digest.bytes
    }

    private mutating func add(_ tag: Tag) { bytes.append(tag.rawValue) }

    /// Seven bits to a byte, the lowest first, in as few bytes as there can be.
    private mutating func add(_ value: UInt64) {
        var rest = value
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
