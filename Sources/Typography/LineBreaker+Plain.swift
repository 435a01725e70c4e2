/// The road that most texts take. Eight stops are compared with the width at once, because where a line ends cannot be
/// foretold, and a branch that is guessed wrong costs more than eight comparisons.
extension LineBreaker {
    /// Appends the lines of a plain text. A line on which not even the first word fits is found the general way.
    func breakPlainLines(of text: borrowing MeasuredText, into lines: inout LineBuffer) {
        var place = Place()
        while !breakPlainLines(text.stops.head, text.stops.numbers.span, at: 0, from: &place, into: &lines) {
            let line = line(of: text, from: place.start)
            lines.append(line)
            place.pass(line, of: text)
        }
    }

    /// Appends lines from `place` on, of stops whose numbers begin at `start`. Returns false, with `place` behind the
    /// last line, when a word is wider than the box.
    @inline(__always)
    func breakPlainLines(
        _ head: Stops.Head, _ numbers: borrowing Span<Int32>, at start: Int, from place: inout Place,
        into lines: inout LineBuffer
    ) -> Bool {
        precondition(start >= 0 && head.count >= 0 && start + head.numberCount <= numbers.count)
        let isUsual = head.unitsPerEm == 1000 && head.percent == 100
        let factor = isUsual ? usual : factor(unitsPerEm: head.unitsPerEm, percent: head.percent)
        let limit = isUsual ? usualLimit : factor.units(in: most)
        for paragraph in 0..<head.paragraphs {
            let end = start + head.ends + 2 * paragraph
            let isRightToLeft = numbers[end + 1] != 0
            let last = min(Int(numbers[end]), head.count)
            guard breakParagraph(head, numbers, start, to: last, isRightToLeft, factor, limit, &place, &lines) else {
                return false
            }
        }
        return true
    }

    /// Where the next line begins.
    struct Place {
        fileprivate(set) var start: Int32 = 0
        /// The first opportunity behind the start.
        fileprivate var stop = 0
        /// Units up to the start, less what the break before it adds to the line.
        fileprivate var base: Int32 = 0

        /// Goes behind a line that ends inside a word.
        fileprivate mutating func pass(_ line: Line, of text: borrowing MeasuredText) {
            base &+= text.beginning(at: start)
            for i in line.start..<line.end { base &+= text.advances[Int(i)] }
            start = line.end
            base &-= text.beginning(at: start)
            stop = text.stops.firstStop(behind: start, from: stop)
        }
    }

    @inline(__always)
    private func breakParagraph(
        _ head: Stops.Head, _ numbers: borrowing Span<Int32>, _ start: Int, to last: Int, _ isRightToLeft: Bool,
        _ factor: Factor, _ limit: Int32, _ place: inout Place, _ lines: inout LineBuffer
    ) -> Bool {
        let bytes = unsafe numbers.bytes
        let pairs = start + head.pairs
        let direction: LineTraits = isRightToLeft ? .rightToLeft : []
        // In registers, not in `place`.
        var (stop, base, lineStart) = (place.stop, place.base, place.start)
        while stop < last {
            let most = SIMD8<Int32>(repeating: base &+ limit)
            var fits = stop
            // Ends never decrease, so those that fit come first; what is read past the last stop is larger than any.
            while fits < last {
                let ends = unsafe bytes.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: (start &+ fits) &* 4, as: SIMD8<Int32>.self)
                let count = Int(0 &- (unsafe unsafeBitCast(ends .<= most, to: SIMD8<Int32>.self).wrappedSum()))
                fits &+= count
                if count < 8 { break }
            }
            fits = min(fits, last)
            if fits == stop { break }
            let end = unsafe numbers[unchecked: start &+ fits &- 1]
            let next = unsafe numbers[unchecked: pairs &+ 2 &* fits &- 2]
            let offset = unsafe numbers[unchecked: pairs &+ 2 &* fits &- 1]
            let traits = fits == last ? direction.union(.lastOfParagraph) : direction
            lines.append(Line(start: lineStart, end: offset, width: factor.pixels(max(0, end &- base)), traits: traits))
            (stop, base, lineStart) = (fits, next, offset)
        }
        place = Place(start: lineStart, stop: stop, base: base)
        return stop >= last
    }
}

extension MeasuredText {
    /// What a break before `position` adds to the line that begins there.
    fileprivate func beginning(at position: Int32) -> Int32 {
        guard position < count, marks[Int(position)].contains(.unsafe) else { return 0 }
        return unsafeBreak(at: position).beginning
    }
}
