package import JSON
package import Typography

/// Lays messages out for all targets of a style. It decides everything but how wide letters are: that it asks.
///
///     var composer = try Composer(style, measure: { … })
///     let sheet = try composer.layOut(message) { text, result in … }
package struct Composer: ~Copyable {
    package let style: StyleSheet
    package let targets: [Target]
    let metrics: [TargetMetrics]
    let shelf = TextShelf()
    var writer: SheetWriter
    var memory = PlanMemory()
    var stopsReader = StopsReader()
    /// What the plan of the message that was laid out last depends on besides its texts.
    private(set) var facts: PlanFacts?
    /// What decorations ask about the row of the message that was laid out last.
    package private(set) var rowTemplate = ""
    package private(set) var joinsSeries = true

    /// Puts the measures of a text into the second argument, which holds those of a text before.
    package typealias Measure = (PlannedText.Content, TextStyle, inout MeasuredText) -> Void

    /// Measures what is the same for every message. `targets` are those of the style unless others are wanted.
    package init(_ style: StyleSheet, targets: [Target]? = nil, measure: Measure) {
        self.init(style, targets: targets, texts: StyleTexts(style, measure: measure))
    }

    package init(_ style: StyleSheet, targets: [Target]? = nil, texts: StyleTexts) {
        self.style = style
        self.targets = targets ?? style.targets
        metrics = self.targets.map { TargetMetrics($0, of: style, roleStyles: texts.roles) }
        writer = SheetWriter(metrics: metrics, shelf: shelf, variants: style.variants.count)
        shelf.resize(to: texts.literals.count)
        for (place, literal) in texts.literals.enumerated() { shelf[place] = literal }
    }

    /// Refuses what is no message of its kind. A kind that the style does not know is laid out as its fallback.
    package mutating func layOut(_ message: JSONReader, measure: Measure) throws(JSONError) -> LayoutSheet {
        var sheet = LayoutSheet()
        layOut(try CheckedMessage(message, of: style), into: &sheet, measure: measure)
        return sheet
    }

    /// For one message after another: `sheet` is overwritten, and its memory used again.
    package mutating func layOut(
        _ message: CheckedMessage, into sheet: inout LayoutSheet, measure: Measure,
        reached: LayoutStage.Reached = { _ in }
    ) {
        let (plan, template) = plan(message, expectsCuts: false, measure: measure, reached: reached)
        (rowTemplate, joinsSeries) = (template.rowTemplate, template.joinsSeries)
        if writer.write(plan, into: &sheet) == .cut {
            reached(.solve)
            let (plan, _) = self.plan(message, measure: measure, reached: reached)
            _ = writer.write(plan, into: &sheet)
        }
        reached(.solve)
    }

    /// Finds out what is in the message, and has it measured.
    mutating func plan(
        _ message: CheckedMessage, expectsCuts: Bool = true, measure: Measure,
        reached: LayoutStage.Reached = { _ in }
    ) -> (Plan, Template) {
        var template = message.template
        var plan = memory.plan(message.value, template: template, sheet: style, expectsCuts: expectsCuts)
        reached(.plan)
        self.measure(plan, measure)
        reached(.measure)
        if let jumbo = template.jumbo, isEmojiOnly(plan, jumbo), let other = style.template(for: jumbo.kind) {
            template = other
            plan = memory.plan(message.value, template: template, sheet: style, expectsCuts: expectsCuts)
            reached(.plan)
            self.measure(plan, measure)
            reached(.measure)
        }
        let isOfUnknownKind = template.kind != message.kind && template.isFallback
        facts = PlanFacts(plan, of: template, isOfUnknownKind: isOfUnknownKind)
        if isOfUnknownKind { plan.skeleton.confidence.insert(.unknownKind) }
        finish(&plan)
        return (plan, template)
    }

    private func measure(_ plan: borrowing Plan, _ measure: Measure) {
        let literals = style.tables.literals.count
        shelf.resize(to: literals + plan.texts.count)
        for (place, text) in plan.texts.enumerated() {
            measure(text.content, text.style, &shelf[literals + place])
        }
    }

    private func isEmojiOnly(_ plan: borrowing Plan, _ rule: Template.Jumbo) -> Bool {
        let literals = style.tables.literals.count
        for (place, text) in plan.texts.enumerated() where text.field == rule.field {
            return 1...rule.most ~= shelf.lend(literals + place) { $0.emojiCount }
        }
        return false
    }

    /// Adds what measuring found: entities, and characters without a glyph.
    func finish(_ plan: inout Plan) {
        let literals = style.tables.literals.count
        for place in plan.texts.indices {
            let text = plan.texts[place]
            if shelf.lend(literals + place, { $0.isMissingGlyphs }) { plan.skeleton.confidence.insert(.missingGlyph) }
            guard text.findsEntities else { continue }
            let entities = shelf.lend(literals + place) { $0.entities }
            guard !entities.isEmpty else { continue }
            plan.skeleton.texts[text.text].entities += entities.map {
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
