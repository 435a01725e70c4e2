import Typography

/// The entities of a text that a line has a part of, from line to line: so a text of thousands of lines, each with an
/// entity of its own, takes no look at each of them for each line. Their order serves all screens that the text is
/// broken for.
struct OpenEntities {
    /// The text that they are of; -1 for none.
    private var text = -1
    private(set) var ranges: [Range<Int32>] = []
    /// The entities in the order in which they begin, and the first that no line has reached.
    private var order: [Int] = []
    private var next = 0
    /// The entities of the line at hand, in their order.
    private(set) var here: [Int] = []

    /// Turns to the lines of a text.
    mutating func begin(_ text: Int, _ entities: [Skeleton.Text.Entity]) {
        if text != self.text {
            self.text = text
            ranges = entities.map(\.range)
            order = entities.indices.sorted { entities[$0].range.lowerBound < entities[$1].range.lowerBound }
        }
        next = 0
        here.removeAll(keepingCapacity: true)
    }

    /// Turns to a line below the one at hand.
    mutating func turn(to line: Line) {
        let known = here.count
        while next < order.count, ranges[order[next]].lowerBound < line.end {
            here.append(order[next])
            next += 1
        }
        if here.isEmpty { return }
        if here.count > max(known, 1) { here.sort() }
        let ranges = ranges
        here.removeAll { ranges[$0].upperBound <= line.start }
    }
}
