package import Foundation
package import MessageLayout

/// A state of a row, as JSON tells it: its size, and the lines of it that are here.
package struct ToldRow: Codable, Equatable {
    var size: [Int32]
    var contents: [Content]

    struct Content: Codable, Equatable {
        /// The number of its lines before these.
        var first: Int32
        /// Start, end, width.
        var lines: [[Int32]]
    }

    package init(_ model: LayoutModel) {
        size = [model.size.width, model.size.height]
        contents = model.blocks.map { block in
            Content(
                first: block.lines.isEmpty ? 0 : block.firstLine,
                lines: block.lines.map { place in
                    let line = model.lines[Int(place)]
                    return [line.start, line.end, line.width]
                })
        }
    }

    /// All states of a row, or of an excerpt of one.
    package static func states(decodedFrom row: Data) throws -> [ToldRow] {
        try JSONDecoder().decode([ToldRow].self, from: ToldRecord.told(row, ["row"]))
    }
}
