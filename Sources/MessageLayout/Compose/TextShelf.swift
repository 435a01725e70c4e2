package import Typography

/// The measured texts of one message behind those that the style brings, in memory that is used again and again: a
/// measured text is eight arrays, and copying one counts references more than it counts pixels.
@safe final class TextShelf {
    private var memory: UnsafeMutablePointer<MeasuredText>
    private(set) var count = 0
    private var capacity = 16

    init() {
        unsafe memory = .allocate(capacity: capacity)
        unsafe memory.initialize(repeating: .empty, count: capacity)
    }

    deinit {
        unsafe memory.deinitialize(count: capacity)
        unsafe memory.deallocate()
    }

    subscript(place: Int) -> MeasuredText {
        unsafeAddress {
            precondition(place >= 0 && place < count)
            return unsafe UnsafePointer(memory + place)
        }
        unsafeMutableAddress {
            precondition(place >= 0 && place < count)
            return unsafe memory + place
        }
    }

    /// Makes room for so many; what is there stays.
    func resize(to count: Int) {
        self.count = count
        guard count > capacity else { return }
        let larger = unsafe UnsafeMutablePointer<MeasuredText>.allocate(capacity: 2 * count)
        unsafe larger.moveInitialize(from: memory, count: capacity)
        unsafe (larger + capacity).initialize(repeating: .empty, count: 2 * count - capacity)
        unsafe memory.deallocate()
        unsafe memory = larger
        capacity = 2 * count
    }
}
