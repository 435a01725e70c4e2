import Typography

/// A text broken at some room.
struct TextFit {
    var value: Int32
    var role: Int32
    var room: Int32
    var mostLines: Int32
    /// In the solver's buffer.
    var firstLine: Int32
    var lineCount: Int32
    /// Whole device pixels of the widest and of the last line.
    var widest: Int32
    var last: Int32
    var isLastRightToLeft: Bool
    var isAnyWrapped: Bool
    /// Lines that are not there because there are too many.
    var wasCut: Bool
    /// Where it was written down last, for which part, and how wide that was.
    var block: Int32 = -1
    var blockPart: Int32 = 0
    var blockWidth: Int32 = 0
}

extension Solver {
    mutating func fitText(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let place = broken(i, shape, at: room.pixels)
        let fit = fits[place]
        parts[i].fit = Int32(place)
        wasCut = fit.wasCut
        if fit.widest <= room.pixels { spare(room.pixels - fit.widest, room) } else { pin(room) }
        if fit.isAnyWrapped { wantsMore(room) }
        tail = tail(of: fit, i, shape, width: fit.widest)
        return fit.widest
    }

    mutating func placeText(_ i: Int, _ shape: Shape, _ x: Int32, _ width: Int32) -> Int32 {
        if shape.traits.contains(.follows) || parts[i].fit < 0 || fits[Int(parts[i].fit)].widest > width {
            parts[i].fit = Int32(broken(i, shape, at: width))
        }
        let fit = fits[Int(parts[i].fit)]
        wasCut = fit.wasCut
        tail = tail(of: fit, i, shape, width: width)
        return fit.lineCount * pitch(shape)
    }

    /// A last line that ends at the row's end, or runs the other way, leaves no room behind it; and a text without words
    /// has no line.
    private func tail(of fit: TextFit, _ i: Int, _ shape: Shape, width: Int32) -> Tail {
        let isOpen =
            shape.traits.isDisjoint(with: [.isBlock, .isAligned]) && !fit.wasCut && fit.lineCount > 0
            && fit.isLastRightToLeft == isMirrored
        return Tail(end: fit.last, isOpen: isOpen)
    }

    /// The lines of a text, broken now or for a variant before.
    private mutating func broken(_ i: Int, _ shape: Shape, at room: Int32) -> Int {
        let isCut = shape.mostLines > 0 && !(isExpanded && shape.traits.contains(.expands))
        let mostLines = isCut ? shape.mostLines : 0
        if let place = fit(of: shape, room: room, mostLines: mostLines, first: Int(parts[i].fit)) {
            if fits[place].wasCut, shape.traits.contains(.expands) { dependsOnState = true }
            return place
        }
        let breaker = breaker(shape, room: room)
        let first = lines.count
        texts.breakLines(of: Int(shape.value), breaker, into: &lines)
        var wasCut = false
        if mostLines > 0, lines.count - first > Int(mostLines) {
            if shape.traits.contains(.expands) { (dependsOnState, hasCut) = (true, true) }
            texts.cut(Int(shape.value), breaker, &lines, to: first + Int(mostLines))
            wasCut = true
        }
        var fit = TextFit(
            value: shape.value, role: shape.number, room: room, mostLines: mostLines, firstLine: Int32(first),
            lineCount: Int32(lines.count - first), widest: 0, last: 0, isLastRightToLeft: isMirrored,
            isAnyWrapped: wasCut, wasCut: wasCut)
        for place in first..<lines.count {
            let line = lines[place]
            fit.widest = max(fit.widest, line.width)
            if !line.traits.contains(.lastOfParagraph) { fit.isAnyWrapped = true }
        }
        if lines.count > first {
            let last = lines[lines.count - 1]
            fit.last = last.width.wholePixels
            fit.isLastRightToLeft = last.traits.contains(.rightToLeft)
        }
        fit.widest = fit.widest.wholePixels
        fits.append(fit)
        return fits.count - 1
    }
}

extension Solver {
    /// The same text broken before, most likely for this part.
    private func fit(of shape: Shape, room: Int32, mostLines: Int32, first: Int) -> Int? {
        func isIt(_ place: Int) -> Bool {
            fits[place].room == room && fits[place].value == shape.value && fits[place].role == shape.number
                && fits[place].mostLines == mostLines
        }
        if first >= 0, isIt(first) { return first }
        return (0..<fits.count).last(where: isIt)
    }
}

extension Int32 {
    /// The fewest whole device pixels that hold a length in 1/64. The line breaker grants a line 1/64 pixel more than its
    /// box has, and so does this: a line that fills its box must not make the message wider than its row.
    var wholePixels: Int32 { (self + 62) >> 6 }
}
