import Bytes
import Typography

/// The measured texts of one message behind those that the style brings, in memory that is used again and again: a
/// measured text is eight arrays, and copying one counts references more than it counts pixels.
@safe final class TextShelf {
    /// One text. It cannot be copied, so that nobody does by mistake.
    private struct Volume: ~Copyable {
        var text = MeasuredText.empty

        borrowing func breakLines(_ breaker: LineBreaker, into lines: inout LineBuffer) {
            breaker.breakLines(of: text, into: &lines)
        }

        borrowing func plainSpan(
            of start: Int32, _ end: Int32, on line: Line, _ breaker: LineBreaker
        ) -> (left: Int32, width: Int32)? {
            breaker.plainSpan(of: start, end, on: line, in: text)
        }

        borrowing func hidesHyphen(on lines: borrowing LineBuffer, from first: Int) -> Bool {
            text.hidesHyphen(on: lines, from: first)
        }

        borrowing func encode(into bytes: inout Buffer<UInt8>) { text.encode(into: &bytes) }
        borrowing func entities() -> [Entity] { text.entities }
        borrowing func emojiCount() -> Int32 { text.emojiCount }
        borrowing func isMissingGlyphs() -> Bool { text.isMissingGlyphs }
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
        _read {
            precondition(place >= 0 && place < count)
            yield unsafe memory[place].text
        }
        _modify {
            precondition(place >= 0 && place < count)
            yield unsafe &memory[place].text
        }
    }

    /// Appends the lines of a text. (Here, where it can be lent: out of a subscript it would be copied.)
    func breakLines(of place: Int, _ breaker: LineBreaker, into lines: inout LineBuffer) {
        precondition(place >= 0 && place < count)
        unsafe memory[place].breakLines(breaker, into: &lines)
    }

    func hidesHyphen(_ place: Int, on lines: borrowing LineBuffer, from first: Int) -> Bool {
        precondition(place >= 0 && place < count)
        return unsafe memory[place].hidesHyphen(on: lines, from: first)
    }

    /// What a stretch of a plain text covers on a line; nil for other texts.
    func plainSpan(
        of place: Int, _ start: Int32, _ end: Int32, on line: Line, _ breaker: LineBreaker
    ) -> (left: Int32, width: Int32)? {
        precondition(place >= 0 && place < count)
        return unsafe memory[place].plainSpan(of: start, end, on: line, breaker)
    }

    /// Appends the stored form of a text.
    func encode(_ place: Int, into bytes: inout Buffer<UInt8>) {
        precondition(place >= 0 && place < count)
        unsafe memory[place].encode(into: &bytes)
    }

    func entities(of place: Int) -> [Entity] {
        precondition(place >= 0 && place < count)
        return unsafe memory[place].entities()
    }

    func emojiCount(of place: Int) -> Int32 {
        precondition(place >= 0 && place < count)
        return unsafe memory[place].emojiCount()
    }

    func isMissingGlyphs(_ place: Int) -> Bool {
        precondition(place >= 0 && place < count)
        return unsafe memory[place].isMissingGlyphs()
    }

    /// Leaves only the first `count` lines of the buffer.
    func cut(_ place: Int, _ breaker: LineBreaker, _ lines: inout LineBuffer, to count: Int) {
        precondition(place >= 0 && place < self.count)
        unsafe breaker.cut(&lines, to: count, of: memory[place].text)
    }

    /// Makes room for so many; what is there stays.
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
