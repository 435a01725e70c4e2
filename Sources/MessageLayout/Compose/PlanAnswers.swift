import Bytes
import JSON

/// Answers of a message to all that its template asks, lists and blocks of Markdown gone through: which conditions hold, how long
/// lists are, how deep blocks stand. Messages with the same answers have the same plan but for what is filled in.
///
/// It costs a third of a plan, as nothing is put together.
struct PlanAnswers {
    private let template: Template
    private var scope: Scope
    private var way: [Int] = []
    /// The block of Markdown at hand.
    private var block: MarkedText?
    private(set) var key: [UInt8] = []
    /// Sources of values: the message, then each element and each block in the order in which they are met.
    private(set) var visits: [Visit]
    /// Whether no more was asked than is remembered, and no block brings words of its own to what clients see.
    private(set) var isReusable = true

    struct Visit {
        /// The way to it: of each list around, the part that is repeated for it, and the place in it.
        var way: [Int]
        var scope: Scope
        var block: MarkedText?
    }

    private static let most = 512

    init(of message: JSONValue, template: Template) {
        self.template = template
        scope = Scope(message)
        visits = [Visit(way: [], scope: scope)]
        ask(0)
    }

    private mutating func ask(_ place: Int) {
        guard let each = template.parts[place].each else {
            if hold(place) { askInside(place) }
            return
        }
        let elements = scope.value(each)?.array ?? []
        append(elements.count)
        for (i, element) in elements.enumerated() where isReusable {
            visit(place, i, Scope.Local(template.parts[place].eachName, element, of: each, at: i), block) {
                if $0.hold(place) { $0.askInside(place) }
            }
        }
    }

    private mutating func hold(_ place: Int) -> Bool {
        for condition in template.parts[place].conditions {
            let holds = scope.holds(condition)
            append(holds ? 1 : 0)
            if !holds { return false }
        }
        return true
    }

    private mutating func askInside(_ place: Int) {
        // How many percent a box fills differs from one message to the next, and is filled in.
        if let amount = template.parts[place].amount, template.parts[place].shape.operation != .box {
            append(scope.amount(amount, most: template.parts[place].shape.mostAmount))
        }
        if case .markdown(let path) = template.parts[place].content { return askBlocks(of: path, place) }
        var child = place + 1
        while child < Int(template.parts[place].shape.end) {
            ask(child)
            child = Int(template.parts[child].shape.end)
        }
    }

    private mutating func askBlocks(of path: FieldPath, _ place: Int) {
        let children = template.children(of: place)
        let blocks = MarkdownBlock.parse(scope.value(path)?.string ?? "")
        append(blocks.count)
        for (i, block) in blocks.enumerated() where isReusable {
            append(block.templatePlace)
            if block.text.entities.contains(where: { !$0.target.isEmpty }) { isReusable = false }
            visit(place, i, Scope.Local(Planner.blockName, block.values, of: path), block.text) {
                $0.ask(children[min(block.templatePlace, children.count - 1)])
            }
        }
    }

    /// Goes into an element of a list or a block, and out again.
    private mutating func visit(
        _ place: Int, _ i: Int, _ local: Scope.Local, _ own: MarkedText?, _ ask: (inout PlanAnswers) -> Void
    ) {
        let outer = block
        (block, way) = (own, way + [place, i])
        scope.push(local)
        visits.append(Visit(way: way, scope: scope, block: own))
        ask(&self)
        scope.pop()
        way.removeLast(2)
        block = outer
    }

    private mutating func append(_ number: Int) {
        if key.count >= Self.most { isReusable = false }
        key.signed(number)
    }
}

extension Template {
    /// The parts right inside of one.
    func children(of place: Int) -> [Int] {
        var children: [Int] = []
        var child = place + 1
        while child < Int(parts[place].shape.end) {
            children.append(child)
            child = Int(parts[child].shape.end)
        }
        return children
    }
}
