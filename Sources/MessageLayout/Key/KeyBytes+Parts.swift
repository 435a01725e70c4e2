import Typography

/// Parts of a template, with their words written out: places in the tables of a style mean nothing in another one.
extension KeyBytes {
    mutating func parts(_ parts: [Part], of sheet: StyleSheet) {
        list(parts) { $0.part($1, of: sheet) }
    }

    private mutating func part(_ part: Part, of sheet: StyleSheet) {
        shape(part.shape, of: sheet)
        list(part.conditions) { $0.condition($1) }
        optional(part.each) { $0.path($1) }
        text(part.eachName)
        optional(part.amount) { $0.path($1) }
        optional(part.about) { $0.path($1) }
        content(part.content, of: sheet)
        optional(part.node) { $0.node($1, of: sheet) }
    }

    /// Adds a shape. Its lengths and its role are added for each target; here a flag for each length that it may
    /// have. (`value`, `node` and `isLiteral` are found when a message is known.)
    private mutating func shape(_ shape: Shape, of sheet: StyleSheet) {
        number(shape.operation.rawValue)
        number(shape.end)
        number(shape.traits.rawValue)
        number(UInt32(shape.variants) & (1 << UInt32(sheet.variants.count) - 1))
        number(shape.shows.rawValue)
        number(shape.alignment.rawValue)
        number(shape.anchor.rawValue)
        list(shape.allLengths) { $0.flag($1 != .zero) }
        number(shape.operation == .text ? 0 : shape.number)
        number(shape.mostLines)
    }

    private mutating func condition(_ condition: Condition) {
        path(condition.path)
        flag(condition.isNegated)
        switch condition.test {
        case .holds: missing()
        case .equals(let word): text(word)
        }
    }

    private mutating func path(_ path: FieldPath) { list(path.names) { $0.text($1) } }

    private mutating func content(_ content: Part.Content, of sheet: StyleSheet) {
        switch content {
        case .none: number(0)
        case .text(let binding):
            number(1)
            list(binding.pieces) { $0.piece($1) }
        case .literal(let place):
            number(2)
            text(sheet.tables.literals[Int(place)].text)
        case .picture(let path):
            number(3)
            self.path(path)
        case .bars(let path):
            number(4)
            self.path(path)
        case .markdown(let path):
            number(5)
            self.path(path)
        }
    }

    private mutating func piece(_ piece: TextBinding.Piece) {
        switch piece {
        case .literal(let literal): text(literal)
        case .field(let path, let format):
            self.path(path)
            text(format.rawValue)
        }
    }

    /// Adds the properties of a node that a client sees. (Parent, pins, source and text come with a message.)
    private mutating func node(_ template: NodeTemplate, of sheet: StyleSheet) {
        let node = template.node
        for word in [node.part, node.token, node.action, node.label] {
            text(word == 0 ? "" : sheet.tables.words[Int(word) - 1])
        }
        number(node.role.rawValue)
        number(node.corners.rawValue)
        number(node.traits.rawValue)
        number(node.priority)
        number(node.accessRole.rawValue)
        number(template.alignment.rawValue)
        flag(template.findsEntities)
    }
}

extension Shape {
    /// All lengths of a part; `.zero` for those that it has not.
    var allLengths: [LengthID] { [lengths.a, lengths.b, lengths.c, lengths.d, minimum, maximum, radius] }
}
