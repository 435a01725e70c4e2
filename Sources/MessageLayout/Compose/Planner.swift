import JSON
import Typography

/// Puts a message into a template: leaves out parts whose conditions do not hold, repeats those that stand for lists,
/// and builds the skeleton.
struct Planner {
    private let sheet: StyleSheet
    private let template: Template
    private var scope: Scope
    private(set) var plan = Plan()
    private var trace = PlanTrace()
    /// The stored answers of a message that is not here; nil if it is.
    private var given: PlanTrace.Reader?
    /// The skeleton that clients have of a message that is not here, and the number of the message's texts that were
    /// planned.
    private var shown: Skeleton?
    private var messageTexts = 0
    /// The way to the part that is added: for each list around, the part that is repeated and the place in the list.
    private var way: [Int] = []
    /// The block of Markdown that parts are added for, and the field that its text is in.
    private var block: (text: MarkedText, source: FieldPath)?
    /// The place of each word of the skeleton among the style's; 0 for words that messages bring.
    private var styleWords: [Skeleton.Word] = []

    /// The place of a part: its parent node, and the edges that keep their distance.
    private struct Place {
        var node: Int32 = -1
        var pins = Pins.all
        var isOverlaid = false
    }

    /// Whether texts may be cut: then there are parts to say so, and a state in which texts are whole. Few texts are
    /// so long: a plan is first made without, and again if a text was cut.
    private let expectsCuts: Bool
    /// The number of nodes behind which no more elements and blocks are added.
    private let mostNodes: Int

    init(
        _ message: JSONValue, given: PlanTrace.Reader? = nil, showing shown: Skeleton? = nil, template: Template,
        sheet: StyleSheet, expectsCuts: Bool, mostNodes: Int = .max
    ) {
        (self.template, self.sheet, self.expectsCuts) = (template, sheet, expectsCuts)
        self.mostNodes = mostNodes
        (self.given, self.shown) = (given, shown)
        scope = Scope(message)
        plan.skeleton.drawing = Skeleton.Drawing()
    }

    /// Returns the plan of a message. One with more nodes than it may have is not planned to its end: its plan has a
    /// few more than `mostNodes`.
    static func plan(
        _ message: JSONValue, template: Template, sheet: StyleSheet, expectsCuts: Bool, mostNodes: Int
    ) -> Plan {
        let plan = Planner(
            message, template: template, sheet: sheet, expectsCuts: expectsCuts, mostNodes: mostNodes
        ).planned()
        // What was left out belongs to a part that no variant has: its nodes do not count, and its answers do.
        guard plan.isCutOff, plan.skeleton.nodes.count <= mostNodes else { return plan }
        return Planner(message, template: template, sheet: sheet, expectsCuts: expectsCuts).planned()
    }

    /// Returns the plan of a message that is not here, without its fills.
    ///
    /// - Parameter shown: a skeleton with the marks and links of its Markdown, which are missing without it.
    static func plan(
        tracing facts: PlanFacts, showing shown: Skeleton?, template: Template, sheet: StyleSheet, expectsCuts: Bool
    ) -> Plan {
        Planner(
            .null, given: PlanTrace.Reader(facts.trace), showing: shown, template: template, sheet: sheet,
            expectsCuts: expectsCuts
        ).planned()
    }

    private consuming func planned() -> Plan {
        add(0, in: Place())
        plan.trace = trace.bytes
        return plan
    }

    /// True where another element or block may be added.
    private mutating func hasRoom() -> Bool {
        guard plan.skeleton.nodes.count > mostNodes else { return true }
        plan.isCutOff = true
        return false
    }

    private mutating func holds(_ condition: Condition) -> Bool {
        let answer = given?.answer() ?? scope.holds(condition)
        trace.append(answer)
        return answer
    }

    private mutating func hold(_ conditions: [Condition]) -> Bool {
        for condition in conditions where !holds(condition) { return false }
        return true
    }

    /// - Parameter found: the number in the message, if that is here.
    private mutating func number(_ found: Int) -> Int {
        let answer = given?.number() ?? min(found, PlanTrace.most)
        trace.append(answer)
        return answer
    }

