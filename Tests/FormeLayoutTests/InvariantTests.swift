import FormeLayout
import JSON
import TestSupport
import Testing
import Typography

@testable import MessageLayout

// Properties that hold for every message, style and screen.

@Test(arguments: Kinds.styles)
func `a wider row makes no text higher, on screens of one class`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = RandomMessages(style)
    let classes: [ClosedRange<Int32>] = [280...349, 350...599, 600...1000]
    for (place, scale) in Target.scales.enumerated() {
        let points = classes[place % classes.count]
        let targets = stride(from: points.upperBound, through: points.lowerBound, by: -23).map {
            Target(width: .points($0), scale: Scale(thousandths: scale))
        }
        var engine = try Kinds.engine(style, targets: targets)
        forEachSeed(6) { random in
            let text = messages.message(of: "text", using: &random).message["text"]!
            let message = JSONValue.object(JSONObject([.init("kind", .string("text")), .init("text", text)]))
            let sheet = try engine.layOut(JSONReader(message))
            return (0..<Int(sheet.variantCount)).allSatisfy { variant in
                let heights = targets.indices.map { sheet.model(target: $0, variant: variant).size.height }
                return zip(heights, heights.dropFirst()).allSatisfy { $0 <= $1 }
            }
        }
    }
}

@Test(arguments: Kinds.styles)
func `in a row from right to left every message is mirrored`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = RandomMessages(style)
    forEachSeed(20) { random in
        let message = messages.message(using: &random).message
        var target = Target.random(using: &random)
        target.isMirrored = false
        var plain = MonospacedLayout(style, targets: [target], letter: "x")
        target.isMirrored = true
        var mirrored = MonospacedLayout(style, targets: [target], letter: "א")
        let (one, other) = (try plain.layOut(message), try mirrored.layOut(message))
        return one.stateCount == other.stateCount
            && one.everyPlace.allSatisfy { place in other.model(at: place).isMirror(of: one.model(at: place)) }
    }
}

@Test(arguments: Kinds.styles)
func `what changes only paint or behaviour keeps every byte`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = RandomMessages(style)
    forEachSeed(30) { random in
        let (kind, message) = messages.message(using: &random)
        var layout = MonospacedLayout(style, targets: [.random(using: &random)])
        let sheet = try layout.layOut(message)
        let changes = style.template(for: kind)!.fields.changes(of: message).filter { !$0.isGeometry }
        for change in changes.shuffled(using: &random).prefix(4) where try layout.layOut(change.value) != sheet {
            return false
        }
        return true
    }
}

@Test(arguments: Kinds.styles)
func `a colour of another name changes words, and moves nothing`(name: String) throws {
    let source = try StyleSource(name)
    var renamed = source
    renamed.style = source.style.renamingTokens
    renamed.kinds = source.kinds.mapValues(\.renamingTokens)
    let (style, other) = (try source.sheet(), try renamed.sheet())
    let messages = RandomMessages(style)
    forEachSeed(30) { random in
        let message = messages.message(using: &random).message
        let target = Target.random(using: &random)
        var before = MonospacedLayout(style, targets: [target])
        var after = MonospacedLayout(other, targets: [target])
        let (one, two) = (try before.layOut(message), try after.layOut(message))
        return one.sizes == two.sizes && one.frames == two.frames && one.extras == two.extras
            && one.blocks == two.blocks && one.lines == two.lines && one.spans == two.spans && one.bars == two.bars
    }
}

@Test(arguments: Kinds.styles)
func `a layout is the same in every run, and beside any other targets`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = RandomMessages(style)
    var targets = style.targets
    var random = SplitMix64(seed: 5)
    targets += (0..<4).map { _ in Target.random(using: &random) }
    let shuffled = targets.shuffled(using: &random)
    var engine = try Kinds.engine(style, targets: targets)
    var other = try Kinds.engine(style, targets: shuffled)
    var again = try Kinds.engine(style, targets: targets)
    forEachSeed(30) { random in
        let message = JSONReader(messages.message(using: &random).message)
        let (sheet, turned) = (try engine.layOut(message), try other.layOut(message))
        guard try again.layOut(message) == sheet, sheet.stateCount == turned.stateCount else { return false }
        return sheet.everyPlace.allSatisfy { place in
            var there = place
            there.target = shuffled.firstIndex(of: targets[place.target])!
            return sheet.model(at: place).looks(like: turned.model(at: there))
        }
    }
}

@Test(arguments: Kinds.styles)
func `nothing expands to less`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = RandomMessages(style)
    forEachSeed(30) { random in
        let message = messages.message(using: &random).message
        var layout = MonospacedLayout(style, targets: [.random(using: &random)])
        let sheet = try layout.layOut(message)
        return sheet.everyPlace.filter { $0.state == 1 }.allSatisfy { place in
            var collapsed = place
            collapsed.state = 0
            return sheet.model(at: place).size.height >= sheet.model(at: collapsed).size.height
        }
    }
}

