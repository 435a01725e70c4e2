import Bytes

/// The inputs of a key as bytes. Every value begins with its type, and a value of any length with that length: no two
/// lists of inputs are written alike.
package struct KeyBytes {
    package private(set) var bytes: [UInt8] = []

    private enum Tag: UInt8 {
        case missing = 0
        case flag, number, text, list, digest
    }

    package init() { bytes.reserveCapacity(512) }

    package mutating func missing() { add(.missing) }

    package mutating func flag(_ value: Bool) {
        add(.flag)
        bytes.append(value ? 1 : 0)
    }

    package mutating func number(_ value: some BinaryInteger) {
        add(.number)
        bytes.signed(Int64(value))
    }

    package mutating func text(_ text: String) {
        add(.text)
        bytes.number(text.utf8.count)
        var text = text
        text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }

    /// Begins a list of `count` values, which follow.
    package mutating func list(_ count: Int) {
        add(.list)
        bytes.number(count)
    }

    package mutating func list<Element>(_ elements: [Element], _ body: (inout KeyBytes, Element) -> Void) {
        list(elements.count)
        for element in elements { body(&self, element) }
    }

    package mutating func optional<Value>(_ value: Value?, _ body: (inout KeyBytes, Value) -> Void) {
        if let value { body(&self, value) } else { missing() }
    }

    /// Adds a hash of other inputs, which always has the same length.
    package mutating func digest(_ hash: [UInt8]) {
        add(.digest)
        bytes += hash
    }

    private mutating func add(_ tag: Tag) { bytes.append(tag.rawValue) }
}