    /// Adds a part; one that stands for a list, once for each element.
    private mutating func add(_ place: Int, in parent: Place) {
        let part = template.parts[place]
        guard let each = part.each else {
            if hold(part.conditions) { addOnce(place, in: parent) }
            return
        }
        let elements = scope.value(each)?.array ?? []
        for i in 0..<number(elements.count) {
            guard hasRoom() else { break }
            plan.isFlat = false
            let element = i < elements.count ? elements[i] : .null
            scope.push(Scope.Local(part.eachName, element, of: each, at: i))
            way += [place, i]
            if hold(part.conditions) { addOnce(place, in: parent) }
            way.removeLast(2)
            scope.pop()
        }
    }

    private mutating func addOnce(_ place: Int, in parent: Place) {
        let part = template.parts[place]
        // A style turns a part off by naming no variant for it.
        guard part.shape.variants != 0, expectsCuts || part.shape.shows != .cut else { return }
        let own = plan.shapes.count
        let before = plan.size
        plan.shapes.append(part.shape)
        var inside = parent
        if let node = part.node {
            plan.shapes[own].node = Int32(plan.skeleton.nodes.count)
            inside = Place(node: plan.shapes[own].node)
            plan.skeleton.nodes.append(add(node.node, in: parent))
            plan.skeleton.drawing?.subjects.append(.none)
            if node.node.accessRole != .none { plan.skeleton.reading.append(plan.shapes[own].node) }
        }
        fill(own, from: part)
        if part.node?.node.action ?? 0 != 0 { setSubject(of: Int(plan.shapes[own].node), part.about) }
        if let amount = part.amount {
            plan.isFlat = false
            if part.shape.operation == .box { addFill(.percent(own, amount, traced: trace.count)) }
            plan.shapes[own].number = Int32(number(scope.amount(amount, most: part.shape.mostAmount)))
        }
        if part.shape.shows != .always { plan.hasStates = true }
        if part.shape.traits.contains(.expands), expectsCuts { plan.hasStates = true }
        if case .markdown(let path) = part.content {
            addBlocks(of: path, place, in: inside)
        } else {
            addChildren(of: place, in: inside)
        }
        plan.shapes[own].end = Int32(plan.shapes.count)
        plan.shapes[own].variants &= variantsInside(own)
        if plan.shapes[own].variants == 0 {
            plan.cut(to: before)
            styleWords.removeSubrange(before.words...)
        }
    }

    /// Removes a stack around a single part, as it arranges nothing: the part takes its place. (A part that is not
    /// stretched needs another stack around it, which arranges it.)
    private mutating func dissolve(_ own: Int, in parent: Shape.Operation) {
        guard own < plan.shapes.count else { return }
        let stack = plan.shapes[own]
        guard stack.isPlainStack, own + 1 < Int(stack.end), plan.shapes[own + 1].end == stack.end,
            plan.shapes[own + 1].shows == .always, plan.shapes[own + 1].alignment == .stretch || parent == .stack
        else { return }
        plan.shapes.remove(at: own)
        for place in own..<plan.shapes.count { plan.shapes[place].end -= 1 }
        for place in plan.fills.indices {
            guard case .percent(let shape, let path, let traced) = plan.fills[place].content, shape > own else {
                continue
            }
            plan.fills[place].content = .percent(shape - 1, path, traced: traced)
        }
        plan.shapes[own].variants &= stack.variants
        plan.shapes[own].traits.formUnion(stack.traits)
    }

    /// The variants that the contents of a part allow: a part that arranges others is there if any of them is, a part
    /// around one other if that is.
    private func variantsInside(_ own: Int) -> UInt8 {
        let shape = plan.shapes[own]
        switch shape.operation {
        case .box, .media, .bars, .text, .stamped: return 0xff
        case .inset, .overlay: return own + 1 < Int(shape.end) ? plan.shapes[own + 1].variants : 0
        case .stack, .row, .flow, .grid, .mosaic:
            var variants: UInt8 = 0
            var child = own + 1
            while child < Int(shape.end) {
                variants |= plan.shapes[child].variants
                child = Int(plan.shapes[child].end)
            }
            return variants
        }
    }

