package import JSON
package import Typography

/// A length of the style by its place in the table of lengths; each target has a table of its own, in device pixels.
package struct LengthID: Hashable, Sendable {
    package var place: Int16
    /// The length 0.
    package static var zero: LengthID { LengthID(place: 0) }
}

/// A length as a style says it.
package struct StyleLength: Hashable, Sendable {
    package var points: Fixed
    /// Whether it grows with the reader's text size.
    package var isScaled: Bool

    package init(points: Fixed, isScaled: Bool = false) {
        self.points = points
        self.isScaled = isScaled
    }

    package static let zero = StyleLength(points: .zero)
    package static let longest = Fixed.points(4096)

    /// A number of points, or `{ points: 20, scaled: true }`.
    package init(_ reader: JSONReader) throws(JSONError) {
        guard reader.value.object != nil else {
            self.init(points: try reader.points())
            return
        }
        let fields = try reader.object(knownKeys: ["points", "scaled"])
        self.init(
            points: try fields.required("points").points(), isScaled: try fields.optional("scaled")?.bool() ?? false)
    }

    /// Whole device pixels, the nearest.
    package func pixels(scale: Scale, textScale: TextScale) -> Int32 {
        let percent = isScaled ? Int64(textScale.percent) : 100
        let raw = Int64(points.raw) * Int64(scale.thousandths) * percent
        return Int32(clamping: (raw + 3_200_000) / 6_400_000)
    }
}
