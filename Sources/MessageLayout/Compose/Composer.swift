import Bytes
package import JSON
package import Typography

/// Lays messages out for all targets of a style. It decides everything but the widths of letters, for which it asks.
///
///     var composer = try Composer(style, measure: { … })
///     let sheet = try composer.layOut(message) { text, result in … }
package struct Composer: ~Copyable {
    package let style: StyleSheet
    package let targets: [Target]
    /// The most nodes of a message that is laid out.
    package let mostNodes: Int
    let metrics: [TargetMetrics]
    let shelf = TextShelf()
    var writer: SheetWriter
    var memory = PlanMemory()
    var stopsReader = StopsReader()
    /// The inputs of the plan of the message that was laid out last, besides its texts.
    private(set) var facts: PlanFacts?
    /// The row template of the message that was laid out last, and whether it joins a series: decorations ask for both.
    package private(set) var rowTemplate = ""
    package private(set) var joinsSeries = true

    /// A function that writes the measures of a text over those of an earlier text in its last argument.
    package typealias Measure = (PlannedText.Content, TextStyle, inout MeasuredText) -> Void

    /// Measures the texts of the style, which are the same for every message. `targets` are the style's unless others
    /// are given.
    package init(_ style: StyleSheet, targets: [Target]? = nil, measure: Measure) {
        self.init(style, targets: targets, texts: StyleTexts(style, measure: measure))
    }

    package init(_ style: StyleSheet, targets: [Target]? = nil, texts: StyleTexts, mostNodes: Int = .max) {
        (self.style, self.mostNodes) = (style, mostNodes)
        self.targets = targets ?? style.targets
        metrics = self.targets.map { TargetMetrics($0, of: style, roleStyles: texts.roles) }
        writer = SheetWriter(metrics: metrics, shelf: shelf, variants: style.variants.count)
        shelf.resize(to: texts.literals.count)
        for (place, literal) in texts.literals.enumerated() { shelf[place] = literal }
    }

    /// Lays out a message; throws if it is no valid message of its kind. A kind that the style does not know is laid
    /// out as its fallback.
    package mutating func layOut(_ message: JSONReader, measure: Measure) throws(JSONError) -> LayoutSheet {
        var sheet = LayoutSheet()
        layOut(try CheckedMessage(message, of: style), into: &sheet, measure: measure)
        return sheet
    }

    /// Lays out a message over `sheet`, whose memory is used again for one message after another. One with more nodes
    /// than `mostNodes` is not laid out: the sheet has a few nodes more than that, and nothing else.
    package mutating func layOut(
        _ message: CheckedMessage, into sheet: inout LayoutSheet, measure: Measure,
        reached: LayoutStage.Reached = { _ in }
    ) {
        let (place, template) = plan(message, expectsCuts: false, measure: measure, reached: reached)
        (rowTemplate, joinsSeries) = (template.rowTemplate, template.joinsSeries)
        if write(place, into: &sheet) == .cut {
            reached(.solve)
            let (place, _) = plan(message, measure: measure, reached: reached)
            _ = write(place, into: &sheet)
        }
        reached(.solve)
    }

    /// Writes the sheet of a plan, which is taken out of `memory` for that long: lent from there, it would be copied. Of
    /// one with too many nodes these alone are written, a few more than it may have.
    private mutating func write(_ place: Int, into sheet: inout LayoutSheet) -> SheetWriter.Outcome {
        guard memory.plans[place].skeleton.nodes.count <= mostNodes else {
            sheet = LayoutSheet()
            sheet.skeleton = memory.plans[place].skeleton
            return .whole
        }
        var plan = Plan()
        swap(&plan, &memory.plans[place])
        let outcome = writer.write(plan, into: &sheet)
        swap(&plan, &memory.plans[place])
        return outcome
    }

    /// Plans a message and has its texts measured, but for one with too many nodes. Returns the plan's place in
    /// `memory`, and the template.
    mutating func plan(
        _ message: CheckedMessage, expectsCuts: Bool = true, measure: Measure,
        reached: LayoutStage.Reached = { _ in }
    ) -> (Int, Template) {
        var template = message.template
        var place = memory.plan(
            message.value, template: template, sheet: style, expectsCuts: expectsCuts, mostNodes: mostNodes)
        reached(.plan)
        guard memory.plans[place].skeleton.nodes.count <= mostNodes else { return (place, template) }
        self.measure(memory.plans[place].texts, in: message.language, measure)
        reached(.measure)
        if let jumbo = template.jumbo, isEmojiOnly(memory.plans[place].texts, jumbo),
            let other = style.template(for: jumbo.kind)
        {
            template = other
            place = memory.plan(
                message.value, template: template, sheet: style, expectsCuts: expectsCuts, mostNodes: mostNodes)
            reached(.plan)
            self.measure(memory.plans[place].texts, in: message.language, measure)
            reached(.measure)
        }
        let isOfUnknownKind = template.kind != message.kind && template.isFallback
        facts = PlanFacts(memory.plans[place], of: template, isOfUnknownKind: isOfUnknownKind)
        if isOfUnknownKind { memory.plans[place].skeleton.confidence.insert(.unknownKind) }
        memory.plans[place].finish(shelf, literals: style.tables.literals.count)
        return (place, template)
    }

    /// Measures the texts of a plan. They come without it, as it would be copied while others are measured, and are
    /// looked at by place, as a text that is taken out of the list is copied, too.
    private func measure(_ texts: [PlannedText], in language: Language, _ measure: Measure) {
        let literals = style.tables.literals.count
        shelf.resize(to: literals + texts.count)
        for place in texts.indices {
            var style = texts[place].style
            style.language = language
            measure(texts[place].content, style, &shelf[literals + place])
        }
    }

    private func isEmojiOnly(_ texts: [PlannedText], _ rule: Template.Jumbo) -> Bool {
        for place in texts.indices where texts[place].field == rule.field {
            return 1...rule.most ~= shelf.lend(style.tables.literals.count + place) { $0.emojiCount }
        }
        return false
    }
}

extension Plan {
    /// Adds the findings of measuring: entities, and characters without a glyph.
    mutating func finish(_ shelf: TextShelf, literals: Int) {
        for place in texts.indices {
            if shelf.lend(literals + place, { $0.isMissingGlyphs }) { skeleton.confidence.insert(.missingGlyph) }
            guard texts[place].findsEntities else { continue }
            let entities = shelf.lend(literals + place) { $0.entities }
            guard !entities.isEmpty else { continue }
            skeleton.texts[texts[place].text].entities += entities.map {
                Skeleton.Text.Entity(range: $0.start..<$0.end, kind: .init($0.kind))
            }
        }
    }
}

extension Skeleton.Text.Entity.Kind {
    init(_ kind: Typography.Entity.Kind) {
        switch kind {
        case .url: self = .url
        case .email: self = .email
        case .phone: self = .phone
        case .mention: self = .mention
        case .hashtag: self = .hashtag
        case .command: self = .command
        }
    }
}
