import TestSupport
import Testing

@testable import MessageLayout

private let wide = PixelSize(width: 1600, height: 900)
private let square = PixelSize(width: 1000, height: 1000)
private let narrow = PixelSize(width: 750, height: 1000)

private let frame = Mosaic.Frame(width: 280, height: 420, spacing: 2, least: 60)

/// How many cells start at each height: `[1, 2]` is one above two.
private func rows(_ mosaic: Mosaic) -> [Int] {
    var tops: [Int32: Int] = [:]
    for cell in mosaic.cells { tops[cell.rect.top, default: 0] += 1 }
    return tops.sorted { $0.key < $1.key }.map(\.value)
}

@Test(arguments: [
    ([square], [1]), ([wide, wide], [1, 1]), ([square, wide], [2]), ([narrow, narrow], [2]),
    ([wide, square, square], [1, 2]), ([wide, narrow, square, wide], [1, 3]),
    ([square, square, square, square], [2, 2]),
])
func `few pictures stand in rows by what the first is`(pictures: [PixelSize], counts: [Int]) {
    #expect(rows(Mosaic(of: pictures, in: frame)) == counts)
}

@Test(arguments: [3, 4])
func `a narrow first picture has the others beside it`(count: Int) {
    let mosaic = Mosaic(of: [narrow] + Array(repeating: wide, count: count - 1), in: frame)
    #expect(mosaic.cells[0].rect.height == mosaic.size.height)
    #expect(Set(mosaic.cells.dropFirst().map(\.rect.left)).count == 1)
}

@Test(arguments: [
    (5, [1, 4]), (6, [2, 2, 2]), (7, [2, 2, 3]), (8, [2, 2, 4]), (9, [1, 4, 4]), (10, [2, 4, 4]),
])
func `many pictures stand in the rows whose height is nearest to four thirds of the width`(count: Int, counts: [Int]) {
    #expect(rows(Mosaic(of: Array(repeating: square, count: count), in: frame)) == counts)
}

@Test func `cells have exact places`() {
    let mosaic = Mosaic(of: [wide, square, square], in: frame)
    #expect(mosaic.size == PixelSize(width: 280, height: 298))
    #expect(
        mosaic.cells == [
            .init(
                rect: PixelRect(left: 0, top: 0, width: 280, height: 157), corners: [.topStart, .topEnd]),
            .init(rect: PixelRect(left: 0, top: 159, width: 139, height: 139), corners: .bottomStart),
            .init(rect: PixelRect(left: 141, top: 159, width: 139, height: 139), corners: .bottomEnd),
        ])
}

@Test func `a picture of unknown size counts as square`() {
    #expect(Mosaic(of: [wide, .zero, .zero], in: frame) == Mosaic(of: [wide, square, square], in: frame))
}

@Test func `no pictures make an empty album, and more than ten no more cells`() {
    #expect(Mosaic(of: [], in: frame).cells.isEmpty && Mosaic(of: [], in: frame).size == .zero)
    #expect(Mosaic(of: Array(repeating: square, count: 50), in: frame).cells.count == Mosaic.mostPictures)
}

private func pictures(using random: inout SplitMix64) -> [PixelSize] {
    (0..<Int.random(in: 1...10, using: &random)).map { _ in
        PixelSize(width: .random(in: 0...2000, using: &random), height: .random(in: 0...2000, using: &random))
    }
}

@Test func `cells tile the album, with nothing between them but the spacing`() {
    forEachSeed(10_000) { random in
        let frame = Mosaic.Frame(
            width: .random(in: 200...1200, using: &random), height: .random(in: 200...1600, using: &random),
            spacing: .random(in: 0...8, using: &random), least: .random(in: 0...150, using: &random))
        return tiles(Mosaic(of: pictures(using: &random), in: frame), frame)
    }
}

/// Whether the cells cover the album, and no place twice, when all are grown by the spacing at the end and the
/// bottom.
private func tiles(_ mosaic: Mosaic, _ frame: Mosaic.Frame) -> Bool {
    let space = frame.spacing
    let grown = mosaic.cells.map(\.rect).map {
        PixelRect(left: $0.left, top: $0.top, width: $0.width + space, height: $0.height + space)
    }
    let album = PixelRect(left: 0, top: 0, width: mosaic.size.width + space, height: mosaic.size.height + space)
    let isApart = grown.indices.allSatisfy { index in
        grown[(index + 1)...].allSatisfy { !$0.overlaps(grown[index]) }
    }
    func area(_ rect: PixelRect) -> Int64 { Int64(rect.width) * Int64(rect.height) }
    return isApart && grown.allSatisfy(album.contains) && grown.map(area).reduce(0, +) == area(album)
        && mosaic.size.width == frame.width && mosaic.size.height <= frame.height
}