@Test(arguments: Kinds.styles)
func `a message is as high as its lowest frame and the space below it`(name: String) throws {
    let style = try Kinds.style(name)
    let source = try StyleSource(name)
    // Content in this frame has one space around it in the style with bubbles, and none in the flat one.
    let kinds = Kinds.names.filter { source.kinds[$0]?["frame"]?.string == "bubble" }
    let messages = RandomMessages(style)
    forEachSeed(30) { random in
        let message = messages.message(of: kinds.randomElement(using: &random)!, using: &random).message
        let target = Target.random(using: &random)
        var layout = MonospacedLayout(style, targets: [target])
        let sheet = try layout.layOut(message)
        let screen = Screen(target, of: style)
        let space = name == "bubble" ? screen.pixels("padY", of: style) : 0
        return sheet.everyPlace.allSatisfy { place in
            let model = sheet.model(at: place)
            // Behind a last line, a stamp hangs a little below it.
            let drop = [.tucked, .widened].contains(model.stamp) ? screen.pixels("stampDrop", of: style) : 0
            let bottoms = model.placements.indices.dropFirst().filter { model.placements[$0].isPresent }.map { node in
                let frame = model.placements[node].frame
                return frame.top + frame.height - (model.isInStamp(node) ? drop : 0)
            }
            return model.size.height == (bottoms.max() ?? 0) + space
        }
    }
}

@Test(arguments: Kinds.styles)
func `a message that is streamed grows, and never becomes lower`(name: String) throws {
    let style = try Kinds.style(name)
    forEachSeed(10) { random in
        var layout = MonospacedLayout(style)
        var text = ""
        var before = try layout.layOut(.streaming(text))
        for _ in 0..<30 {
            text += ["word ", "long-winded", " ", "\n", "a", "לום "].randomElement(using: &random)!
            let after = try layout.layOut(.streaming(text))
            for (target, variant) in pairs(after.targets.indices, 0..<Int(after.variantCount)) {
                let heights = [before, after].map { $0.slice(target: target, variant: variant).size.height }
                guard heights[0] <= heights[1] else { return false }
            }
            before = after
        }
        return true
    }
}

extension JSONValue {
    fileprivate static func streaming(_ text: String) -> JSONValue {
        .object(JSONObject([.init("kind", .string("streaming")), .init("text", .string(text))]))
    }
}

@Test(arguments: Kinds.styles)
func `everything of any message stands inside its parent and on nothing else`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = RandomMessages(style)
    forEachSeed(30) { random in
        let message = messages.message(using: &random).message
        let target = Target.random(using: &random)
        var layout = MonospacedLayout(style, targets: [target])
        let sheet = try layout.layOut(message)
        return sheet.everyPlace.allSatisfy { sheet.model(at: $0).violations.isEmpty }
    }
}

@Test(arguments: Kinds.styles)
func `what is drawn on a stretch of a text stands on its line, without the space that hangs over`(
    name: String
) throws {
    let style = try Kinds.style(name)
    var engine = try Kinds.engine(style, targets: [try #require(style.targets.first)])
    let words = "the ||butler|| and the ||gardener with the long name|| did `it all`, ||nobody else knows|| why"
    let message = JSONValue.object(
        JSONObject([.init("kind", .string("rich")), .init("text", .string(words + " " + words + " " + words))]))
    let sheet = try engine.layOut(JSONReader(message))
    var spans = 0
    sheet.forEachModel { place, model in
        for block in model.blocks {
            for span in block.spans.map({ model.spans[Int($0)] }) {
                let line = model.lines[Int(block.lines.lowerBound) + Int(span.line)]
                spans += 1
                #expect(line.left <= span.left && span.left + span.width <= line.left + line.width, "\(place)")
            }
        }
    }
    #expect(spans > 6)
}

@Test(arguments: Kinds.styles)
func `a layout is that of both ends of the rows that it is for, at every scale`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = RandomMessages(style)
    forEachSeed(30) { random in
        let message = messages.message(using: &random).message
        let target = Target.random(using: &random)
        var layout = MonospacedLayout(style, targets: [target])
        let sheet = try layout.layOut(message)
        let place = sheet.everyPlace.randomElement(using: &random)!
        let model = sheet.model(at: place)
        let own = target.rowPixels
        for row in [max(model.reach.narrowest, min(200, own)), min(model.reach.widest, max(4000, own))] {
            var alone = MonospacedLayout(style, targets: [target.withRow(row)])
            let other = try alone.layOut(message)
            let state = min(place.state, Int(other.stateCount) - 1)
            let found = other.model(target: 0, variant: place.variant, state: state)
            guard found.looks(like: model) else { return false }
        }
        return true
    }
}

/// The place of a layout in a sheet.
private struct Place {
    var target: Int
    var variant: Int
    var state: Int
}

extension LayoutSheet {
    fileprivate var everyPlace: [Place] {
        targets.indices.flatMap { target in
            (0..<Int(variantCount)).flatMap { variant in
                (0..<Int(stateCount)).map { Place(target: target, variant: variant, state: $0) }
            }
        }
    }

    fileprivate func model(at place: Place) -> LayoutModel {
        model(target: place.target, variant: place.variant, state: place.state)
    }
}

extension Screen {
    fileprivate func pixels(_ name: String, of style: StyleSheet) -> Int32 { pixels(style.tables.lengthNames[name]!) }
}

extension LayoutModel {
    fileprivate func isInStamp(_ node: Int) -> Bool {
        let own = skeleton.nodes[node]
        return own.role == .stamp || own.parent >= 0 && isInStamp(Int(own.parent))
    }

    /// Whether everything is drawn alike. The rows that the layouts hold for are not compared.
    fileprivate func looks(like other: LayoutModel) -> Bool {
        size == other.size && stamp == other.stamp && placements == other.placements && blocks == other.blocks
            && lines == other.lines && spans == other.spans && bars == other.bars
    }
}

extension JSONValue {
    /// The value with another name for every colour.
    fileprivate var renamingTokens: JSONValue {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map(\.renamingTokens))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        let isToken = member.key == "token"
                        return .init(
                            member.key,
                            isToken ? .string("other \(member.value.string!)") : member.value.renamingTokens)
                    }))
        }
    }
}
