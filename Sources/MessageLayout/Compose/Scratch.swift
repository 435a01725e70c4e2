/// Memory for numbers that is used for one message after another: it never shrinks, nothing is counted, and a write asks
/// nobody whether it is shared. Elements own nothing: they are never destroyed.
@safe struct Scratch<Element>: ~Copyable {
    private var memory: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 32) {
        unsafe memory = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { unsafe memory.deallocate() }

    subscript(place: Int) -> Element {
        @inline(__always) unsafeAddress {
            precondition(place >= 0 && place < count)
            return unsafe UnsafePointer(memory + place)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(place >= 0 && place < count)
            return unsafe memory + place
        }
    }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: 2 * capacity) }
        unsafe (memory + count).initialize(to: element)
        count += 1
    }

    /// What is here, in place of what is there.
    func copy(to array: inout [Element]) {
        array.removeAll(keepingCapacity: true)
        unsafe array.append(contentsOf: UnsafeBufferPointer(start: memory, count: count))
    }

    mutating func replace(with elements: [Element]) {
        count = 0
        if elements.count > capacity { grow(to: 2 * elements.count) }
        for element in elements { append(element) }
    }

    mutating func refill(_ element: Element, count: Int) {
        self.count = 0
        if count > capacity { grow(to: 2 * count) }
        for place in 0..<count { unsafe (memory + place).initialize(to: element) }
        self.count = count
    }

    private mutating func grow(to capacity: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        unsafe larger.moveInitialize(from: memory, count: count)
        unsafe memory.deallocate()
        unsafe memory = larger
        self.capacity = capacity
    }
}
