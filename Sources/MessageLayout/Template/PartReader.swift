import JSON

/// Reads the parts of a template. A part is an object with one key for its operation, such as `stack` or `text`, and
/// others for its properties.
struct PartReader {
    var tables: StyleTables
    /// Parts that `use` names.
    var known: [String: PartTree] = [:]
    /// Whether a slot was read: a frame has one for its content.
    var hasSlot = false
    private var depth = 0

    init(tables: StyleTables) { self.tables = tables }

    private static let deepest = 32
    private static let operations = [
        "text", "stack", "row", "flow", "grid", "inset", "overlay", "stamped", "box", "media", "mosaic", "bars",
        "markdown", "slot", "use",
    ]
    private static let common = [
        "name", "role", "token", "corners", "radius", "clip", "opaque", "action", "about", "priority", "label",
        "access", "if",
        "each", "as", "in", "shows", "width", "align", "grow", "min", "max", "at",
    ]

    mutating func part(_ reader: JSONReader) throws(JSONError) -> PartTree {
        depth += 1
        defer { depth -= 1 }
        guard depth <= PartReader.deepest else {
            throw reader.mismatch(expected: "at most \(PartReader.deepest) parts in each other")
        }
        let all = try reader.object()
        let found = PartReader.operations.filter { all.optional($0) != nil }
        guard found.count == 1, let operation = found.first else {
            throw reader.mismatch(expected: "an object with one of \(PartReader.operations.joined(separator: ", "))")
        }
        var tree = try tree(operation, reader)
        tree.path = reader.path
        try readPresence(&tree.part, all)
        try readShape(&tree.part.shape, all)
        try readNode(&tree.part, operation, all)
        return tree
    }

    private mutating func tree(_ operation: String, _ reader: JSONReader) throws(JSONError) -> PartTree {
        func fields(_ own: String...) throws(JSONError) -> JSONReader.Fields {
            try reader.object(knownKeys: [operation] + own + PartReader.common)
        }
        switch operation {
        case "text": return try text(fields("style", "lines", "expands", "alignment", "block", "entities"))
        case "stack": return try container(.stack, fields("gap"), "stack")
        case "row":
            let fields = try fields("gap", "turns", "wraps", "yields")
            var tree = try container(.row, fields, "row")
            tree.part.shape.number = try fields.optional("turns")?.bool() ?? false ? 1 : 0
            if let wraps = fields.optional("wraps") {
                guard tree.children.first?.part.shape.traits.contains(.takesRest) ?? false else {
                    throw wraps.mismatch(expected: "a row whose first part has the width rest")
                }
                tree.part.shape.lengths.c = try tables.length(wraps)
                if try fields.optional("yields")?.bool() ?? false {
                    tree.part.shape.lengths.d = tree.part.shape.lengths.c
                }
            } else if let yields = fields.optional("yields") {
                throw yields.mismatch(expected: "a row that wraps")
            }
            return tree
        case "flow": return try container(.flow, fields("gap", "lineGap"), "flow")
        case "grid":
            let fields = try fields("gap", "lineGap", "columns")
            var tree = try container(.grid, fields, "grid")
            tree.part.shape.number = Int32(try fields.optional("columns")?.integer(in: 1...8) ?? 1)
            return tree
        case "inset": return try inset(fields("by", "times"))
        case "overlay": return try overlay(fields("over", "margin"))
        case "stamped": return try stamped(fields("stamp", "gap", "drop", "apart", "aside"))
        case "box": return try box(fields("share"))
        case "media": return try media(fields("least", "most"))
        case "mosaic": return try mosaic(fields("most", "gap", "cell", "of"))
        case "bars": return try bars(fields("bar", "gap", "height"))
        case "markdown":
            return try markdown(fields("gap", "lines", "paragraph", "heading", "item", "quote", "code"))
        case "slot":
            hasSlot = true
            var tree = PartTree(Shape(.stack))
            tree.isSlot = true
            _ = try fields()
            return tree
        default:
            let name = try fields().required("use")
            guard let tree = known[try name.string()] else {
                throw name.mismatch(expected: "one of the parts \(known.keys.sorted().joined(separator: ", "))")
            }
            return tree.moved(to: reader.path)
        }
    }
}

