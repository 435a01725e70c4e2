/// The target of a request, taken apart and decoded: `/v1/fonts/a%2Fb?x=1` is `v1`, `fonts`, `a/b`, and `x` is `1`.
///
/// A segment is decoded after it is cut, so a slash inside an identifier stays inside it. A target that does not
/// decode to UTF-8 without control characters names nothing, and has no other spelling that does.
package struct RequestTarget: Equatable, Sendable {
    package struct Item: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    /// The segments of the path; none for `/`, and for the `*` of OPTIONS.
    package let segments: [String]
    package let query: [Item]
    /// The target as it was written. One target may be written in many ways.
    package let bytes: [UInt8]

    /// Nil for a malformed target.
    package init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes == [UInt8(ascii: "*")] {
            segments = []
            query = []
            return
        }
        guard let local = Self.withoutAuthority(bytes[...]), local.first == UInt8(ascii: "/") else { return nil }
        let path = local.prefix { $0 != UInt8(ascii: "?") }
        guard let segments = Self.segments(path.dropFirst()),
            let query = Self.items(local.dropFirst(path.count + 1))
        else { return nil }
        (self.segments, self.query) = (segments == [""] ? [] : segments, query)
    }

    /// The value of a name that stands there once; nil, too, when it is repeated and its meaning ambiguous.
    package func value(_ name: String) -> String? {
        let values = query.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// The target without scheme and host, which a request to a proxy has, too; to a server it means the same. Nil
    /// where the host is empty.
    private static func withoutAuthority(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for scheme in ["http://", "https://"] where text.starts(with: scheme.utf8) {
            let rest = text.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            return authority.isEmpty ? nil : rest.dropFirst(authority.count)
        }
        return text
    }

    // Part by part: collecting the parts first takes longer than decoding them, and every request has some.

    private static func segments(_ text: ArraySlice<UInt8>) -> [String]? {
        var segments: [String] = []
        segments.reserveCapacity(8)
        var rest: ArraySlice<UInt8>? = text
        while let part = next(of: &rest, before: UInt8(ascii: "/")) {
            guard let segment = decoded(part, plusIsSpace: false) else { return nil }
            segments.append(segment)
        }
        return segments
    }

    private static func items(_ text: ArraySlice<UInt8>) -> [Item]? {
        var items: [Item] = []
        var rest: ArraySlice<UInt8>? = text
        while let part = next(of: &rest, before: UInt8(ascii: "&")) {
            guard !part.isEmpty else { continue }
            let written = part.prefix { $0 != UInt8(ascii: "=") }
            guard let name = decoded(written, plusIsSpace: true),
                let value = decoded(part.dropFirst(written.count + 1), plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        return items
    }

    /// Takes the next part off the text; nil behind the last one.
    private static func next(of rest: inout ArraySlice<UInt8>?, before separator: UInt8) -> ArraySlice<UInt8>? {
        guard let text = rest else { return nil }
        let part = text.prefix { $0 != separator }
        rest = part.count < text.count ? text.dropFirst(part.count + 1) : nil
        return part
    }
}

/// The text that percent-encoded bytes stand for; nil when a percent sign stands before anything but two hexadecimal
/// digits, when the bytes are not UTF-8, or when one is a control character.
private func decoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    // Most texts stand for themselves.
    if text.allSatisfy({ 0x20 < $0 && $0 < 0x7F && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") }) {
        return String(decoding: text, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.popFirst()?.hexadecimalDigit, let low = rest.popFirst()?.hexadecimalDigit else {
                return nil
            }
            bytes.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
        default: bytes.append(byte)
        }
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
