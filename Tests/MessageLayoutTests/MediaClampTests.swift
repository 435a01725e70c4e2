import MessageLayout
import TestSupport
import Testing
import Typography

private func size(_ width: Int32, _ height: Int32) -> PixelSize { PixelSize(width: width, height: height) }

private let clamp = MediaClamp(largest: size(280, 360), smallest: size(120, 80))

@Test(arguments: [
    (size(560, 280), size(280, 140)), (size(400, 720), size(200, 360)), (size(200, 150), size(200, 150)),
    (size(280, 360), size(280, 360)), (size(4000, 3000), size(280, 210)),
])
func `a picture is shown whole, and no larger than it is`(picture: PixelSize, slot: PixelSize) {
    #expect(clamp.slot(for: picture) == .init(size: slot, fill: slot))
}

@Test(arguments: [
    (size(1000, 100), size(280, 80), size(800, 80)), (size(100, 1000), size(120, 360), size(120, 1200)),
    (size(40, 40), size(120, 80), size(120, 120)), (size(1, 1), size(120, 80), size(120, 120)),
])
func `a sliver is raised to the smallest slot, and cut`(picture: PixelSize, slot: PixelSize, fill: PixelSize) {
    #expect(clamp.slot(for: picture) == .init(size: slot, fill: fill))
}

@Test func `a pixel of the picture is a point of the screen`() {
    let fine = MediaClamp(largest: size(560, 720), smallest: size(240, 160), scale: .two)
    #expect(fine.slot(for: size(200, 150)).size == size(400, 300))
    #expect(fine.slot(for: size(400, 150)).size == size(560, 210))
}

@Test(arguments: [size(0, 0), size(0, 100), size(100, 0), size(-1, 5)])
func `a picture of unknown size has a square`(picture: PixelSize) {
    #expect(clamp.slot(for: picture) == .init(size: size(280, 280), fill: size(280, 280)))
}

@Test func `no box at all makes an empty slot`() {
    #expect(MediaClamp(largest: .zero, smallest: size(10, 10)).slot(for: size(5, 5)).size == .zero)
    #expect(MediaClamp(largest: size(-5, -5), smallest: .zero).slot(for: .zero).size == .zero)
}

/// A side of a picture: as cameras make it, tiny, or of any size.
private func side(using random: inout SplitMix64) -> Int32 {
    [
        .random(in: 1...5000, using: &random), .random(in: 1...20, using: &random),
        .random(in: 1...(.max), using: &random),
    ]
    .randomElement(using: &random)!
}

@Test func `a slot stays between the smallest and the largest, and the picture fills it in its ratio`() {
    forEachSeed(20_000) { random in
        let largest = size(.random(in: 1...2000, using: &random), .random(in: 1...2000, using: &random))
        let smallest = size(.random(in: 0...400, using: &random), .random(in: 0...400, using: &random))
        let scale = ([1000, 1500, 2625, 3000] as [Int32]).randomElement(using: &random)!
        let picture = size(side(using: &random), side(using: &random))
        let slot = MediaClamp(largest: largest, smallest: smallest, scale: Scale(thousandths: scale))
            .slot(for: picture)
        let isInside = slot.size.width <= largest.width && slot.size.height <= largest.height
        let isLarge =
            slot.size.width >= min(smallest.width, largest.width)
            && slot.size.height >= min(smallest.height, largest.height)
        let isFull = slot.fill.width >= slot.size.width && slot.fill.height >= slot.size.height
        return isInside && isLarge && isFull && keepsRatio(picture, slot.fill)
    }
}

/// Whether the ratio is kept to within one pixel of one side, as far as pixels can be counted.
private func keepsRatio(_ picture: PixelSize, _ shown: PixelSize) -> Bool {
    guard shown.width < .max, shown.height < .max else { return true }
    let (width, height) = (Double(picture.width), Double(picture.height))
    return abs(Double(shown.width) - Double(shown.height) * width / height) <= 1
        || abs(Double(shown.height) - Double(shown.width) * height / width) <= 1
}
