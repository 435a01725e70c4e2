import JSON

/// One part of a template: its arrangement, the conditions for it to be there, and the node that clients see.
package struct Part: Hashable, Sendable {
    package var shape: Shape
    /// Conditions, all of which must hold.
    package var conditions: [Condition] = []
    /// The list for each of whose elements the part is there once. The element is called `eachName` inside.
    package var each: FieldPath?
    package var eachName = ""
    /// A number of the message: how often an inset takes its start (the depth of a list item), or the percentage of a
    /// width that a box fills.
    package var amount: FieldPath?
    /// The subject of its action, if that is neither its content nor the element of a list around it.
    package var about: FieldPath?
    package var content: Content = .none
    package var node: NodeTemplate?

    package init(_ shape: Shape) { self.shape = shape }

    /// The content of a part, from the message or from the style.
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

/// The node of a part, as far as it is the same for all messages. Words are places in the style's list.
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
    /// Questions to a message, whose answers tell its parts.
    let questions: [Question]
    /// The rule by which a text of nothing but a few emoji is shown as another kind.
    package let jumbo: Jumbo?
    package let isFallback: Bool
    /// The row template of its messages, and whether they belong to a series: decorations ask for both.
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