// One function for each operation.
extension PartReader {
    private mutating func text(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.text)
        let role = try tables.role(fields.required("style"))
        shape.number = Int32(role.place)
        shape.mostLines = Int32(try fields.optional("lines")?.integer(in: 1...10_000) ?? 0)
        if try fields.optional("expands")?.bool() ?? false { shape.traits.insert(.expands) }
        if try fields.optional("block")?.bool() ?? false { shape.traits.insert(.isBlock) }
        var tree = PartTree(shape)
        let binding = try TextBinding(fields.required("text"), strings: tables.strings)
        if let literal = binding.literal {
            tree.part.content = .literal(tables.add(Literal(text: literal, role: role)))
        } else {
            tree.part.content = .text(binding)
        }
        var node = NodeTemplate()
        node.alignment =
            try fields.optional("alignment")?.choice(["start": .start, "center": .center, "end": .end]) ?? .start
        if node.alignment != .start { tree.part.shape.traits.insert(.isAligned) }
        node.findsEntities = try fields.optional("entities")?.bool() ?? false
        tree.part.node = node
        return tree
    }

    private mutating func container(
        _ operation: Shape.Operation, _ fields: JSONReader.Fields, _ key: String
    ) throws(JSONError) -> PartTree {
        var shape = Shape(operation)
        if let gap = fields.optional("gap") { shape.lengths.a = try tables.length(gap) }
        shape.lengths.b = shape.lengths.a
        if let gap = fields.optional("lineGap") { shape.lengths.b = try tables.length(gap) }
        var tree = PartTree(shape)
        for child in try fields.required(key).elements() { tree.children.append(try part(child)) }
        return tree
    }

    /// `by` is one length for all sides, `[vertical, horizontal]` or `[top, start, bottom, end]`.
    private mutating func inset(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.inset)
        if let by = fields.optional("by") {
            var sides: [LengthID] = []
            if by.value.array != nil {
                for side in try by.elements() { sides.append(try tables.length(side)) }
            } else {
                sides.append(try tables.length(by))
            }
            guard [1, 2, 4].contains(sides.count) else { throw by.mismatch(expected: "1, 2 or 4 lengths") }
            shape.lengths.a = sides[0]
            shape.lengths.b = sides[1 % sides.count]
            shape.lengths.c = sides[2 % sides.count]
            shape.lengths.d = sides[3 % sides.count]
        }
        shape.number = 1
        var tree = PartTree(shape)
        if let times = fields.optional("times") { tree.part.amount = try FieldPath(times) }
        tree.children.append(try part(fields.required("inset")))
        return tree
    }

    private mutating func overlay(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.overlay)
        if let margin = fields.optional("margin") { shape.lengths.a = try tables.length(margin) }
        var tree = PartTree(shape)
        tree.children.append(try part(fields.required("overlay")))
        for over in try fields.required("over").elements() { tree.children.append(try part(over)) }
        return tree
    }

    private mutating func stamped(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.stamped)
        if let gap = fields.optional("gap") { shape.lengths.a = try tables.length(gap) }
        if let drop = fields.optional("drop") { shape.lengths.b = try tables.length(drop) }
        if let apart = fields.optional("apart") { shape.lengths.c = try tables.length(apart) }
        shape.number = try fields.optional("aside")?.bool() ?? true ? 1 : 0
        var tree = PartTree(shape)
        tree.children.append(try part(fields.required("stamped")))
        var stamp = try part(fields.required("stamp"))
        stamp.part.shape.traits.insert(.isStamp)
        tree.children.append(stamp)
        return tree
    }

    /// `[width, height]`; a width of `"fill"` takes all there is, or the `share` of it that a field gives in percent.
    private mutating func box(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.box)
        let reader = try fields.required("box")
        let sides = try reader.elements()
        guard sides.count == 2 else { throw reader.mismatch(expected: "[width, height]") }
        shape.number = 100
        if sides[0].value.string == "fill" {
            shape.traits.insert(.follows)
        } else {
            shape.lengths.a = try tables.length(sides[0])
            shape.alignment = .start
        }
        shape.lengths.b = try tables.length(sides[1])
        var tree = PartTree(shape)
        if let share = fields.optional("share") {
            guard shape.traits.contains(.follows) else { throw share.mismatch(expected: "a box with the width 'fill'") }
            tree.part.amount = try FieldPath(share)
        }
        tree.part.node = NodeTemplate()
        return tree
    }

    private mutating func media(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.media)
        shape.alignment = .start
        (shape.lengths.a, shape.lengths.b) = try sides(fields.required("most"))
        if let least = fields.optional("least") { (shape.lengths.c, shape.lengths.d) = try sides(least) }
        var tree = PartTree(shape)
        tree.part.content = .picture(try FieldPath(fields.required("media")))
        tree.part.node = NodeTemplate()
        tree.part.node?.node.role = .media
        return tree
    }

    private mutating func mosaic(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.mosaic)
        shape.alignment = .start
        shape.lengths.a = try tables.length(fields.required("most"))
        if let gap = fields.optional("gap") { shape.lengths.b = try tables.length(gap) }
        if let cell = fields.optional("cell") { shape.lengths.c = try tables.length(cell) }
        var tree = PartTree(shape)
        var cell = PartTree(Shape(.media))
        cell = try part(fields.required("of"))
        cell.part.each = try FieldPath(fields.required("mosaic"))
        tree.children.append(cell)
        return tree
    }

    private mutating func bars(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.bars)
        shape.lengths.a = try tables.length(fields.required("bar"))
        shape.lengths.b = try tables.length(fields.required("gap"))
        shape.lengths.c = try tables.length(fields.required("height"))
        var tree = PartTree(shape)
        tree.part.content = .bars(try FieldPath(fields.required("bars")))
        tree.part.node = NodeTemplate()
        tree.part.node?.node.role = .bars
        return tree
    }

    private mutating func markdown(_ fields: JSONReader.Fields) throws(JSONError) -> PartTree {
        var shape = Shape(.stack)
        if let gap = fields.optional("gap") { shape.lengths.a = try tables.length(gap) }
        if let lines = fields.optional("lines") {
            shape.mostLines = Int32(try lines.integer(in: 1...10_000))
            shape.traits.insert(.expands)
        }
        var tree = PartTree(shape)
        tree.part.content = .markdown(try FieldPath(fields.required("markdown")))
        for key in ["paragraph", "heading", "item", "quote", "code"] {
            tree.children.append(try part(fields.required(key)))
        }
        return tree
    }

    private mutating func sides(_ reader: JSONReader) throws(JSONError) -> (LengthID, LengthID) {
        let sides = try reader.elements()
        guard sides.count == 2 else { throw reader.mismatch(expected: "[width, height]") }
        return (try tables.length(sides[0]), try tables.length(sides[1]))
    }
}

