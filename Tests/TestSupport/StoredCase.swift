package import Foundation
package import Typography

/// A case of the oracle after measuring, as a file keeps it: a stored text, and a checksum of its lines at five
/// scales.
///
/// `ShapingTests` writes the file and holds it to the measures that the fonts give today; `TypographyTests`, which
/// has no fonts and no C library, breaks the stored texts and must find the same lines.
package struct StoredCase: Equatable, Sendable {
    package var id: String
    package var size: Fixed
    package var width: Fixed
    package var text: [UInt8]
    /// The checksum of the lines at all `scales`.
    package var checksum: UInt32

    package static let scales: [Scale] = [1000, 1500, 2000, 2625, 3000].map { Scale(thousandths: $0) }
    package static let file = Project.file("Tests/TypographyTests/Fixtures/measured")
    /// Some of the cases as a release stored them whose texts did not say how letters join (version 2). The file is
    /// never written again.
    package static let fileBefore = Project.file("Tests/TypographyTests/Fixtures/measured-2")

    package init(id: String, size: Fixed, width: Fixed, text: MeasuredText) {
        self.id = id
        self.size = size
        self.width = width
        self.text = text.encoded()
        checksum = StoredCase.checksum(of: text, size: size, width: width)
    }

    /// FNV-1a over ranges, widths and traits.
    ///
    /// - Parameter told: the traits that a release knew.
    package static func checksum(
        of text: MeasuredText, size: Fixed, width: Fixed, told: LineTraits = LineTraits(rawValue: -1)
    ) -> UInt32 {
        let lines = scales.flatMap { LineBreaker(width: width, size: size, scale: $0).lines(of: text) }
        return lines.flatMap { [$0.start, $0.end, $0.width, $0.traits.intersection(told).rawValue] }.reduce(0x811c_9dc5)
        { sum, value in
            stride(from: 0, to: 32, by: 8).reduce(sum) { sum, shift in
                (sum ^ UInt32(truncatingIfNeeded: value >> shift) & 0xff) &* 0x0100_0193
            }
        }
    }
}

extension StoredCase {
    /// The bytes of a case in the file: a line with id, size and width in 1/64 pixel, checksum and length, then the
    /// text.
    package var bytes: [UInt8] {
        Array("\(id) \(size.raw) \(width.raw) \(String(checksum, radix: 16)) \(text.count)\n".utf8) + text
    }

    package static func all(in file: URL = file) throws -> [StoredCase] {
        var rest = Array(try Data(contentsOf: file))[...]
        var cases: [StoredCase] = []
        while let one = StoredCase(readingFrom: &rest) { cases.append(one) }
        return cases
    }

    private init?(readingFrom rest: inout ArraySlice<UInt8>) {
        let fields = String(decoding: rest.prefix { $0 != 10 }, as: UTF8.self).split(separator: " ")
        guard fields.count == 5, let size = Int32(fields[1]), let width = Int32(fields[2]),
            let checksum = UInt32(fields[3], radix: 16), let length = Int(fields[4])
        else { return nil }
        id = String(fields[0])
        self.size = Fixed(raw: size)
        self.width = Fixed(raw: width)
        self.checksum = checksum
        rest = rest.drop { $0 != 10 }.dropFirst()
        text = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
    }
}
