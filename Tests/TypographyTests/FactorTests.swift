import Testing
import Typography

private func factor(
    points: Int32, scale: Scale = .one, textScale: Int32 = 100, percent: Int32 = 100, unitsPerEm: Int32 = 1000
) -> Factor {
    Factor(
        size: .points(points), scale: scale, textScale: TextScale(percent: textScale), percent: percent,
        unitsPerEm: unitsPerEm)
}

@Test(arguments: [(13, 26000.03125), (15, 30000.21875), (17, 33999.921875)])
func `two thousand ideographs are as wide as a browser has them`(points: Int32, pixels: Double) {
    #expect(Double(factor(points: points).pixels(2_000_000)) / 64 == pixels)
}

@Test(arguments: [1000, 2048, 109, 16, 16384] as [Int32])
func `a unit of a font is rounded to 1/65536 of 1/64 pixel`(unitsPerEm: Int32) {
    for thousandths in [1000, 1500, 2000, 2625, 3000] as [Int32] {
        for points in [1, 13, 16, 17, 64] as [Int32] {
            let scaled = factor(points: points, scale: Scale(thousandths: thousandths), unitsPerEm: unitsPerEm).scaled
            let exact = Double(points) * 64 * 65536 * Double(thousandths) / 1000 / Double(unitsPerEm)
            #expect(abs(Double(scaled) - exact) <= 0.5)
        }
    }
}

@Test func `sizes in percent multiply`() {
    #expect(factor(points: 10, textScale: 150, percent: 200) == factor(points: 30))
    #expect(factor(points: 10, scale: Scale(thousandths: 3000)) == factor(points: 30))
}

@Test(arguments: [(1, 2), (1000, 1025), (-1000, -1024), (0, 0)] as [(Int32, Int32)])
func `widths are rounded up to whole 64ths of a pixel`(units: Int32, pixels: Int32) {
    #expect(factor(points: 16).pixels(units) == pixels)
}

@Test func `the units that fit are the most that do not round up to more`() {
    for points in [1, 13, 16, 17, 64] as [Int32] {
        for width in [0, 1, 63, 64, 1000, 12_345, 999_999] as [Int32] {
            let factor = factor(points: points)
            let units = factor.units(in: width)
            #expect(factor.pixels(units) <= width && factor.pixels(units + 1) > width)
        }
    }
}
