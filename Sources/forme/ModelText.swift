import Foundation
import MessageLayout
import Wire

/// Finished models for people and for scripts to read. Numbers are device pixels.
enum ModelText {
    static let heading = line("message", "size", "lines", "left,baseline,width [characters] of each line")

    static func table(_ row: StoredModel) throws(WireError) -> String {
        let model = try LayoutModel(decoding: row.model)
        let lines = model.lines.map {
            "\($0.left),\($0.baseline),\($0.width) [\($0.range.lowerBound)..<\($0.range.upperBound)]"
        }
        return line(
            row.position.message.text, "\(model.width)×\(model.height)", "\(lines.count)", lines.joined(separator: "  ")
        )
    }

    static func json(_ row: StoredModel) throws -> String {
        let model = try LayoutModel(decoding: row.model)
        let object: [String: Any] = [
            "message": row.position.message.text, "order": row.position.order, "revision": row.revision,
            "width": model.width, "height": model.height,
            "lines": model.lines.map {
                [
                    "start": $0.range.lowerBound, "end": $0.range.upperBound, "left": $0.left, "top": $0.top,
                    "baseline": $0.baseline, "width": $0.width,
                ]
            },
        ]
        let bytes = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func line(_ message: String, _ size: String, _ count: String, _ rest: String) -> String {
        [(message, 8), (size, 10), (count, 5)]
            .map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            .joined(separator: "  ") + "  " + rest
    }
}
