/// A question that a template asks of a message: the answers tell which parts it has. Questions stand one behind
/// another, without the parts that ask nothing.
struct Question: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case condition(Condition)
        /// The number of elements of a list; the questions that follow are asked of each element.
        case list(FieldPath, name: String)
        case amount(FieldPath, most: Int)
        /// The blocks of a text in Markdown; for each kind of block, the questions that are asked of it.
        case blocks(FieldPath, [Range<Int>])
    }

    /// The part that it concerns.
    let part: Int
    fileprivate(set) var subject: Subject
    /// The first question that concerns no part inside this one's: the next one if that is absent.
    fileprivate(set) var behind = 0
}

extension [Question] {
    init(of parts: [Part]) {
        self.init()
        if !parts.isEmpty { add(parts, 0) }
    }

    private mutating func add(_ parts: [Part], _ place: Int) {
        let (part, first) = (parts[place], count)
        if let each = part.each { append(Question(part: place, subject: .list(each, name: part.eachName))) }
        for condition in part.conditions { append(Question(part: place, subject: .condition(condition))) }
        // The percentage that a box fills differs from one message to the next, and is filled in.
        if let amount = part.amount, part.shape.operation != .box {
            append(Question(part: place, subject: .amount(amount, most: part.shape.mostAmount)))
        }
        var own = first..<count
        if case .markdown(let path) = part.content {
            append(Question(part: place, subject: .blocks(path, [])))
            own = first..<count
            let children = parts.children(of: place).map { child in
                let first = count
                add(parts, child)
                return first..<count
            }
            self[own.upperBound - 1].subject = .blocks(path, children)
        } else {
            for child in parts.children(of: place) { add(parts, child) }
        }
        for place in own { self[place].behind = count }
    }
}

extension [Part] {
    /// The children of a part.
    func children(of place: Int) -> [Int] {
        var children: [Int] = []
        var child = place + 1
        while child < Int(self[place].shape.end) {
            children.append(child)
            child = Int(self[child].shape.end)
        }
        return children
    }
}
