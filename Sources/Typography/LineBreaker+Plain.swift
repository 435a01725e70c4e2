/// The road that most texts take. Eight stops are compared with the width at once, because where a line ends cannot be
/// foretold, and a branch that is guessed wrong costs more than eight comparisons.
extension LineBreaker {
    /// Appends the lines of a plain text. Returns false, with `lines` as they were, when a word is wider than the box.
    func breakPlainLines(of stops: borrowing Stops, into lines: inout LineBuffer) -> Bool {
        let before = lines.count
        let isUsual = stops.unitsPerEm == 1000 && stops.percent == 100
        let factor = isUsual ? usual : factor(unitsPerEm: stops.unitsPerEm, percent: stops.percent)
        let limit = isUsual ? usualLimit : factor.units(in: most)
        var place = Place()
        if stops.paragraphs.isEmpty {
            let done = breakParagraph(
                of: stops, to: stops.count, stops.isRightToLeft, factor, limit, &place, &lines)
            if !done { lines.shrink(to: before) }
            return done
        }
        for paragraph in stops.paragraphs {
            guard breakParagraph(of: stops, to: paragraph.end, paragraph.isRightToLeft, factor, limit, &place, &lines)
            else {
                lines.shrink(to: before)
                return false
            }
        }
        return true
    }

    /// Where the next line begins.
    private struct Place {
        var stop = 0
        var base: Int32 = 0
        var start: Int32 = 0
    }

    @inline(__always)
    private func breakParagraph(
        of stops: borrowing Stops, to last: Int, _ isRightToLeft: Bool, _ factor: Factor, _ limit: Int32,
        _ place: inout Place, _ lines: inout LineBuffer
    ) -> Bool {
        let numbers = stops.numbers.span
        let bytes = unsafe numbers.bytes
        let pairs = stops.pairs
        precondition(last <= stops.count && pairs + 2 * stops.count <= numbers.count)
        let direction: LineTraits = isRightToLeft ? .rightToLeft : []
        while place.stop < last {
            let most = SIMD8<Int32>(repeating: place.base &+ limit)
            var fits = place.stop
            // Ends never decrease, so those that fit come first; what is read past the last stop is larger than any.
            while fits < last {
                let ends = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: fits &* 4, as: SIMD8<Int32>.self)
                let count = Int(0 &- (unsafe unsafeBitCast(ends .<= most, to: SIMD8<Int32>.self).wrappedSum()))
                fits &+= count
                if count < 8 { break }
            }
            fits = min(fits, last)
            if fits == place.stop { return false }
            let end = unsafe numbers[unchecked: fits &- 1]
            let next = unsafe numbers[unchecked: pairs &+ 2 &* fits &- 2]
            let offset = unsafe numbers[unchecked: pairs &+ 2 &* fits &- 1]
            let traits = fits == last ? direction.union(.lastOfParagraph) : direction
            lines.append(
                Line(start: place.start, end: offset, width: factor.pixels(max(0, end &- place.base)), traits: traits))
            place = Place(stop: fits, base: next, start: offset)
        }
        return true
    }
}
