/// A growable array in memory that is used again: once it has grown, nothing is allocated, and no reference is
/// counted.
///
/// An `Array` checks for a second owner at each append, which takes a third of the time of an encoding.
@safe public struct Buffer<Element>: ~Copyable {
    @usableFromInline var memory: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline var used = 0

    @inlinable public var count: Int { used }

    @inlinable
    public init(capacity: Int = 64) {
        self.capacity = max(1, capacity)
        unsafe memory = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe memory.deinitialize(count: count)
        unsafe memory.deallocate()
    }

    @inlinable
    public subscript(i: Int) -> Element {
        @inline(__always) unsafeAddress {
            precondition(UInt(bitPattern: i) < UInt(bitPattern: count))
            return unsafe UnsafePointer(memory + i)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(UInt(bitPattern: i) < UInt(bitPattern: count))
            return unsafe memory + i
        }
    }

    @inlinable @inline(__always)
    public mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        unsafe (memory + count).initialize(to: element)
        used &+= 1
    }

    @inlinable
    public mutating func append(_ elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        if capacity - count < elements.count { grow(by: elements.count) }
        unsafe (memory + count).initialize(from: start, count: elements.count)
        used += elements.count
    }

    @inlinable
    public mutating func append(repeating element: Element, count more: Int) {
        if capacity - count < more { grow(by: more) }
        unsafe (memory + count).initialize(repeating: element, count: more)
        used += more
    }

    /// Appends a copy of some of its own elements.
    @inlinable
    public mutating func append(copyOf range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        if capacity - count < range.count { grow(by: range.count) }
        unsafe (memory + count).initialize(from: memory + range.lowerBound, count: range.count)
        used += range.count
    }

    /// Keeps the first `count` elements, and removes the others.
    @inlinable
    public mutating func shrink(to count: Int) {
        guard count < self.count else { return }
        unsafe (memory + count).deinitialize(count: self.count - count)
        used = count
    }

    @inlinable
    public mutating func removeAll() { shrink(to: 0) }

    @inlinable @inline(never)
    mutating func grow(by more: Int) {
        let larger = max(2 * capacity, count + more)
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        unsafe moved.moveInitialize(from: memory, count: count)
        unsafe memory.deallocate()
        unsafe memory = moved
        capacity = larger
    }
}

// Many elements at once.
extension Buffer {
    /// The elements as they lie in memory, to read a stretch at once.
    @unsafe @inlinable public var elements: UnsafeBufferPointer<Element> {
        unsafe UnsafeBufferPointer(start: memory, count: count)
    }

    @inlinable
    public func array(_ range: Range<Int32>) -> [Element] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe Array(elements[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    /// Copies all elements into the array, in place of its own.
    @inlinable
    public func copy(to array: inout [Element]) {
        if !array.isEmpty { array.removeAll(keepingCapacity: true) }
        unsafe array.append(contentsOf: elements)
    }

    /// Copies all elements behind those of the array.
    @inlinable
    public func copy(behind array: inout [Element]) { unsafe array.append(contentsOf: elements) }

    /// Appends all elements of the array.
    @inlinable
    public mutating func append(_ array: [Element]) {
        unsafe array.withUnsafeBufferPointer { unsafe append($0) }
    }

    /// Replaces its elements by those of the array.
    @inlinable
    public mutating func replace(with array: [Element]) {
        removeAll()
        append(array)
    }

    /// Replaces its elements by `count` copies of one.
    @inlinable
    public mutating func refill(_ element: Element, count: Int) {
        removeAll()
        append(repeating: element, count: count)
    }
}
