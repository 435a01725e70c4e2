import FormeLayout
import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

/// Prepared screens and others, some with less than a device pixel to a point, some with a text size of the reader's.
private let screens = [
    Target(width: .points(375), scale: .two), Target(width: .points(333), scale: Scale(thousandths: 2750)),
    Target(width: .points(347), scale: .three, textScale: TextScale(percent: 130)),
    Target(width: Fixed(raw: 411 * 64 + 32), scale: Scale(thousandths: 1250), textScale: TextScale(percent: 85)),
    Target(width: .points(398), scale: .two, isMirrored: true),
    Target(width: .points(611), scale: Scale(thousandths: 500)),
    Target(width: .points(611), scale: Scale(thousandths: 750), textScale: TextScale(percent: 115)),
]

/// The fault of texts that are found again on the lines of a layout; nil for none.
private func fault(_ model: LayoutModel, _ stored: [UInt8], on target: Target) throws -> String? {
    let texts = try ShownTexts(model, StoredTexts(checking: stored), on: target)
    for node in texts.nodes {
        let number = Int(node.number)
        let shown = model.shownLines(of: number)
        guard let text = texts.text(of: node) else {
            guard model.skeleton.texts[Int(model.skeleton.nodes[number].text)].literal != 0 else {
                return "\(node) has no measures"
            }
            continue
        }
        guard shown.last.map({ $0.range.upperBound }) ?? 0 <= text.text.count else { return "\(node) is longer" }
        for (line, drawn) in zip(shown, text.lines) {
            guard (drawn.line.width + 62) >> 6 == line.frame.width, drawn.left == line.frame.left << 6,
                drawn.top == line.frame.top << 6, drawn.height == line.frame.height << 6
            else { return "\(node): \(drawn), not \(line)" }
        }
        for (entity, found) in model.skeleton.texts[Int(model.skeleton.nodes[number].text)].entities.enumerated() {
            let frames = model.entityFrames(in: number)[entity]
            let rectangles = text.rectangles(of: found.range).rectangles
            let isThere = rectangles.allSatisfy { rectangle in
                frames.contains { frame in
                    frame.top << 6 == rectangle.top && frame.left << 6 <= rectangle.left + 1
                        && rectangle.left + rectangle.width <= (frame.left + frame.width) << 6 + 2
                }
            }
            guard isThere, frames.isEmpty || !rectangles.isEmpty || found.range.isEmpty else {
                return "\(node): \(rectangles) of \(found), not \(frames)"
            }
        }
    }
    return nil
}

@Test(arguments: Kinds.styles)
func `texts that are stored stand on the lines that were drawn, on any screen`(style: String) throws {
    let style = try Kinds.style(style)
    var engine = try Kinds.engine(style, targets: screens)
    for kind in Kinds.fixtures {
        for (number, message) in try Kinds.messages(kind).enumerated() {
            let sheet = try engine.layOut(JSONReader(message))
            var stored: [UInt8] = []
            engine.composer.encodeMeasuredTexts(into: &stored)
            for place in sheet.places {
                let model = sheet.model(target: place.target, variant: place.variant, state: place.state)
                let fault = try fault(model, stored, on: screens[place.target])
                #expect(fault == nil, "\(kind) \(number) on \(screens[place.target])")
            }
        }
    }
}

@Test func `so do texts of any fields in many scripts`() throws {
    let style = try Kinds.style("bubble")
    let messages = RandomMessages(style)
    var engine = try Kinds.engine(style, targets: screens)
    forEachSeed(60) { random in
        let sheet = try engine.layOut(JSONReader(messages.message(using: &random).message))
        var stored: [UInt8] = []
        engine.composer.encodeMeasuredTexts(into: &stored)
        return try sheet.places.allSatisfy { place in
            let model = sheet.model(target: place.target, variant: place.variant, state: place.state)
            return try fault(model, stored, on: screens[place.target]) == nil
        }
    }
}

@Test func `a layout and texts that are not of one message are not put together`() throws {
    let style = try Kinds.style("bubble")
    var engine = try Kinds.engine(style, targets: screens)
    let poll = #"{"kind":"poll","question":"Which?","options":[{"text":"One"},{"text":"Two"}]}"#
    let sheet = try engine.layOut(JSONReader(JSONValue.parse(Array(poll.utf8))))
    _ = try engine.layOut(JSONReader(JSONValue.parse(Array(#"{"kind":"text","text":"Hello"}"#.utf8))))
    var stored: [UInt8] = []
    engine.composer.encodeMeasuredTexts(into: &stored)
    #expect(throws: StoredMessageError.doesNotFit) {
        try ShownTexts(sheet.model(target: 0, variant: 0), StoredTexts(checking: stored), on: screens[0])
    }
}
