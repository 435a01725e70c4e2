package import MessageLayout
package import Typography

/// Sheets of plain text messages, as a style might ask for them: a bubble that hugs its text, a name above it for
/// others, a stamp behind the last line where there is room. It stands in for the solver where only sizes and bytes
/// matter.
package struct BubbleComposer {
    let text: MeasuredText
    let name = MeasuredText.monospaced("Ada Lovelace")
    var sheet = LayoutSheet()

    /// Six widths at two scales, and a desktop.
    package static let targets: [Target] =
        [2000, 3000].flatMap { scale in
            [480, 414, 390, 375, 360, 320].map { Target(width: .points($0), scale: Scale(thousandths: scale)) }
        } + [Target(width: .points(640), scale: .one)]

    enum Variant: Int, CaseIterable { case own, other, named }

    package static func sheet(of text: MeasuredText, targets: [Target] = targets) -> LayoutSheet {
        var composer = BubbleComposer(text: text)
        composer.sheet.skeleton = skeleton
        composer.sheet.begin(targets, variants: 3, states: 1)
        for (place, target) in targets.enumerated() {
            composer.sheet.reaches.append(.unlimited)
            for variant in Variant.allCases { composer.add(target, variant, at: place) }
        }
        return composer.sheet
    }

    private static let skeleton: Skeleton = {
        var skeleton = Skeleton(words: [
            "bubble", "name", "text", "stamp", "bubble.fill", "bubble.text", "bubble.name", "bubble.stamp", "body",
            "sender", "time",
        ])
        skeleton.texts = [.init(), .init()]
        skeleton.reading = [1, 2, 3]
        var bubble = Skeleton.Node()
        (bubble.part, bubble.token, bubble.corners, bubble.pins) = (1, 5, .all, .all)
        var name = Skeleton.Node()
        (name.part, name.role, name.parent, name.token) = (2, .text, 0, 7)
        (name.source, name.text, name.accessRole) = (10, 0, .text)
        var text = Skeleton.Node()
        (text.part, text.role, text.parent, text.token) = (3, .text, 0, 6)
        (text.source, text.text, text.accessRole, text.pins) = (9, 1, .text, [.start, .end, .top])
        var stamp = Skeleton.Node()
        (stamp.part, stamp.role, stamp.parent, stamp.token) = (4, .stamp, 0, 8)
        (stamp.source, stamp.accessRole, stamp.pins) = (11, .text, [.end, .bottom])
        skeleton.nodes = [bubble, name, text, stamp]
        return skeleton
    }()

    private mutating func add(_ target: Target, _ variant: Variant, at place: Int) {
        func pixels(_ points: Int32) -> Int32 { points * target.scale.thousandths / 1000 }
        let insets = pixels(24)
        let most = target.rowPixels * 78 / 100 - insets
        let breaker = LineBreaker(box: most << 6, size: .points(16), scale: target.scale, textScale: target.textScale)
        let lines = breaker.lines(of: text)
        let widest = lines.map { $0.width.up }.max() ?? 0
        let boxes = breaker.validBoxes(for: lines, of: text)
        let all = breaker.withBox(LineBreaker.widestBox).lines(of: text)
        let natural = (all.map { $0.width.up }.max() ?? 0) + insets

        let stamp = PixelSize(width: pixels(37) + 1, height: pixels(13))
        let tucked = (lines.last?.width.up ?? 0) + pixels(8) + stamp.width
        let mode: StampMode = tucked <= widest ? .tucked : tucked <= most ? .widened : .ownLine
        let top = pixels(8) + (variant == .named ? pixels(18) : 0)
        let pitch = pixels(22)
        var width = max(widest, mode == .ownLine ? stamp.width : tucked)
        if variant == .named { width = max(width, pixels(93)) }
        width += insets
        let height = top + pitch * Int32(lines.count) + (mode == .ownLine ? pixels(15) : 0) + pixels(8)

        let bubble = PixelRect(left: 0, top: 0, width: width, height: height)
        var placements: [LayoutSheet.Placement] = [.init(frame: bubble, radius: pixels(18))]
        if variant == .named {
            let frame = PixelRect(left: pixels(12), top: pixels(8), width: pixels(93), height: pixels(18))
            addBlock([Line(start: 0, end: 12, width: frame.width << 6, traits: .lastOfParagraph)], size: 13, target)
            placements.append(.init(frame: frame, block: Int32(sheet.blocks.count - 1)))
        } else {
            placements.append(.absent)
        }
        addBlock(lines, size: 16, target, width: width - insets)
        placements.append(
            .init(
                frame: PixelRect(
                    left: pixels(12), top: top, width: width - insets, height: pitch * Int32(lines.count)),
                block: Int32(sheet.blocks.count - 1)))
        placements.append(
            .init(
                frame: PixelRect(
                    left: width - pixels(12) - stamp.width, top: height - pixels(8) - stamp.height,
                    width: stamp.width, height: stamp.height)))
        func row(_ box: Int32) -> Int32 { (box >> 6 + insets) * 100 / 78 }
        sheet.set(
            .init(size: PixelSize(width: width, height: height), stamp: mode, placements: 0), placements, target: place,
            variant: variant.rawValue)
        sheet.reaches[sheet.reaches.count - 1] = .init(
            narrowest: min(target.rowPixels, row(boxes.lowerBound)),
            widest: boxes.upperBound >= LineBreaker.widestBox ? .max : max(target.rowPixels, row(boxes.upperBound)),
            naturalWidth: natural)
    }

    private mutating func addBlock(_ lines: [Line], size: Int32, _ target: Target, width: Int32 = 0) {
        let first = Int32(sheet.lines.count)
        for line in lines {
            let own = line.width.up
            sheet.lines.append(
                .init(
                    start: line.start, end: line.end,
                    left: line.traits.contains(.rightToLeft) ? width - own : 0, width: own, traits: line.traits))
        }
        let scale = target.scale.thousandths
        sheet.blocks.append(
            .init(
                fontSize: size * 64 * scale / 1000, pitch: (size + 6) * scale / 1000,
                ascent: (size * 98 * scale / 100 + 500) / 1000, lines: first..<Int32(sheet.lines.count), spans: 0..<0))
    }
}

extension Int32 {
    /// Whole pixels that hold a length in 1/64.
    fileprivate var up: Int32 { (self + 62) >> 6 }
}

extension LayoutSheet {
    package static let bubble = BubbleComposer.sheet(
        of: .monospaced("The library closes early today because of the heavy snow that fell through the night."))

    /// The sheet with something of everything that drawing needs.
    package func withDrawing() -> LayoutSheet {
        var sheet = self
        var drawing = Skeleton.Drawing()
        drawing.words = ["options", "percent", "of my own"]
        drawing.elements = [.init(list: 1, place: 1), .init(outer: 1, list: 3, place: 0)]
        drawing.texts = [
            .init(face: TextFace(weight: 700), path: .init(element: 1, field: 2)),
            .init(face: TextFace(weight: 350, isItalic: true, isMonospaced: true)),
        ]
        drawing.subjects = sheet.skeleton.nodes.map { _ in .none }
        drawing.generated = [.init(text: 0, words: "42 %, \u{0661}\u{1f389}")]
        sheet.skeleton.drawing = drawing
        return sheet
    }
}
