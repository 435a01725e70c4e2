import Typography

/// The entities of a text that a line has a part of, from line to line: so a text of thousands of lines, each with an
/// entity of its own, takes no look at each of them for each line.
struct OpenEntities {
    private let ranges: [Range<Int32>]
    /// The entities in the order in which they begin, and the first that no line has reached.
    private let order: [Int]
    private var next = 0
    /// The entities of the line at hand, in their order.
    private(set) var here: [Int] = []

    init(_ ranges: [Range<Int32>]) {
        self.ranges = ranges
        order = ranges.indices.sorted { ranges[$0].lowerBound < ranges[$1].lowerBound }
    }

    /// Turns to a line below the one at hand.
    mutating func turn(to line: Line) {
        let ranges = ranges
        let known = here.count
        while next < order.count, ranges[order[next]].lowerBound < line.end {
            here.append(order[next])
            next += 1
        }
        if here.count > known { here.sort() }
        here.removeAll { ranges[$0].upperBound <= line.start }
    }
}
