/// Values one behind another in memory that is used again: nothing is allocated once it has grown.
///
/// An `Array` would do the same with a check for a second owner at each append, a third of the time of an encoding.
@safe package struct Column<Element>: ~Copyable {
    private var memory: UnsafeMutablePointer<Element>
    private var capacity: Int
    package private(set) var count = 0

    package init(capacity: Int = 64) {
        self.capacity = max(1, capacity)
        unsafe memory = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe memory.deinitialize(count: count)
        unsafe memory.deallocate()
    }

    package subscript(i: Int) -> Element {
        @inline(__always) get {
            precondition(i >= 0 && i < count)
            return unsafe memory[i]
        }
        @inline(__always) set {
            precondition(i >= 0 && i < count)
            unsafe memory[i] = newValue
        }
    }

    @inline(__always)
    package mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        unsafe (memory + count).initialize(to: element)
        count &+= 1
    }

    package mutating func append(_ elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        if capacity - count < elements.count { grow(by: elements.count) }
        unsafe (memory + count).initialize(from: start, count: elements.count)
        count += elements.count
    }

    package mutating func append(repeating element: Element, count more: Int) {
        if capacity - count < more { grow(by: more) }
        unsafe (memory + count).initialize(repeating: element, count: more)
        count += more
    }

    package mutating func shrink(to count: Int) {
        guard count < self.count else { return }
        unsafe (memory + count).deinitialize(count: self.count - count)
        self.count = count
    }

    package mutating func removeAll() { shrink(to: 0) }

    /// For reading a stretch at once.
    @unsafe var elements: UnsafeBufferPointer<Element> { unsafe UnsafeBufferPointer(start: memory, count: count) }

    package func array(_ range: Range<Int32>) -> [Element] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe Array(elements[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = max(2 * capacity, count + more)
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        unsafe moved.moveInitialize(from: memory, count: count)
        unsafe memory.deallocate()
        unsafe memory = moved
        capacity = larger
    }
}

/// Numbers as layout records write them: seven bits to a byte, the lowest first.
extension Column where Element == UInt8 {
    @inline(__always)
    mutating func number(_ value: UInt32) {
        if value < 0x80 { append(UInt8(truncatingIfNeeded: value)) } else { longNumber(value) }
    }

    @inline(__always)
    mutating func number(_ value: Int) { number(UInt32(truncatingIfNeeded: value)) }

    /// What is not negative in a valid sheet; anything else comes back as it was, from five bytes.
    @inline(__always)
    mutating func number(_ value: Int32) { number(UInt32(bitPattern: value)) }

    /// 0, -1, 1, -2, … as 0, 1, 2, 3, …
    @inline(__always)
    mutating func signed(_ value: Int32) { number(UInt32(bitPattern: value << 1 ^ value >> 31)) }

    private mutating func longNumber(_ value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
