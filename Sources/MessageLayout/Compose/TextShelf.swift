import Bytes
import Typography

/// The measured texts of one message behind those that the style brings, in memory that is used again and again: a
/// measured text is eight arrays, and copying one counts references more than it counts pixels.
@safe final class TextShelf {
    /// One text. It cannot be copied, so that it is never copied by mistake.
    private struct Volume: ~Copyable {
        var text = MeasuredText.empty

        @inline(__always)
        borrowing func lend<Answer: ~Copyable>(_ body: (borrowing MeasuredText) -> Answer) -> Answer { body(text) }
    }

    private var memory: UnsafeMutablePointer<Volume>
    private(set) var count = 0
    private var capacity = 16

    init() {
        unsafe memory = .allocate(capacity: capacity)
        for place in 0..<capacity { unsafe (memory + place).initialize(to: Volume()) }
    }

    deinit {
        unsafe memory.deinitialize(count: capacity)
        unsafe memory.deallocate()
    }

    subscript(place: Int) -> MeasuredText {
        get {
            precondition(place >= 0 && place < count)
            return unsafe memory[place].text
        }
        _modify {
            precondition(place >= 0 && place < count)
            yield unsafe &memory[place].text
        }
    }

    /// Lends a text to `body`. (The subscript would copy it.)
    @inline(__always)
    func lend<Answer: ~Copyable>(_ place: Int, _ body: (borrowing MeasuredText) -> Answer) -> Answer {
        precondition(place >= 0 && place < count)
        return unsafe memory[place].lend(body)
    }

    /// Makes room for `count` texts; those that are there stay.
    func resize(to count: Int) {
        self.count = count
        guard count > capacity else { return }
        let larger = UnsafeMutablePointer<Volume>.allocate(capacity: 2 * count)
        unsafe larger.moveInitialize(from: memory, count: capacity)
        for place in capacity..<2 * count { unsafe (larger + place).initialize(to: Volume()) }
        unsafe memory.deallocate()
        unsafe memory = larger
        capacity = 2 * count
    }
}