@Test func `no cell is smaller than the least, where the box has room`() {
    forEachSeed(10_000) { random in
        let least = Int32.random(in: 1...100, using: &random)
        let spacing = Int32.random(in: 0...8, using: &random)
        // There is room for four of the least cells on each side: all plans fit.
        let room = 4 * least + 3 * spacing + 24
        let frame = Mosaic.Frame(
            width: room + .random(in: 0...600, using: &random), height: room + .random(in: 0...900, using: &random),
            spacing: spacing, least: least)
        return Mosaic(of: pictures(using: &random), in: frame).cells
            .allSatisfy { $0.rect.width >= least && $0.rect.height >= least }
    }
}

@Test func `each corner of the album is a corner of one cell`() {
    forEachSeed(2000) { random in
        let cells = Mosaic(of: pictures(using: &random), in: frame).cells
        return [Corners.topStart, .topEnd, .bottomStart, .bottomEnd].allSatisfy { corner in
            cells.count { $0.corners.contains(corner) } == 1
        }
    }
}

@Test func `no box makes it trap, and every cell is inside`() {
    let sides: [Int32] = [.min, -1, 0, 1, 2, 3, 7, 20, 300, 1 << 20, .max]
    forEachSeed(10_000) { random in
        let frame = Mosaic.Frame(
            width: sides.randomElement(using: &random)!, height: sides.randomElement(using: &random)!,
            spacing: sides.randomElement(using: &random)!, least: sides.randomElement(using: &random)!)
        let pictures = pictures(using: &random)
        let mosaic = Mosaic(of: pictures, in: frame)
        let bounds = PixelRect(left: 0, top: 0, width: frame.width, height: frame.height)
        return mosaic.cells.count == pictures.count && mosaic.cells.allSatisfy { bounds.contains($0.rect) }
    }
}

/// All ways to part pictures into at most `rows` rows of one to four.
private func partitions(of count: Int, rows: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    guard rows > 0 else { return [] }
    return (1...min(4, count)).flatMap { first in
        partitions(of: count - first, rows: rows - 1).map { [first] + $0 }
    }
}

@Test func `the rows of many pictures are those that trying all partitions one by one finds`() {
    forEachSeed(2000) { random in
        let frame = Mosaic.Frame(
            width: .random(in: 0...1200, using: &random), height: .random(in: 0...1600, using: &random),
            spacing: .random(in: 0...8, using: &random), least: .random(in: 0...300, using: &random))
        let ratios = pictures(using: &random).map(Ratio.init)
        let all = partitions(of: ratios.count, rows: 4)
        let fitting = all.filter { frame.fits(columns: $0.max()!, rows: $0.count) }
        let ideal = min(Int64(frame.width) * 4 / 3, Int64(frame.height))
        let scored = (fitting.isEmpty ? all : fitting).map { rows in
            var (height, first) = (frame.spacing(between: rows.count), 0)
            for count in rows {
                height += frame.rowHeight(of: first..<first + count, ratios)
                first += count
            }
            return (rows, distance: abs(height - ideal))
        }
        var search = MosaicSearch(ratios, frame)
        let best = search.best()
        return (0..<best.count).map { best.pictures(in: $0).count } == scored.min { $0.distance < $1.distance }!.0
    }
}

@Test func `an album that is remembered is the one that would be made`() {
    forEachSeed(200) { random in
        var memory = MosaicMemory()
        let frames = (0..<3).map {
            Mosaic.Frame(width: 200 + 40 * $0, height: 400, spacing: 2, least: 60)
        }
        let albums = (0..<3).map { _ in pictures(using: &random) }
        return (0..<40).allSatisfy { _ in
            let (album, frame) = (
                albums.randomElement(using: &random)!, frames.randomElement(using: &random)!
            )
            return memory.mosaic(of: album, in: frame) == Mosaic(of: album, in: frame)
        }
    }
}
