import Bytes
import JSON

/// The answers of a message to all questions of its template, through all lists and blocks of Markdown: which
/// conditions hold, how long lists are, how deep blocks stand. Messages with the same answers have the same plan but
/// for its fills.
///
/// Asking costs a third of a plan, as nothing is put together.
struct PlanAnswers {
    private let questions: [Question]
    private var scope: Scope
    private var way: [Int] = []
    /// The block of Markdown at hand.
    private var block: MarkedText?
    private(set) var key: [UInt8] = []
    /// Sources of values: the message, then each element and each block in the order in which they are met.
    private(set) var visits: [Visit]
    /// Whether the plan can be kept: the key is short enough, and no block brings words of its own to the skeleton.
    private(set) var isReusable = true

    struct Visit {
        /// The way to it: for each list around, the part that is repeated and the place in the list.
        var way: [Int]
        var scope: Scope
        var block: MarkedText?
    }

    private static let most = 512

    init(of message: JSONValue, to questions: [Question]) {
        self.questions = questions
        scope = Scope(message)
        visits = [Visit(way: [], scope: scope)]
        key.reserveCapacity(64)
        ask(questions.indices)
    }

    private mutating func ask(_ range: Range<Int>) {
        var next = range.lowerBound
        while next < range.upperBound, isReusable {
            let behind = questions[next].behind
            switch questions[next].subject {
            case .condition(let condition):
                let holds = scope.holds(condition)
                append(holds ? 1 : 0)
                next = holds ? next + 1 : behind
            case .amount(let path, let most):
                append(scope.amount(path, most: most))
                next += 1
            case .list(let path, let name):
                let elements = scope.value(path)?.array ?? []
                append(elements.count)
                for (i, element) in elements.enumerated() where isReusable {
                    visit(
                        questions[next].part, i, Scope.Local(name, element, of: path, at: i), block, next + 1..<behind)
                }
                next = behind
            case .blocks(let path, let kinds):
                askBlocks(of: path, questions[next].part, kinds)
                next = behind
            }
        }
    }

    private mutating func askBlocks(of path: FieldPath, _ place: Int, _ kinds: [Range<Int>]) {
        let blocks = MarkdownBlock.parse(scope.value(path)?.string ?? "")
        append(blocks.count)
        for (i, block) in blocks.enumerated() where isReusable {
            append(block.templatePlace)
            if block.text.entities.contains(where: { !$0.target.isEmpty }) { isReusable = false }
            visit(
                place, i, Scope.Local(Planner.blockName, block.values, of: path), block.text,
                kinds[min(block.templatePlace, kinds.count - 1)])
        }
    }

    /// Visits an element of a list, or a block, and comes back.
    private mutating func visit(
        _ place: Int, _ i: Int, _ local: Scope.Local, _ own: MarkedText?, _ inside: Range<Int>
    ) {
        let outer = block
        (block, way) = (own, way + [place, i])
        scope.push(local)
        visits.append(Visit(way: way, scope: scope, block: own))
        ask(inside)
        scope.pop()
        way.removeLast(2)
        block = outer
    }

    private mutating func append(_ number: Int) {
        if key.count >= Self.most { isReusable = false }
        key.signed(number)
    }
}
