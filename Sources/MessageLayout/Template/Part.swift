import JSON

/// One part of a template: how it is arranged, when it is there, and what clients see of it.
package struct Part: Hashable, Sendable {
    package var shape: Shape
    /// All of them must hold.
    package var conditions: [Condition] = []
    /// Once for every element of this list, which is called `eachName` inside.
    package var each: FieldPath?
    package var eachName = ""
    /// A number that the message brings: how often an inset takes its start (how deep an item of a list stands), how many
    /// percent of a width a box fills.
    package var amount: FieldPath?
    /// What its action is about, where that is neither its content nor the element of a list around it.
    package var about: FieldPath?
    package var content: Content = .none
    package var node: NodeTemplate?

    package init(_ shape: Shape) { self.shape = shape }

    /// What of the message stands in it.
    package enum Content: Hashable, Sendable {
        case none
        case text(TextBinding)
        /// A text that is the same for every message: its place in the style's literals.
        case literal(Int32)
        case picture(FieldPath)
        /// A list of numbers, 0...255.
        case bars(FieldPath)
        /// The blocks of a text in Markdown. The parts inside are for paragraphs, headings, items, quotes and code, in
        /// this order; each block is called `block` there, with `marker`, `level`, `depth`, `quotes` and `language`.
        case markdown(FieldPath)
    }
}

/// What a client sees of a part, as far as it is the same for all messages. Words are places in the style's list.
package struct NodeTemplate: Hashable, Sendable {
    package var node = Skeleton.Node()
    package var alignment = Alignment.start
    /// Whether links, mentions and their like are to be found in its text.
    package var findsEntities = false
}

/// The parts of one kind of message, in the order of reading.
package struct Template: Hashable, Sendable {
    package let kind: String
    package let fields: FieldSpec
    package let parts: [Part]
    /// What must be known of a message to know which of them it has.
    let questions: [Question]
    /// A text of nothing but a few emoji is shown as another kind.
    package let jumbo: Jumbo?
    package let isFallback: Bool
    /// What decorations ask: the row it stands in, and whether it belongs to a series.
    package let rowTemplate: String
    package let joinsSeries: Bool

    init(
        kind: String, fields: FieldSpec, parts: [Part], jumbo: Jumbo?, isFallback: Bool, rowTemplate: String,
        joinsSeries: Bool
    ) {
        (self.kind, self.fields, self.parts, self.jumbo) = (kind, fields, parts, jumbo)
        (self.isFallback, self.rowTemplate, self.joinsSeries) = (isFallback, rowTemplate, joinsSeries)
        questions = [Question](of: parts)
    }

    package struct Jumbo: Hashable, Sendable {
        package var field: String
        package var most: Int32
        package var kind: String
    }
}
