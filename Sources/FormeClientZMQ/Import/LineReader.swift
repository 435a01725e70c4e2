package import Foundation

/// Reads a file line by line from any place on, with a bounded piece of it in memory.
package struct LineReader {
    package struct Line: Equatable, Sendable {
        /// The line without its end. Nil for one that is longer than a line may be.
        package var bytes: [UInt8]?
        /// Its number in the file, counted from 1.
        package var number: Int
        /// The place where the next line begins.
        package var end: UInt64
    }

    /// The length of the longest event: a request may hold no more.
    package static let longestLine = 1 << 19
    private static let pieceSize = 1 << 18

    private let file: FileHandle
    private var piece: [UInt8] = []
    private var position = 0
    private var offset: UInt64
    private var number: Int

    /// - Parameters:
    ///   - offset: a place where a line begins.
    ///   - lines: the number of lines before it.
    package init(_ file: FileHandle, from offset: UInt64 = 0, after lines: Int = 0) throws {
        (self.file, self.offset, number, lineStart) = (file, offset, lines, offset)
        if offset > 0 { try file.seek(toOffset: offset) }
    }

    /// Nil at the end of the file. A last line without an end is a line.
    package mutating func next() throws -> Line? {
        var bytes: [UInt8] = []
        var isTooLong = false
        while true {
            if position == piece.count, try !fill() {
                guard offset > lineStart else { return nil }
                return line(bytes, isTooLong)
            }
            let rest = piece[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? piece.count)]
            if bytes.count + part.count > Self.longestLine { (isTooLong, bytes) = (true, []) }
            if !isTooLong { bytes += part }
            let taken = part.count + (end == nil ? 0 : 1)
            position += taken
            offset += UInt64(taken)
            if end != nil { return line(bytes, isTooLong) }
        }
    }

    private var lineStart: UInt64

    private mutating func line(_ bytes: [UInt8], _ isTooLong: Bool) -> Line {
        number += 1
        lineStart = offset
        return Line(bytes: isTooLong ? nil : bytes, number: number, end: offset)
    }

    private mutating func fill() throws -> Bool {
        guard let more = try file.read(upToCount: Self.pieceSize), !more.isEmpty else { return false }
        (piece, position) = (Array(more), 0)
        return true
    }
}
