/// A length in points, as a whole number of sixty-fourths: integers agree on every machine, floating point does not.
package struct Fixed: Hashable, Comparable, Sendable {
    package var raw: Int32

    package init(raw: Int32) { self.raw = raw }

    package static func points(_ points: Int32) -> Fixed { Fixed(raw: points &* 64) }

    package static let zero = Fixed(raw: 0)

    package static func < (a: Fixed, b: Fixed) -> Bool { a.raw < b.raw }
    package static func + (a: Fixed, b: Fixed) -> Fixed { Fixed(raw: a.raw &+ b.raw) }
    package static func - (a: Fixed, b: Fixed) -> Fixed { Fixed(raw: a.raw &- b.raw) }
}

/// Device pixels per point, in thousandths: 1, 1.5, 2, 2.625 and 3 are all exact.
package struct Scale: Hashable, Sendable {
    package var thousandths: Int32

    package init(thousandths: Int32) { self.thousandths = thousandths }

    package static let one = Scale(thousandths: 1000)
    package static let two = Scale(thousandths: 2000)
    package static let three = Scale(thousandths: 3000)
}

/// The size of text that the reader wants, in percent of the designer's.
package struct TextScale: Hashable, Sendable {
    package var percent: Int32

    package init(percent: Int32) { self.percent = percent }

    package static let one = TextScale(percent: 100)
}
