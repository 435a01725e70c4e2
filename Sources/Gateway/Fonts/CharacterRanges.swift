/// Characters, as the `unicode-range` of a `@font-face` names them: `U+20-7E,U+A0`.
package struct CharacterRanges: Hashable, Sendable {
    package let ranges: [ClosedRange<UInt32>]

    /// - Parameter ranges: the ranges in order, none of which touches another.
    package init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

    /// Nil for a text of another form.
    package init?(_ text: String) {
        var ranges: [ClosedRange<UInt32>] = []
        for word in text.split(separator: ",") {
            guard word.hasPrefix("U+") else { return nil }
            let ends = word.dropFirst(2).split(separator: "-").map { UInt32($0, radix: 16) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
                last <= 0x10ffff
            else { return nil }
            ranges.append(first...last)
        }
        self.init(ranges)
    }

    func contains(_ character: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < character { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= character
    }

    package var text: String {
        var bytes: [UInt8] = []
        for range in ranges {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes += "U+".utf8
            Self.append(range.lowerBound, to: &bytes)
            guard range.count > 1 else { continue }
            bytes.append(UInt8(ascii: "-"))
            Self.append(range.upperBound, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a number in hexadecimal. By hand, as faces have tens of thousands of ranges together.
    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        let count = max(1, (35 - number.leadingZeroBitCount) / 4)
        for place in (0..<count).reversed() {
            let digit = UInt8(truncatingIfNeeded: number >> UInt32(4 * place) & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
    }
}
