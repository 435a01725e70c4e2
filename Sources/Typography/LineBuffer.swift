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

    /// Leaves only the first ones.
    mutating func shrink(to count: Int) { self.count = min(self.count, count) }

    private mutating func grow() {
        let larger = unsafe UnsafeMutableBufferPointer<Line>.allocate(capacity: 2 * memory.count)
        _ = unsafe larger.moveInitialize(fromContentsOf: memory[..<count])
        unsafe memory.deallocate()
        unsafe memory = larger
    }
}