// Keys that any part may have.
extension PartReader {
    private func readPresence(_ part: inout Part, _ fields: JSONReader.Fields) throws(JSONError) {
        if let condition = fields.optional("if") {
            if condition.value.array != nil {
                for one in try condition.elements() { part.conditions.append(try Condition(one)) }
            } else {
                part.conditions.append(try Condition(condition))
            }
        }
        if let each = fields.optional("each") { part.each = try FieldPath(each) }
        if let name = fields.optional("as") { part.eachName = try name.string() }
        if part.eachName.isEmpty { part.eachName = "each" }
        if let list = fields.optional("in") {
            part.shape.variants = 0
            for name in try list.elements() {
                guard let place = tables.variants.firstIndex(of: try name.string()) else {
                    throw name.mismatch(expected: "one of the variants \(tables.variants.joined(separator: ", "))")
                }
                part.shape.variants |= 1 << UInt8(place)
            }
        }
        if let shows = fields.optional("shows") {
            part.shape.shows = try shows.choice(["collapsed": .collapsed, "expanded": .expanded, "cut": .cut])
        }
    }

    private mutating func readShape(_ shape: inout Shape, _ fields: JSONReader.Fields) throws(JSONError) {
        if let width = fields.optional("width") {
            shape.traits.insert(try width.choice(["follow": .follows, "rest": .takesRest, "fill": .fills]))
        }
        if let align = fields.optional("align") {
            shape.alignment = try align.choice([
                "stretch": .stretch, "start": .start, "center": .center, "end": .end,
            ])
        }
        if let at = fields.optional("at") {
            shape.anchor = try at.choice([
                "topStart": .topStart, "top": .top, "topEnd": .topEnd, "start": .start, "center": .center, "end": .end,
                "bottomStart": .bottomStart, "bottom": .bottom, "bottomEnd": .bottomEnd, "fill": .fill,
            ])
        }
        if try fields.optional("grow")?.bool() ?? false { shape.traits.insert(.grows) }
        if let least = fields.optional("min") { shape.minimum = try tables.length(least) }
        if let most = fields.optional("max") { shape.maximum = try tables.length(most) }
        if let radius = fields.optional("radius") { shape.radius = try tables.length(radius) }
    }

