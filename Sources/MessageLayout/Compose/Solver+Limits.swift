import Bytes

/// A text in blocks, of which only so many lines are shown while the message is collapsed: those of all blocks count together.
/// The block in which the last of them falls is cut, and what comes behind it is left out.
extension Solver {
    mutating func fitLimitedStack(_ i: Int, _ room: Room) -> Lanes {
        let outer = linesLeft
        linesLeft = Lanes(repeating: shapes[i].mostLines)
        var (widest, isAnyLeftOut) = (Lanes(), LaneMask.none)
        var child = i + 1
        while child < Int(shapes[i].end) {
            parts[child].isLeftOut = isExpanded ? .none : live .& (linesLeft! .<= 0)
            isAnyLeftOut = isAnyLeftOut .| parts[child].isLeftOut
            let there = isThere(child)
            if there.isAny { widest = larger(widest, fit(child, room, where: there)) }
            child = Int(shapes[child].end)
        }
        let isCut = live .& (isAnyLeftOut .| (linesLeft! .< 0))
        linesLeft = outer
        wasCut = wasCut.replaced(by: isExpanded ? .none : isCut, where: live)
        if isCut.isAny {
            hasCut = true
            bulk.isOther = bulk.isOther .| isCut
            dependsOnState = dependsOnState .| isCut
            // Where more fits on a line, more is shown.
            wantsMore(room, where: isCut)
        }
        return widest
    }

    /// The lines of a text that counts in such a stack, which are as many as are left.
    mutating func breakWithinLimit(_ i: Int, at room: Lanes) {
        let left = linesLeft!
        brokenTexts[i].mostLines.set(Lanes(), where: live)
        breakText(i, at: room)
        let count = brokenTexts[i].lineCount
        let isCut = live .& (count .> left)
        if !isExpanded, isCut.isAny {
            brokenTexts[i].mostLines.set(larger(left, Lanes(repeating: 1)), where: isCut)
            let outer = live
            live = isCut
            breakText(i, at: room)
            live = outer
        }
        linesLeft!.set(left &- count, where: live)
    }
}