    private mutating func addChildren(of place: Int, in inside: Place) {
        let shape = template.parts[place].shape
        var child = place + 1
        var number = 0
        var isBehind = false  // the one that grows or takes the rest
        while child < Int(shape.end) {
            let one = template.parts[child].shape
            var own = inside
            own.pins = inside.pins.with(one.pins(in: shape.operation, at: number, isBehind: isBehind))
            if shape.operation == .overlay, number > 0 { own.isOverlaid = true }
            let before = plan.shapes.count
            add(child, in: own)
            if one.operation == .stack, template.parts[child].each == nil { dissolve(before, in: shape.operation) }
            if number == 0, plan.shapes.count == before {
                // A stamp stands alone where its content is missing; an inset or overlay of nothing is absent.
                if shape.operation == .stamped { addNothing() }
                if shape.operation == .inset || shape.operation == .overlay { return }
            }
            if one.traits.contains(.grows) || one.traits.contains(.takesRest) { isBehind = true }
            child = Int(one.end)
            number += 1
        }
    }

    private mutating func addNothing() {
        plan.shapes.append(Shape(.stack))
        plan.shapes[plan.shapes.count - 1].end = Int32(plan.shapes.count)
    }

    private mutating func add(_ template: Skeleton.Node, in parent: Place) -> Skeleton.Node {
        var node = template
        node.parent = parent.node
        node.pins = parent.pins
        if parent.isOverlaid { node.traits.insert(.overlaid) }
        node.part = word(template.part)
        node.token = word(template.token)
        node.action = word(template.action)
        node.label = word(template.label)
        return node
    }

    /// Fills a part with its content in the message.
    private mutating func fill(_ own: Int, from part: Part) {
        switch part.content {
        case .none, .markdown: break
        case .literal(let literal): addLiteral(literal, to: own, part)
        case .text(let binding): addText(binding, to: own, part)
        case .picture(let path):
            plan.shapes[own].value = Int32(plan.pictures.count)
            addFill(.picture(plan.pictures.count, path))
            plan.pictures.append(scope.picture(path))
            setSource(of: own, path)
        case .bars(let path):
            plan.shapes[own].value = Int32(plan.bars.count)
            addFill(.bars(plan.bars.count, path))
            plan.bars.append(scope.bars(path))
            setSource(of: own, path)
        }
    }
}

// Texts.
extension Planner {
    private mutating func addLiteral(_ literal: Int32, to own: Int, _ part: Part) {
        plan.shapes[own].value = literal
        plan.shapes[own].isLiteral = true
        var text = Skeleton.Text()
        text.alignment = part.node?.alignment ?? .start
        text.literal = word(of: sheet.tables.literals[Int(literal)].text)
        add(text, to: own, sheet.tables.roleList[Int(part.shape.number)])
    }

    private mutating func addText(_ binding: TextBinding, to own: Int, _ part: Part) {
        let role = sheet.tables.roleList[Int(part.shape.number)]
        if let block, binding.field?.names == [Planner.blockName] { return addBlockText(block, to: own, part, role) }
        plan.shapes[own].value = Int32(sheet.tables.literals.count + plan.texts.count)
        var text = Skeleton.Text()
        text.alignment = part.node?.alignment ?? .start
        if binding.field == nil { text.literal = word(of: binding.pattern) } else { messageTexts += 1 }
        let found = scope.text(binding)
        add(text, to: own, role, madeOf: binding.field == nil ? binding.firstField : nil)
        if found.isGenerated { plan.generate(found.words, in: plan.skeleton.texts.count - 1) }
        if let field = binding.field { setSource(of: own, field) }
        addFill(.text(plan.texts.count, binding))
        plan.texts.append(
            PlannedText(
                content: .plain(found.words), style: role.style, text: plan.skeleton.texts.count - 1,
                findsEntities: part.node?.findsEntities ?? false,
                field: binding.field.flatMap { $0.names.count == 1 ? $0.names[0] : nil }))
    }

    private mutating func addFill(_ content: Plan.Fill.Content) {
        plan.fills.append(Plan.Fill(content: content, way: way))
    }

    /// - Parameter field: the field that its words are made of.
    private mutating func add(
        _ text: Skeleton.Text, to own: Int, _ role: TextRole, madeOf field: FieldPath? = nil
    ) {
        let place = Int(plan.shapes[own].node)
        plan.skeleton.nodes[place].text = Int32(plan.skeleton.texts.count)
        plan.skeleton.texts.append(text)
        let path = field.map { self.path(to: scope.location(of: $0)) } ?? .none
        plan.skeleton.drawing?.texts.append(Skeleton.DrawnText(face: TextFace(role.style), path: path))
    }
}

// Blocks of Markdown.
extension Planner {
    static let blockName = "block"

