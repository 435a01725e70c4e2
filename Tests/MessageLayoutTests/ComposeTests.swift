import MessageLayout
import TestSupport
import Testing
import Typography

/// Text whose every letter is half an em wide: 8 points at the standard size.
private func monospaced(_ text: String, rightToLeft: Bool = false, entities: [Entity] = []) -> MeasuredText {
    let letters = Array(text)
    let level: UInt8 = rightToLeft ? 1 : 0
    return MeasuredText(
        advances: letters.map { _ in 500 },
        marks: letters.indices.map { index in
            var marks: Marks = .cluster
            if letters[index] == " " { marks.insert(.space) }
            if index > 0, letters[index - 1] == " ", letters[index] != " " { marks.insert(.opportunity) }
            return marks
        },
        runs: letters.isEmpty
            ? [] : [TextRun(start: 0, unitsPerEm: 1000, font: 0, level: level, paragraphLevel: level)],
        styles: [
            StyleMetrics(
                unitsPerEm: 1000, ascent: 800, descent: 200, space: 500, hyphen: 500, ellipsis: 500)
        ], entities: entities)
}

private func target(points: Int32, scale: Int32 = 1000, percent: Int32 = 100) -> Target {
    Target(width: .points(points), scale: Scale(thousandths: scale), textScale: TextScale(percent: percent))
}

/// 24 points of insets, and room for so many letters.
private func room(letters: Int32) -> Int32 { 24 + 8 * letters }

@Test func `a message hugs its widest line and stacks its lines inside the insets`() {
    let model = ThinModel.compose(monospaced("see you at nine"), for: target(points: room(letters: 9)))
    #expect(
        model
            == ThinModel(
                width: 24 + 7 * 8, height: 24 + 2 * 22,
                lines: [
                    .init(range: 0..<8, left: 12, top: 12, baseline: 28, width: 56),
                    .init(range: 8..<15, left: 12, top: 34, baseline: 50, width: 56),
                ]))
}

@Test(
    arguments: [(1000, 80, 1), (1500, 120, 1), (2000, 160, 2), (2625, 211, 3), (3000, 240, 3)]
        as [(Int32, Int32, Int32)])
func `everything is in device pixels, and stays inside the row`(scale: Int32, row: Int32, slack: Int32) {
    let model = ThinModel.compose(monospaced("seeyou at nine"), for: target(points: 80, scale: scale))
    #expect(model.lines.map(\.range) == [0..<7, 7..<14])
    #expect(model.width <= row)
    #expect(model.lines.allSatisfy { $0.left >= 0 && $0.left + $0.width <= model.width })
    #expect(model.height >= 68 * scale / 1000 && model.height <= 68 * scale / 1000 + slack)
}

@Test func `a line that fills its row is no wider than the row`() {
    for scale in [1000, 1500, 2000, 2625, 3000] as [Int32] {
        for rightToLeft in [false, true] {
            let text = monospaced("seeyou", rightToLeft: rightToLeft)
            let model = ThinModel.compose(text, for: target(points: room(letters: 6), scale: scale))
            #expect(model.lines.count == 1)
            #expect(model.width <= (room(letters: 6) * scale + 999) / 1000)
        }
    }
}

@Test func `lines from the right end where the widest line ends`() {
    let text = monospaced("seeing you at", rightToLeft: true)
    let model = ThinModel.compose(text, for: target(points: room(letters: 10)))
    #expect(model.lines.map { $0.left + $0.width } == [12 + 80, 12 + 80])
    #expect(model.lines.map(\.left) == [12, 12 + 64])
}

@Test func `a larger text size makes lines higher and letters wider, and leaves insets alone`() {
    let model = ThinModel.compose(monospaced("see"), for: target(points: 300, percent: 200))
    #expect(model.width == 24 + 3 * 16 && model.height == 24 + 44)
}

@Test func `an entity that wraps has a frame on each of its lines`() {
    let link = Entity(kind: .url, start: 4, end: 12)
    let model = ThinModel.compose(
        monospaced("seeyouatnine", entities: [link]), for: target(points: room(letters: 9)))
    let frames: [ThinModel.Frame] = [
        .init(left: 12 + 32, top: 12, width: 40, height: 22), .init(left: 12, top: 34, width: 24, height: 22),
    ]
    #expect(model.entities == [.init(kind: .url, range: 4..<12, frames: frames)])
}

@Test func `an empty text is insets and nothing between`() {
    #expect(
        ThinModel.compose(monospaced(""), for: target(points: 100)) == ThinModel(width: 24, height: 24, lines: []))
    #expect(ThinModel.compose(.empty, for: target(points: 0)) == ThinModel(width: 24, height: 24, lines: []))
}

@Test func `no width makes it trap, and no line is lost`() {
    forEachSeed(300) { random in
        let text = String(String.random(length: 60, using: &random).map { $0.isWhitespace ? " " : "x" as Character })
        let screen = target(
            points: .random(in: 0...400, using: &random), scale: [1000, 1500, 2625].randomElement(using: &random)!,
            percent: .random(in: 25...400, using: &random))
        let model = ThinModel.compose(monospaced(text), for: screen)
        let tiled = zip(model.lines, model.lines.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound }
        return tiled && (model.lines.last?.range.upperBound ?? 0) == Int32(text.count)
            && model.height >= 24 * screen.scale.thousandths / 1000
    }
}
