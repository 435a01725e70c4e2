import Bytes

/// Some lines of a row that has too many for one answer. Everything else of the row is here, and stands where it will
/// when the other lines have come, too.
///
/// Lines are counted through the states of a row, and in each through its contents in their order.
package struct RowExcerpt: Hashable, Sendable {
    /// The mark of the whole row.
    package var mark: RowMark
    /// The lines that are here.
    package var lines: Range<Int>
    /// The number of lines of the whole row.
    package var lineCount: Int

    /// Whether a row is an excerpt.
    package static func isOne(_ row: [UInt8]) -> Bool {
        row.first.map { RowVersion(firstByte: $0)?.excerpt == $0 } ?? false
    }

    /// Nil for a row that is whole, or cannot be read.
    package init?(of row: [UInt8]) {
        guard RowExcerpt.isOne(row) else { return nil }
        let walk: ExcerptWalk? = unsafe row.withUnsafeBufferPointer {
            var reader = unsafe NumberReader($0, from: 1)
            let walk = ExcerptWalk(&reader)
            return reader.fault == nil ? walk : nil
        }
        guard let walk else { return nil }
        self = walk.excerpt
    }

    fileprivate init(mark: RowMark, lines: Range<Int>, lineCount: Int) {
        (self.mark, self.lines, self.lineCount) = (mark, lines, lineCount)
    }
}

/// A checksum that tells the bytes of a row from others: lines of rows with different marks do not belong together.
package struct RowMark: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) { self.number = number }
    package init(of row: [UInt8]) { number = BlockChecksum(of: row).value }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    package init?(_ text: String) {
        guard text.utf8.count == 16, let number = UInt64(text, radix: 16) else { return nil }
        self.number = number
    }
}

/// Goes through the contents of an excerpt, and says which of their lines are in it.
struct ExcerptWalk {
    private(set) var excerpt: RowExcerpt
    /// The start of the first of its lines in its text, unless that is the first line of a content.
    private let start: Int32
    private var isStartOfUse = false
    private var passed = 0

    init(_ reader: inout NumberReader) {
        let mark = RowMark(reader.word())
        let (first, count, lineCount) = (Int(reader.number()), Int(reader.number()), Int(reader.number()))
        start = reader.length()
        excerpt = RowExcerpt(mark: mark, lines: first..<first + count, lineCount: lineCount)
        // All of them would be the whole row.
        if first + count > lineCount || count == lineCount { reader.fail(.outOfRange(Int64(count), of: "lines")) }
    }

    /// Passes over a content of `count` lines; returns those that are here, and the start of the first of them.
    mutating func next(_ count: Int) -> (lines: Range<Int>, start: Int32) {
        let here = excerpt.lines.clamped(to: passed..<passed + count)
        defer { passed += count }
        let lines = here.lowerBound - passed..<here.upperBound - passed
        guard !lines.isEmpty, lines.lowerBound > 0 else { return (lines, 0) }
        isStartOfUse = true
        return (lines, start)
    }

    /// Checks the excerpt, when all contents have been passed.
    func end(_ reader: inout NumberReader) {
        if passed != excerpt.lineCount { reader.fail(.outOfRange(Int64(passed), of: "lines")) }
        // One excerpt has one form.
        if start != 0 && !isStartOfUse { reader.fail(.outOfRange(Int64(start), of: "start")) }
    }
}
