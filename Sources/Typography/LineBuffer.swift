/// Lines of one text after another in memory that is used again: nothing is allocated once it has grown.
@safe package struct LineBuffer: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<Line>
    package private(set) var count = 0

    package init(capacity: Int = 64) {
        unsafe memory = .allocate(capacity: max(1, capacity))
    }

    deinit { unsafe memory.deallocate() }

    package mutating func removeAll() { count = 0 }

    package subscript(i: Int) -> Line {
        precondition(i >= 0 && i < count)
        return unsafe memory[i]
    }

    @inline(__always)
    package mutating func append(_ line: Line) {
        if unsafe count == memory.count { grow() }
        unsafe (memory.baseAddress! + count).initialize(to: line)
        count &+= 1
    }

    /// What the lines from one on have in common: the width of the widest, whether any ends before its paragraph does, and
    /// whether any runs from right to left.
    package func extent(from first: Int) -> (widest: Int32, isAnyWrapped: Bool, isAnyRightToLeft: Bool) {
        extent(of: first..<max(first, count))
    }

    /// The same of some lines.
    @inline(__always)
    package func extent(of lines: Range<Int>) -> (widest: Int32, isAnyWrapped: Bool, isAnyRightToLeft: Bool) {
        precondition(lines.lowerBound >= 0 && lines.upperBound <= max(count, lines.lowerBound))
        var widest: Int32 = 0
        var (all, any) = (LineTraits.lastOfParagraph.rawValue, Int32(0))
        for i in lines {
            let line = unsafe memory[i]
            widest = max(widest, line.width)
            all &= line.traits.rawValue
            any |= line.traits.rawValue
        }
        return (widest, all == 0, any & LineTraits.rightToLeft.rawValue != 0)
    }

    /// Leaves only the first ones.
    mutating func shrink(to count: Int) { self.count = min(self.count, count) }

    private mutating func grow() {
        let larger = unsafe UnsafeMutableBufferPointer<Line>.allocate(capacity: 2 * memory.count)
        _ = unsafe larger.moveInitialize(fromContentsOf: memory[..<count])
        unsafe memory.deallocate()
        unsafe memory = larger
    }
}
