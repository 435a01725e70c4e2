import Bytes
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
    var isAnyRightToLeft: Bool
    /// Lines that are not there because there are too many.
    var wasCut: Bool
    /// Where it was written down last, for which part, and how wide that was.
    var block: Int32 = -1
    var blockPart: Int32 = 0
    var blockWidth: Int32 = 0
}

extension Solver {
    @inline(__always)
    mutating func fitText(_ i: Int, _ room: Room) -> Int32 {
        let place =
            if let linesLeft, shapes[i].traits.contains(.expands) {
                brokenWithinLimit(i, at: room.pixels, left: linesLeft)
            } else {
                broken(i, at: room.pixels)
            }
        let widest = fits[place].widest
        parts[i].fit = Int32(truncatingIfNeeded: place)
        wasCut = fits[place].wasCut
        if widest <= room.pixels { spare(room.pixels - widest, room) } else { pin(room) }
        if fits[place].isAnyWrapped { wantsMore(room) }
        tail = tail(ofFit: place, i)
        return widest
    }

    @inline(__always)
    mutating func placeText(_ i: Int, _ width: Int32) -> Int32 {
        if shapes[i].traits.contains(.follows) || parts[i].fit < 0 || fits[Int(parts[i].fit)].widest > width {
            parts[i].fit = Int32(broken(i, at: width))
        }
        let place = Int(parts[i].fit)
        wasCut = fits[place].wasCut
        tail = tail(ofFit: place, i)
        return fits[place].lineCount * roles[firstRole + Int(shapes[i].number)].pitch
    }

    /// A last line that ends at the row's end, or runs the other way, leaves no room behind it; and a text without words
    /// has no line.
    @inline(__always)
    func tail(ofFit place: Int, _ i: Int) -> Tail {
        let isOpen =
            shapes[i].traits.isDisjoint(with: [.isBlock, .isAligned]) && !fits[place].wasCut
            && fits[place].lineCount > 0 && fits[place].isLastRightToLeft == isMirrored
        return Tail(end: fits[place].last, isOpen: isOpen)
    }

    /// The lines of a text, broken now or for a variant before.
    @inline(__always)
    mutating func broken(_ i: Int, at room: Int32) -> Int {
        let most = parts[i].mostLines > 0 ? parts[i].mostLines : shapes[i].mostLines
        let isCut = most > 0 && !(isExpanded && shapes[i].traits.contains(.expands))
        let mostLines = isCut ? most : 0
        var place = Int(parts[i].fit)
        if place < 0 || !fits[place].serves(shapes[i], room, mostLines) { place = find(i, room, mostLines) }
        if fits[place].wasCut, shapes[i].traits.contains(.expands) { dependsOnState = true }
        return place
    }

    @inline(never)
    private mutating func find(_ i: Int, _ room: Int32, _ mostLines: Int32) -> Int {
        var place = fits.count - 1
        while place >= 0, !fits[place].serves(shapes[i], room, mostLines) { place -= 1 }
        return place < 0 ? breakAnew(shapes[i], at: room, mostLines) : place
    }

    private mutating func breakAnew(_ shape: Shape, at room: Int32, _ mostLines: Int32) -> Int {
        let breaker = roles[role(shape)].breaker.withBox(room << 6)
        let first = lines.count
        texts.breakLines(of: Int(shape.value), breaker, into: &lines)
        var wasCut = false
        if mostLines > 0, lines.count - first > Int(mostLines) {
            if shape.traits.contains(.expands) { (dependsOnState, hasCut) = (true, true) }
            texts.cut(Int(shape.value), breaker, &lines, to: first + Int(mostLines))
            wasCut = true
        }
        let extent = lines.extent(from: first)
        var fit = TextFit(
            value: shape.value, role: shape.number, room: room, mostLines: mostLines, firstLine: Int32(first),
            lineCount: Int32(lines.count - first), widest: extent.widest.wholePixels, last: 0,
            isLastRightToLeft: isMirrored, isAnyWrapped: wasCut || extent.isAnyWrapped,
            isAnyRightToLeft: extent.isAnyRightToLeft, wasCut: wasCut)
        if lines.count > first {
            let last = lines[lines.count - 1]
            fit.last = last.width.wholePixels
            fit.isLastRightToLeft = last.traits.contains(.rightToLeft)
        }
        fits.append(fit)
        return fits.count - 1
    }
}

extension TextFit {
    /// Whether these are the lines of a text in some room: they were broken for it, or nothing had to be.
    @inline(__always)
    fileprivate func serves(_ shape: Shape, _ room: Int32, _ mostLines: Int32) -> Bool {
        (self.room == room || !isAnyWrapped && widest <= room) && value == shape.value && role == shape.number
            && self.mostLines == mostLines
    }
}

extension Int32 {
    /// The fewest whole device pixels that hold a length in 1/64. The line breaker grants a line 1/64 pixel more than its
    /// box has, and so does this: a line that fills its box must not make the message wider than its row.
    var wholePixels: Int32 { (self + 62) >> 6 }
}
