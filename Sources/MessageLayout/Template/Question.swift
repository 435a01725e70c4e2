/// What a template asks of a message, so that one knows which parts it has: questions one behind another, without the parts that ask
/// nothing.
struct Question: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case condition(Condition)
        /// How many elements a list has; what follows is asked of each.
        case list(FieldPath, name: String)
        case amount(FieldPath, most: Int)
        /// Which blocks a text in Markdown has; for each kind of them what is asked of such a block.
        case blocks(FieldPath, [Range<Int>])
    }

    /// The part that it concerns.
    let part: Int
    fileprivate(set) var subject: Subject
    /// The first question that concerns no part inside of this one's: where it goes on when that is not there.
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
        // How many percent a box fills differs from one message to the next, and is filled in.
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
    /// The parts right inside of one.
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