    /// Reads the node of a part. A part with any key that clients see is a node, as are texts, boxes and pictures.
    private mutating func readNode(
        _ part: inout Part, _ operation: String, _ fields: JSONReader.Fields
    ) throws(JSONError) {
        let visible = ["name", "role", "token", "corners", "radius", "clip", "opaque", "action", "label", "access"]
        guard part.node != nil || visible.contains(where: { fields.optional($0) != nil }) else { return }
        var template = part.node ?? NodeTemplate()
        var node = template.node
        if operation == "text" { (node.role, node.accessRole) = (.text, .text) }
        if operation == "media" { node.accessRole = .image }
        if let name = fields.optional("name") { node.part = tables.word(try name.string()) }
        if node.part == 0 { node.part = tables.word(operation) }
        if let role = fields.optional("role") {
            node.role = try role.choice([
                "box": .box, "text": .text, "media": .media, "avatar": .avatar, "icon": .icon, "bars": .bars,
                "track": .track, "divider": .divider, "stamp": .stamp, "control": .control, "spoiler": .spoiler,
            ])
        }
        if let token = fields.optional("token") { node.token = tables.word(try token.string()) }
        if let corners = fields.optional("corners") {
            node.corners = try corners.choice([
                "all": .all, "top": [.topStart, .topEnd], "bottom": [.bottomStart, .bottomEnd],
                "start": [.topStart, .bottomStart], "end": [.topEnd, .bottomEnd], "none": [],
            ])
        } else if fields.optional("radius") != nil {
            node.corners = .all
        }
        if try fields.optional("clip")?.bool() ?? false { node.traits.insert(.clips) }
        if try fields.optional("opaque")?.bool() ?? false { node.traits.insert(.opaque) }
        if let action = fields.optional("action") {
            node.action = tables.word(try action.string())
            node.priority = Int32(try fields.optional("priority")?.integer(in: 0...100) ?? 10)
            if node.accessRole == .none { node.accessRole = .button }
        }
        if let about = fields.optional("about") {
            guard node.action != 0 else { throw about.mismatch(expected: "an action beside it") }
            part.about = try FieldPath(about)
        }
        if let label = fields.optional("label") { node.label = tables.word(try label.string()) }
        if let access = fields.optional("access") {
            node.accessRole = try access.choice([
                "none": .none, "text": .text, "image": .image, "button": .button, "link": .link, "heading": .heading,
                "list": .list, "progress": .progress, "field": .field,
            ])
        }
        if node.role == .stamp { part.shape.traits.insert(.isStamp) }
        template.node = node
        part.node = template
    }
}
