import MessageLayout
import TestSupport
import Typography

/// Random sheets that keep the rules of sheets and no others: every role, pins, nodes that are absent, states, and
/// numbers that no screen has.
struct SheetSamples {
    var random: SplitMix64
    /// Whether half of them say what drawing needs. Those of the first fixtures do not.
    var draws = false

    mutating func sheet() -> LayoutSheet {
        var sheet = LayoutSheet()
        sheet.skeleton = skeleton()
        var targets: [Target] = []
        for _ in 0..<below(5) { addTargets(to: &targets, &sheet.reaches) }
        let (variants, states) = (1 + below(3), 1 + below(2))
        sheet.begin(targets, variants: variants, states: states)
        var slices: [(LayoutSheet.Slice, [LayoutSheet.Placement])] = []
        for _ in 0...below(6) { slices.append(slice(in: &sheet)) }
        for place in sheet.places {
            let (slice, placements) = slices[below(slices.count)]
            sheet.set(slice, placements, target: place.target, variant: place.variant, state: place.state)
        }
        return sheet
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    mutating func one<Value: CaseIterable>(of _: Value.Type) -> Value { Value.allCases.randomElement(using: &random)! }
    mutating func chance() -> Bool { Bool.random(using: &random) }

    /// Mostly small, sometimes anything.
    private mutating func number() -> Int32 {
        switch below(8) {
        case 0: .random(in: .min ... .max, using: &random)
        case 1, 2: .random(in: -300...3000, using: &random)
        default: .random(in: 0...100, using: &random)
        }
    }

    private mutating func list<Value>(_ most: Int, _ make: (inout SheetSamples) -> Value) -> [Value] {
        (0..<below(most + 1)).map { _ in make(&self) }
    }

    private mutating func range() -> Range<Int32> {
        let start = Int32(below(300))
        return start..<start + Int32(below(200))
    }

    private mutating func skeleton() -> Skeleton {
        let words = list(6) { String.random(length: 12, using: &$0.random) }
        let texts = list(3) { $0.text(words.count) }
        var nodes: [Skeleton.Node] = []
        for i in 0..<below(7) { nodes.append(node(at: i, words: words.count, texts: texts.count)) }
        let reading = nodes.isEmpty ? [] : list(4) { Int32($0.below(nodes.count)) }
        return Skeleton(
            words: words, nodes: nodes, texts: texts, reading: reading,
            confidence: Confidence(rawValue: UInt8(below(8))),
            drawing: draws && chance() ? drawing(of: nodes, texts: texts.count) : nil)
    }

    private mutating func drawing(of nodes: [Skeleton.Node], texts: Int) -> Skeleton.Drawing {
        var drawing = Skeleton.Drawing()
        drawing.words = ["options"] + list(3) { String.random(length: 12, using: &$0.random) }
        for number in 0..<Int32(below(4)) {
            drawing.elements.append(
                .init(
                    outer: Int32(below(Int(number) + 1)), list: 1 + Int32(below(drawing.words.count)),
                    place: Int32(below(300))))
        }
        for _ in 0..<texts {
            let face = TextFace(
                weight: [400, 700, 500, 1000, 1][below(5)], isItalic: chance(), isMonospaced: chance())
            drawing.texts.append(.init(face: face, path: path(in: drawing)))
        }
        drawing.subjects = nodes.map { $0.action == 0 ? .none : path(in: drawing) }
        for text in 0..<Int32(texts) where chance() {
            drawing.generated.append(.init(text: text, words: String.random(length: 9, using: &random)))
        }
        return drawing
    }

    private mutating func path(in drawing: Skeleton.Drawing) -> Skeleton.Path {
        .init(element: Int32(below(drawing.elements.count + 1)), field: Int32(below(drawing.words.count + 1)))
    }

    private mutating func node(at place: Int, words: Int, texts: Int) -> Skeleton.Node {
        var node = Skeleton.Node()
        node.part = Int32(below(words + 1))
        node.role = one(of: Role.self)
        node.accessRole = one(of: AccessRole.self)
        node.parent = Int32(below(place + 1)) - 1
        node.pins = Pins(rawValue: UInt8(below(16)))
        if chance() { node.corners = Corners(rawValue: UInt8(below(16))) }
        if chance() { node.token = Int32(below(words + 1)) }
        if chance() { node.source = Int32(below(words + 1)) }
        node.text = Int32(below(texts + 1)) - 1
        guard chance() else { return node }
        node.traits = NodeTraits(rawValue: UInt8(below(8)))
        node.action = Int32(below(words + 1))
        node.priority = Int32(below(5) - 2)
        node.label = Int32(below(words + 1))
        return node
    }

    private mutating func text(_ words: Int) -> Skeleton.Text {
        var text = Skeleton.Text()
        text.alignment = one(of: Alignment.self)
        if chance() { text.literal = Int32(below(words + 1)) }
        if chance() { text.pieces = list(2) { $0.range() } }
        if chance() { text.spans = list(2) { .init(range: $0.range(), look: Look(rawValue: UInt8($0.below(32)))) } }
        if chance() {
            text.entities = list(2) {
                .init(
                    range: $0.range(), kind: $0.one(of: Skeleton.Text.Entity.Kind.self),
                    target: Int32($0.below(words + 1)))
            }
        }
        return text
    }

    private mutating func addTargets(to targets: inout [Target], _ reaches: inout [LayoutSheet.Reach]) {
        let scale = Scale(thousandths: [1000, 2000, 2625, 3000][below(4)])
        let textScale = TextScale(percent: chance() ? 100 : 130)
        let isMirrored = chance()
        var width = Int32(below(700) * 64)
        var naturalWidth = number()
        if let last = targets.last, let reach = reaches.last,
            last.scale == scale && last.textScale == textScale && last.isMirrored == isMirrored
        {
            naturalWidth = reach.naturalWidth
        }
        for _ in 0...below(3) {
            let target = Target(width: Fixed(raw: width), scale: scale, textScale: textScale, isMirrored: isMirrored)
            targets.append(target)
            let row = target.rowPixels
            reaches.append(
                .init(
                    narrowest: chance() ? 0 : row - Int32(below(Int(row) + 1)),
                    widest: chance() ? LayoutSheet.Reach.unbounded : row + Int32(below(1000)),
                    naturalWidth: naturalWidth))
            width = max(0, width - Int32(below(3) == 0 ? below(64) : below(100) * 64))
        }
    }

    private mutating func slice(
        in sheet: inout LayoutSheet
    ) -> (LayoutSheet.Slice, [LayoutSheet.Placement]) {
        let slice = LayoutSheet.Slice(
            size: PixelSize(width: number(), height: number()), stamp: one(of: StampMode.self), placements: 0)
        var placements: [LayoutSheet.Placement] = []
        for node in sheet.skeleton.nodes { placements.append(placement(of: node, sheet: &sheet)) }
        return (slice, placements)
    }

    private mutating func placement(
        of node: Skeleton.Node, sheet: inout LayoutSheet
    ) -> LayoutSheet.Placement {
        if below(4) == 0 { return .absent }
        var placement = LayoutSheet.Placement(
            frame: PixelRect(left: number(), top: number(), width: number(), height: number()))
        if chance() { placement.radius = number() }
        if below(4) == 0 { placement.fill = PixelSize(width: number(), height: number()) }
        if below(3) > 0 {
            addBlock(to: &sheet, width: placement.frame.width)
            placement.block = Int32(below(sheet.blocks.count))
        }
        if below(4) == 0 {
            let start = Int32(sheet.bars.count)
            sheet.bars += (0..<1 + below(9)).map { _ in UInt8(below(256)) }
            placement.bars = start..<Int32(sheet.bars.count)
        }
        return placement
    }

    private mutating func addBlock(to sheet: inout LayoutSheet, width: Int32) {
        let (firstLine, firstSpan) = (Int32(sheet.lines.count), Int32(sheet.spans.count))
        let isUsual = chance()
        var end: Int32 = 0
        let count = below(4)
        // Rows without what drawing needs do not say where joined letters were cut.
        let traits = sheet.skeleton.drawing == nil ? 32 : 128
        for i in 0..<count {
            let start = isUsual ? end : number()
            end = isUsual ? start + Int32(below(50)) : number()
            sheet.lines.append(
                .init(
                    start: start, end: end, left: isUsual ? 0 : number(), width: number(),
                    traits: isUsual
                        ? (i == count - 1 ? .lastOfParagraph : []) : LineTraits(rawValue: Int32(below(traits)))))
        }
        if chance() {
            sheet.spans += list(3) {
                .init(entity: $0.number(), line: $0.number(), left: $0.number(), width: $0.number())
            }
        }
        sheet.blocks.append(
            .init(
                fontSize: Int32(below(chance() ? 100 : 1 << 24)) << (chance() ? 6 : 0), pitch: number(),
                ascent: number(), lines: firstLine..<Int32(sheet.lines.count),
                spans: firstSpan == Int32(sheet.spans.count) ? 0..<0 : firstSpan..<Int32(sheet.spans.count)))
    }
}

extension LayoutSheet {
    /// Whether both sheets have the same layouts, however they share them.
    func hasSameLayouts(as other: LayoutSheet) -> Bool {
        guard targets == other.targets, reaches == other.reaches, variantCount == other.variantCount,
            stateCount == other.stateCount,
            skeleton == other.skeleton
        else { return false }
        return places.allSatisfy {
            model(target: $0.target, variant: $0.variant, state: $0.state)
                == other.model(target: $0.target, variant: $0.variant, state: $0.state)
        }
    }
}
