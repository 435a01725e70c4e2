import Bytes

/// A text in blocks, of which only so many lines are shown while the message is collapsed: those of all blocks count together.
/// The block in which the last of them falls is cut, and what comes behind it is left out.
extension Solver {
    mutating func fitLimitedStack(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let outer = linesLeft
        linesLeft = shape.mostLines
        var (widest, isAnyLeftOut) = (Int32(0), false)
        var child = i + 1
        while child < Int(shape.end) {
            parts[child].isLeftOut = !isExpanded && linesLeft! <= 0
            if parts[child].isLeftOut {
                isAnyLeftOut = true
            } else if isThere(child) {
                widest = max(widest, fit(child, room))
            }
            child = Int(shapes[child].end)
        }
        let isCut = isAnyLeftOut || linesLeft! < 0
        linesLeft = outer
        wasCut = isCut && !isExpanded
        if isCut {
            (dependsOnState, hasCut) = (true, true)
            // Where more fits on a line, more is shown.
            wantsMore(room)
        }
        return widest
    }

    /// The lines of a text that counts in such a stack, which are as many as are left.
    mutating func brokenWithinLimit(_ i: Int, at room: Int32, left: Int32) -> Int {
        parts[i].mostLines = 0
        var place = broken(i, at: room)
        let count = fits[place].lineCount
        if !isExpanded, count > left {
            parts[i].mostLines = max(1, left)
            place = broken(i, at: room)
        }
        linesLeft = left - count
        return place
    }
}
