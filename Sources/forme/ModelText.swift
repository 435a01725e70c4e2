import Foundation
import JSON
import MessageLayout
import Wire

/// Finished models for people and for scripts to read. Numbers are device pixels.
enum ModelText {
    static let heading = line("message", "size", "lines", "left,baseline,width of each line, and what it shows")

    /// Lines show their text where it is known, and else the characters' numbers.
    static func table(_ row: StoredModel, text: String? = nil) throws(WireError) -> String {
        let model = try ThinModel(decoding: row.model)
        let units = text.map { Array($0.utf16) }
        let lines = model.lines.map { line in
            let range = Int(line.range.lowerBound)..<Int(line.range.upperBound)
            let shown = units.map { "“\(String(decoding: $0[range], as: UTF16.self).filter { !$0.isNewline })”" }
            return "\(line.left),\(line.baseline),\(line.width) \(shown ?? "\(range)")"
        }
        return line(
            row.position.message.text, "\(model.width)×\(model.height)", "\(lines.count)", lines.joined(separator: "  ")
        )
    }

    static func json(_ row: StoredModel) throws(WireError) -> String {
        let model = try ThinModel(decoding: row.model)
        var json = JSONWriter()
        json.object {
            $0.key("message")
            $0.string(row.position.message.text)
            write(["order": Int(row.position.order), "revision": Int(row.revision)], to: &$0)
            write(["width": Int(model.width), "height": Int(model.height)], to: &$0)
            $0.key("lines")
            $0.array { for line in model.lines { write(line, to: &$0) } }
            $0.key("entities")
            $0.array { for entity in model.entities { write(entity, to: &$0) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ line: ThinModel.Line, to json: inout JSONWriter) {
        json.object {
            write(["start": Int(line.range.lowerBound), "end": Int(line.range.upperBound)], to: &$0)
            write(["left": Int(line.left), "top": Int(line.top), "baseline": Int(line.baseline)], to: &$0)
            write(["width": Int(line.width)], to: &$0)
        }
    }

    private static func write(_ entity: ThinModel.Part, to json: inout JSONWriter) {
        json.object {
            $0.key("kind")
            $0.string("\(entity.kind)")
            write(["start": Int(entity.range.lowerBound), "end": Int(entity.range.upperBound)], to: &$0)
            $0.key("frames")
            $0.array {
                for frame in entity.frames {
                    let numbers = [frame.left, frame.top, frame.width, frame.height]
                    $0.array { for number in numbers { $0.integer(number) } }
                }
            }
        }
    }

    private static func write(_ fields: KeyValuePairs<String, Int>, to json: inout JSONWriter) {
        for (key, number) in fields {
            json.key(key)
            json.integer(number)
        }
    }

    private static func line(_ message: String, _ size: String, _ count: String, _ rest: String) -> String {
        [(message, 8), (size, 10), (count, 5)]
            .map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            .joined(separator: "  ") + "  " + rest
    }
}
