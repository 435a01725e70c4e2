import Bytes

/// Texts, and stacks of texts that show a limited number of lines.
extension Solver {
    mutating func fitText(_ i: Int, _ room: Room) -> Lanes {
        if linesLeft != nil, shapes[i].traits.contains(.expands) {
            breakWithinLimit(i, at: room.pixels)
        } else {
            breakText(i, at: room.pixels, where: live)
        }
        account.spare(room.pixels &- texts.broken[i].least, room)
        account.wantsMore(room, where: texts.broken[i].isWrapped)
        finishText(i)
        return texts.broken[i].widest
    }

    mutating func placeText(_ i: Int, _ width: Lanes) -> Lanes {
        let isOther =
            shapes[i].traits.contains(.follows)
            ? live : live .& (.!texts.broken[i].isKnown .| (texts.broken[i].widest .> width))
        if isOther.isAny { breakText(i, at: width, where: isOther) }
        finishText(i)
        return texts.broken[i].lineCount &* screens.pitch(shapes[i].number, in: group)
    }

    @inline(__always)
    private mutating func finishText(_ i: Int) {
        wasCut = wasCut.replaced(by: texts.broken[i].wasCut, where: live)
        tail = texts.broken[i].tail(below: screens.descent(shapes[i].number, in: group))
    }

    /// Breaks a text, unless that was done for this room, now or for an earlier variant.
    @inline(__always)
    private mutating func breakText(_ i: Int, at room: Lanes, where mask: LaneMask) {
        let expands = shapes[i].traits.contains(.expands)
        let hasLimit = (shapes[i].mostLines > 0 || hasLimits) && !(isExpanded && expands)
        texts.take(i, shapes[i], room, hasLimit: hasLimit, where: mask, screens, in: group)
        if expands { account.dependsOnState = account.dependsOnState .| (mask .& texts.broken[i].wasCut) }
    }

    /// Fits a text in blocks that shows a limited number of lines while the message is collapsed: the lines of all
    /// blocks count together. The block with the last of these lines is cut, and the blocks behind it are left out.
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
        settleTail(i)
        let isCut = live .& (isAnyLeftOut .| (linesLeft! .< 0))
        linesLeft = outer
        wasCut = wasCut.replaced(by: isExpanded ? .none : isCut, where: live)
        if isCut.isAny {
            texts.noteCut(where: isCut)
            account.dependsOnState = account.dependsOnState .| isCut
            // Where more fits on a line, more is shown.
            account.wantsMore(room, where: isCut)
        }
        return widest
    }

    /// Breaks a text of such a stack into no more lines than are left.
    private mutating func breakWithinLimit(_ i: Int, at room: Lanes) {
        let left = linesLeft!
        texts.broken[i].mostLines.set(Lanes(), where: live)
        breakText(i, at: room, where: live)
        let count = texts.broken[i].lineCount
        let isCut = live .& (count .> left)
        if !isExpanded, isCut.isAny {
            texts.broken[i].mostLines.set(larger(left, Lanes(repeating: 1)), where: isCut)
            breakText(i, at: room, where: isCut)
        }
        linesLeft!.set(left &- count, where: live)
    }
}
