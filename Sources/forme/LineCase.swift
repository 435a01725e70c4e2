import JSON
import Typography

/// One text to break, as the oracle's files spell it, and the answer in the same files' shape. Lengths are CSS pixels.
struct LineCase {
    var id: String
    var text: String
    var size: Fixed
    var weight: Int16
    var width: Fixed
    var lineHeight: JSONNumber
    var scale: Scale

    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(
            knownKeys: ["id", "tag", "text", "font_size", "weight", "max_width", "line_height", "scale"])
        id = try fields.required("id").string()
        text = try fields.required("text").string()
        size = Fixed(raw: try LineCase.scaled(fields.required("font_size"), by: 64, in: 1...64 * 1024))
        weight = Int16(try fields.optional("weight")?.integer(in: 1...1000) ?? 400)
        let widths = -64 * 1_000_000...64 * 1_000_000
        width = Fixed(raw: try LineCase.scaled(fields.required("max_width"), by: 64, in: widths))
        lineHeight = try fields.required("line_height").number()
        scale = Scale(thousandths: try LineCase.scaled(fields.required("scale"), by: 1000, in: 1...16_000))
    }

    private static func scaled(
        _ reader: JSONReader, by factor: Int, in range: ClosedRange<Int>
    ) throws(JSONError) -> Int32 {
        let number = try reader.number()
        guard let double = number.double else { throw reader.mismatch(expected: "a number that fits") }
        let product = number.scaled(by: factor) ?? Int(exactly: (double * Double(factor)).rounded())
        guard let product, range.contains(product) else {
            let (least, most) = (Double(range.lowerBound) / Double(factor), Double(range.upperBound) / Double(factor))
            throw reader.mismatch(expected: "a number in \(least)...\(most)")
        }
        return Int32(product)
    }

    var breaker: LineBreaker { LineBreaker(width: width, size: size, scale: scale) }

    func write(_ lines: [Line], to json: inout JSONWriter) {
        let box = breaker.box
        let height = lineHeight.double ?? 0
        json.object { json in
            json.key("id")
            json.string(id)
            json.key("lines")
            json.array { json in
                for (n, line) in lines.enumerated() {
                    json.object { json in
                        json.key("start")
                        json.integer(Int(line.start))
                        json.key("end")
                        json.integer(Int(line.end))
                        json.key("width")
                        json.decimal(pixels(line.width), places: 4)
                        json.key("left")
                        json.decimal(pixels(line.traits.contains(.rightToLeft) ? box - line.width : 0), places: 4)
                        json.key("top")
                        json.decimal(Double(n) * height, places: 4)
                    }
                }
            }
            json.key("height")
            json.decimal(Double(lines.count) * height, places: 4)
            json.key("max_line_width")
            json.decimal(pixels(lines.map(\.width).max() ?? 0), places: 4)
        }
    }

    private func pixels(_ raw: Int32) -> Double { Double(raw) / 64 * 1000 / Double(scale.thousandths) }
}
