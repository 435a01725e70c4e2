// Stand-in until the text engine lands; dropped at merge.

package struct Fixed: Hashable, Comparable, Sendable {
    package var raw: Int32
    package init(raw: Int32) { self.raw = raw }
    package static func points(_ value: Int32) -> Fixed { Fixed(raw: value * 64) }
    package static func < (a: Fixed, b: Fixed) -> Bool { a.raw < b.raw }
}
package struct Scale: Hashable, Sendable {
    package var thousandths: Int32
    package init(thousandths: Int32) { self.thousandths = thousandths }
}
package struct TextScale: Hashable, Sendable {
    package var thousandths: Int32
    package init(thousandths: Int32) { self.thousandths = thousandths }
    package static let one = TextScale(thousandths: 1000)
}
package struct MeasuredText: Equatable, Sendable {
    package var length: Int32
    package init(length: Int32) { self.length = length }
}
package struct Line: Equatable, Sendable {
    package var start: Int32, end: Int32, width: Int32, left: Int32
}
package struct LineBreaker: Sendable {
    let perLine: Int32, advance: Int32
    package init(width: Fixed, size: Fixed, scale: Scale, textScale: TextScale = .one) {
        advance = size.raw / 2 * scale.thousandths / 1000
        perLine = max(1, width.raw * scale.thousandths / 1000 / max(1, advance))
    }
    package func lines(of text: MeasuredText) -> [Line] {
        stride(from: 0, to: text.length, by: Int(perLine)).map {
            let end = min(text.length, $0 + perLine)
            return Line(start: $0, end: end, width: (end - $0) * advance, left: 0)
        }
    }
}
