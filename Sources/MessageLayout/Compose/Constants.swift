import Bytes

/// Parts that are the same on every row of a kind of screen, because nothing in them wraps and nothing comes from the
/// message: the stamp, most of all. They are solved once for each variant, and then only moved.
struct Constants: ~Copyable {
    /// How a part is arranged within itself.
    struct Known {
        var width: Int32
        var height: Int32
    }

    // Not private: the compiler stumbles over memory of what other files cannot name.
    struct Entry {
        var epoch: Int32 = 0
        var state = Solver.PartState()
    }

    /// For each part, whether everything in it is constant and more than one part of it is.
    private var constant = Buffer<Bool>()
    private var ends = Buffer<Int32>()
    /// For each variant, all parts.
    private var entries = Buffer<Entry>()
    private var epoch: Int32 = 0
    /// For each variant the first one in which the same of them are there.
    private var alike = Buffer<Int>()

    private static let mostVariants = 8

    /// Turns to another message.
    mutating func begin(_ shapes: borrowing Buffer<Shape>) {
        forget()
        constant.refill(false, count: shapes.count)
        ends.removeAll()
        for i in 0..<shapes.count { ends.append(shapes[i].end) }
        entries.refill(Entry(), count: shapes.count * Constants.mostVariants)
        alike.removeAll()
        for variant in 0..<Constants.mostVariants { alike.append(variant) }
        var i = 0
        while i < shapes.count {
            guard shapes[i].operation == .row, isConstant(i, shapes) else {
                i += 1
                continue
            }
            constant[i] = true
            i = Int(shapes[i].end)
        }
        findAlike(shapes)
    }

    private mutating func findAlike(_ shapes: borrowing Buffer<Shape>) {
        for variant in 1..<Constants.mostVariants {
            var other = 0
            while other < variant, !areAlike(variant, other, shapes) { other += 1 }
            alike[variant] = other
        }
    }

    private func areAlike(_ one: Int, _ other: Int, _ shapes: borrowing Buffer<Shape>) -> Bool {
        for i in 0..<shapes.count where constant[i] {
            for inside in i..<Int(shapes[i].end) {
                let variants = shapes[inside].variants
                if variants >> UInt8(one) & 1 != variants >> UInt8(other) & 1 { return false }
            }
        }
        return true
    }

    /// Rows, boxes and the style's own texts, of which none gives way.
    private func isConstant(_ first: Int, _ shapes: borrowing Buffer<Shape>) -> Bool {
        for i in first..<Int(shapes[first].end) {
            let shape = shapes[i]
            guard shape.shows == .always, shape.traits.isDisjoint(with: [.follows, .takesRest, .fills, .expands]),
                shape.mostLines == 0, shape.maximum == .zero
            else { return false }
            switch shape.operation {
            case .row, .box: break
            case .text where shape.isLiteral: break
            default: return false
            }
        }
        return true
    }

    /// What was solved belongs to another kind of screen.
    mutating func forget() { epoch += 1 }

    func isConstant(_ i: Int) -> Bool { constant[i] }

    @inline(__always)
    func known(_ i: Int, _ variant: UInt8) -> Known? {
        guard constant[i] else { return nil }
        let entry = place(i, variant)
        guard entries[entry].epoch == epoch else { return nil }
        return Known(width: entries[entry].state.frame.width, height: entries[entry].state.frame.height)
    }

    @inline(__always)
    private func place(_ i: Int, _ variant: UInt8) -> Int { alike[variant.trailingZeroBitCount] * constant.count + i }

    /// Keeps what was solved, from the corner of part `i` on.
    mutating func remember(_ i: Int, _ variant: UInt8, _ parts: borrowing Buffer<Solver.PartState>) {
        let corner = parts[i].frame
        for inside in i..<Int(ends[i]) {
            var state = parts[inside]
            state.frame.left -= corner.left
            state.frame.top -= corner.top
            entries[place(inside, variant)] = Entry(epoch: epoch, state: state)
        }
    }

    func place(_ i: Int, _ variant: UInt8, _ x: Int32, _ y: Int32, _ parts: inout Buffer<Solver.PartState>) {
        let first = place(0, variant)
        for inside in i..<Int(ends[i]) {
            parts[inside] = entries[first + inside].state
            parts[inside].frame.left += x
            parts[inside].frame.top += y
        }
    }
}
