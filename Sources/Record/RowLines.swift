package import Bytes

/// A row, and the places of its lines in its bytes: so that some of them can be taken by themselves, and put together
/// again. All of its excerpts, put together, are the row, byte for byte.
///
///     let whole = try RowLines(row)
///     let first = whole.excerpt(0..<40)
///     try RowLines(first).united(with: RowLines(whole.excerpt(40..<whole.lineCount))) == row
package struct RowLines {
    package let bytes: [UInt8]
    /// The mark of the whole row.
    package let mark: RowMark
    package let lineCount: Int
    /// The lines that are here: all of them, or an excerpt.
    package let lines: Range<Int>
    private let outline: RowOutline

    /// Throws for bytes that are no row, and for entities in another order than their lines.
    package init(_ row: [UInt8]) throws(ByteError) {
        let outline = try RowOutline(row)
        self.outline = outline
        bytes = row
        mark = outline.excerpt?.mark ?? RowMark(of: row)
        lineCount = outline.lineCount
        lines = outline.excerpt?.lines ?? 0..<outline.lineCount
    }

    /// Some of the lines that are here; the row as it is if that is all of them.
    package func excerpt(_ wanted: Range<Int>) -> [UInt8] {
        let wanted = wanted.clamped(to: lines)
        return wanted == lines ? bytes : RowLines.row(wanted, of: [(self, wanted)])
    }

    /// The lines of both; if others between them are missing, those of the one that has more. Throws if these are of
    /// different rows, and if the whole is not the row that both were cut from.
    package func united(with other: RowLines) throws(ByteError) -> [UInt8] {
        guard mark == other.mark, lineCount == other.lineCount, outline.version == other.outline.version,
            outline.contents.count == other.outline.contents.count
        else { throw .outOfRange(Int64(bitPattern: other.mark.number), of: "mark") }
        let (upper, lower) = lines.lowerBound <= other.lines.lowerBound ? (self, other) : (other, self)
        guard lower.lines.lowerBound <= upper.lines.upperBound else {
            return lines.count > other.lines.count ? bytes : other.bytes
        }
        guard lower.lines.upperBound > upper.lines.upperBound else { return upper.bytes }
        if lower.lines.lowerBound == upper.lines.lowerBound { return lower.bytes }
        let row = RowLines.row(
            upper.lines.lowerBound..<lower.lines.upperBound,
            of: [(upper, upper.lines), (lower, upper.lines.upperBound..<lower.lines.upperBound)])
        guard RowExcerpt.isOne(row) || RowMark(of: row) == mark else {
            throw .outOfRange(Int64(bitPattern: mark.number), of: "mark")
        }
        return row
    }

    /// - Parameter sources: rows of one mark, and the lines that are taken of each, from above to below.
    private static func row(_ lines: Range<Int>, of sources: [(row: RowLines, lines: Range<Int>)]) -> [UInt8] {
        let first = sources[0].row
        let stretches = first.outline.contents.indices.map { i in
            sources.map { $0.row.outline.stretch(of: i, $0.lines, in: $0.row.bytes) }
        }
        var row = Buffer<UInt8>(capacity: sources.reduce(64) { $0 + $1.row.bytes.count })
        let isWhole = lines.count == first.lineCount
        if isWhole {
            row.append(first.outline.version.whole)
        } else {
            row.append(first.outline.version.excerpt)
            row.word(first.mark.number)
            row.number(lines.lowerBound)
            row.number(lines.count)
            row.number(first.lineCount)
            row.number(stretches.lazy.compactMap(\.[0].start).first ?? 0)
        }
        row.append(first.bytes[first.outline.head])
        if !isWhole { row.number(first.outline.shared.count) }
        row.append(first.bytes[first.outline.shared])
        for (content, own) in zip(first.outline.contents, stretches) {
            row.append(first.bytes[content.before])
            for (stretch, source) in zip(own, sources) { row.append(source.row.bytes[stretch.lines]) }
            guard content.hasSpans else { continue }
            row.number(own.reduce(0) { $0 + $1.spanCount })
            for (stretch, source) in zip(own, sources) { row.append(source.row.bytes[stretch.spans]) }
        }
        row.append(first.bytes[first.outline.rest])
        return row.array(0..<Int32(row.count))
    }
}