    private mutating func addBlocks(of path: FieldPath, _ place: Int, in inside: Place) {
        let children = template.parts.children(of: place)
        let outer = block
        (plan.isFlat, plan.quotesMessage) = (false, true)
        let blocks = MarkdownBlock.parse(scope.value(path)?.string ?? "")
        for i in 0..<number(blocks.count) {
            guard hasRoom() else { break }
            let found = i < blocks.count ? blocks[i] : nil
            let child = children[min(number(found?.templatePlace ?? 0), children.count - 1)]
            block = (found?.text ?? MarkedText(units: []), path)
            scope.push(Scope.Local(Planner.blockName, found?.values ?? .null, of: path))
            way += [place, i]
            var own = inside
            own.pins = inside.pins.with([.start, .end, .top])
            add(child, in: own)
            way.removeLast(2)
            scope.pop()
        }
        block = outer
    }

    private mutating func addBlockText(
        _ block: (text: MarkedText, source: FieldPath), to own: Int, _ part: Part, _ role: TextRole
    ) {
        plan.shapes[own].value = Int32(sheet.tables.literals.count + plan.texts.count)
        let marked = shown?.markedText(messageTexts) ?? block.text
        var text = Skeleton.Text()
        text.alignment = part.node?.alignment ?? .start
        text.show(marked)
        text.entities = marked.entities.map {
            Skeleton.Text.Entity(range: $0.range, kind: $0.kind, target: word(of: $0.target))
        }
        add(text, to: own, role)
        messageTexts += 1
        setSource(of: own, block.source)
        addFill(.block(plan.texts.count))
        plan.texts.append(
            PlannedText(
                content: .rich(block.text.rich(in: role.style)), style: role.style, text: plan.skeleton.texts.count - 1,
                // The skeleton that is shown has them already.
                findsEntities: shown == nil && part.node?.findsEntities ?? false, field: nil))
    }
}

// Words.
extension Planner {
    /// The number that a word of the style has in this skeleton.
    private mutating func word(_ ofStyle: Skeleton.Word) -> Skeleton.Word {
        guard ofStyle != 0 else { return 0 }
        if let known = styleWords.firstIndex(of: ofStyle) { return Skeleton.Word(known + 1) }
        return add(sheet.tables.words[Int(ofStyle) - 1], ofStyle)
    }

    private mutating func word(of text: String) -> Skeleton.Word {
        guard !text.isEmpty else { return 0 }
        if let known = plan.skeleton.words.firstIndex(of: text) { return Skeleton.Word(known + 1) }
        return add(text, 0)
    }

    private mutating func add(_ text: String, _ ofStyle: Skeleton.Word) -> Skeleton.Word {
        plan.skeleton.words.append(text)
        styleWords.append(ofStyle)
        return Skeleton.Word(plan.skeleton.words.count)
    }

    private mutating func setSource(of own: Int, _ path: FieldPath) {
        let place = Int(plan.shapes[own].node)
        plan.skeleton.nodes[place].source = word(of: scope.location(of: path).description)
    }
}

// Paths.
extension Planner {
    /// Sets the subject of an action: the field that its part names, else its own source, else the list element
    /// around it.
    private mutating func setSubject(of node: Int, _ about: FieldPath?) {
        guard about != nil || plan.skeleton.nodes[node].source == 0,
            let location = about.map({ scope.location(of: $0) }) ?? scope.innermost
        else { return }
        let subject = path(to: location)
        plan.skeleton.drawing?.subjects[node] = subject
    }

    private mutating func path(to location: Scope.Location) -> Skeleton.Path {
        var element: Int32 = 0
        for (list, place) in location.elements {
            element = number(of: Skeleton.Element(outer: element, list: pathWord(list), place: Int32(place)))
        }
        return Skeleton.Path(element: element, field: pathWord(location.field))
    }

    private mutating func number(of element: Skeleton.Element) -> Int32 {
        if let known = plan.skeleton.drawing?.elements.firstIndex(of: element) { return Int32(known + 1) }
        plan.skeleton.drawing?.elements.append(element)
        return Int32(plan.skeleton.drawing?.elements.count ?? 0)
    }

    private mutating func pathWord(_ text: String) -> Skeleton.Word {
        guard !text.isEmpty else { return 0 }
        if let known = plan.skeleton.drawing?.words.firstIndex(of: text) { return Skeleton.Word(known + 1) }
        plan.skeleton.drawing?.words.append(text)
        return Skeleton.Word(plan.skeleton.drawing?.words.count ?? 0)
    }
}
