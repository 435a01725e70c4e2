import Bytes

/// Parts below and beside each other.
extension Solver {
    mutating func fitStack(_ i: Int, _ room: Room) -> Lanes {
        if shapes[i].mostLines > 0 { return fitLimitedStack(i, room) }
        var widest = Lanes()
        forEachPart(in: i) { widest = larger(widest, $0.fit($1, room, where: $2)) }
        settleTail(i)
        return widest
    }

    /// Clears `isTurned` in a stack of several parts: a line below another part is not the only one.
    mutating func settleTail(_ i: Int) {
        if tail.isTurned.isAny { tail.isTurned = tail.isTurned .& (count(in: i) .== 1) }
    }

    /// Number of parts that are there.
    mutating func count(in i: Int) -> Lanes {
        var count = Lanes()
        forEachPart(in: i) { count &-= $2.numbers }
        return count
    }

    mutating func placeStack(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        var (bottom, isBegun, child) = (y, LaneMask.none, i + 1)
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny {
                bottom &+= gap.kept(there .& isBegun)
                isBegun = isBegun .| there
                let own = finalWidth(child, in: width)
                let offset = shapes[child].alignment.offset(of: own, in: width)
                bottom &+= place(child, x &+ offset, bottom, own, where: there)
                tail.end &+= offset.kept(there)
                if shapes[child].alignment == .end { tail.close(where: there .& (own .< width)) }
            }
            if hasLimits { wasCut = wasCut .| (live .& parts[child].isLeftOut .& .!there) }
            child = Int(shapes[child].end)
        }
        settleTail(i)
        return bottom &- y
    }

    /// Fits the parts with a width of their own first, then the one that takes the rest into the room that they leave.
    mutating func fitRow(_ i: Int, _ room: Room) -> Lanes {
        if shapes.yields(i) { parts.take(in: i, shapes, where: live) }
        var used = pixels(shapes[i].lengths.a) &* larger(count(in: i) &- 1, Lanes())
        forEachPart(in: i) { solver, child, there in
            if solver.shapes[child].traits.contains(.takesRest) { return }
            used &+= solver.fit(child, room.less(used), where: there)
        }
        tail = .none
        forEachPart(in: i) { solver, child, there in
            guard solver.shapes[child].traits.contains(.takesRest) else { return }
            let others = used
            used = solver.fitRest(child, of: i, behind: used, room, where: there)
            solver.tail.end &+= others
        }
        tail.leave(shapes, row: i)
        account.compare(used, with: room)
        return used
    }

    /// Fits the part that takes the rest of a row: the whole row where the others leave too little and stand below.
    ///
    /// - Returns: the width of the row.
    private mutating func fitRest(
        _ rest: Int, of i: Int, behind used: Lanes, _ room: Room, where there: LaneMask
    ) -> Lanes {
        var left = room.less(used)
        var own = fit(rest, left, where: there)
        let least = shapes[i].lengths.c
        let isTight = least == .zero ? .none : account.lacks(pixels(least), of: left, where: there .& (used .> 0))
        guard isTight.isAny else { return used &+ own }
        left.pixels.set(room.pixels, where: isTight)
        own = fit(rest, left, where: there)
        let isBelow = isTight .& (own .> larger(room.pixels &- used, Lanes()))
        if shapes.yields(i) { parts.leaveOut(in: i, shapes, where: isBelow) }
        let others = shapes.yields(i) ? Lanes() : used &- pixels(shapes[i].lengths.a)
        return (used &+ own).replacing(with: larger(others, own), where: isBelow)
    }

    mutating func placeRow(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        var (others, lines) = (gap &* larger(count(in: i) &- 1, Lanes()), PartLines(x, y))
        forEachPart(in: i) { solver, child, there in
            if !solver.shapes[child].traits.contains(.takesRest) { others &+= solver.parts[child].fitted.kept(there) }
        }
        // Beside the others there would not be as much room as the first part was fitted to.
        let isBelow =
            shapes[i].lengths.c == .zero
            ? .none : isThere(i + 1) .& (others .> 0) .& (parts[i + 1].fitted .> width &- others)
        let rest = larger(width &- others, Lanes()).replacing(with: width &- others, where: isBelow)
        var end = RowEnd(shapes, i)
        forEachPart(in: i) { solver, child, there in
            let takesRest = solver.shapes[child].traits.contains(.takesRest)
            let step = takesRest ? rest : solver.parts[child].fitted
            let own = takesRest ? rest.replacing(with: width, where: isBelow) : step
            let height = solver.place(child, lines.left, lines.top, own, where: there)
            end.take(solver.tail, of: child, at: lines.left &- x, high: height, where: there)
            lines.take(step, high: height, gap: gap, where: there)
            if takesRest { lines.end(gap: Lanes(), where: isBelow) }
        }
        tail = end.tail(shapes, high: lines.lineHeight, isBelow)
        let second = isBelow.isAny ? Int(shapes[i + 1].end) : i + 1
        parts.align(i + 1..<second, to: lines.lineHeight, shapes, where: live .& .!isBelow)
        parts.align(second..<Int(shapes[i].end), to: lines.lineHeight, shapes, where: live)
        // A row that turns begins where its text begins: a part before words of the other direction stays beside them.
        if shapes[i].number == 1, let text = shapes.textOfRest(in: i) {
            let turned = texts.beginsOtherWay(text, screens.isMirrored(in: group), where: live .& isThere(text))
            parts.turn(row: i, in: width, from: x, texts, shapes, where: turned)
            tail.close(where: turned)
        }
        return lines.height
    }

    mutating func fitInset(_ i: Int, _ room: Room) -> Lanes {
        let sides = shapes[i].lengths
        let around = pixels(sides.b) &* Lanes(repeating: shapes[i].number) &+ pixels(sides.d)
        let there = isThere(i + 1)
        guard there.isAny else { return around }
        let width = fit(i + 1, room.less(around), where: there)
        tail.end &+= around.kept(there)
        if sides.c != .zero { tail.close(where: there) }
        return width &+ around
    }

    mutating func placeInset(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let sides = shapes[i].lengths
        let (top, start) = (pixels(sides.a), pixels(sides.b) &* Lanes(repeating: shapes[i].number))
        let (bottom, end) = (pixels(sides.c), pixels(sides.d))
        let there = isThere(i + 1)
        guard there.isAny else { return top &+ bottom }
        let inside = larger(width &- start &- end, Lanes())
        let own = finalWidth(i + 1, in: inside)
        let left = x &+ start &+ shapes[i + 1].alignment.offset(of: own, in: inside)
        let height = place(i + 1, left, y &+ top, own, where: there)
        if sides.b != sides.d, let text = shapes.turningText(in: i) {
            let turned = texts.beginsOtherWay(text, screens.isMirrored(in: group), where: live .& isThere(text))
            parts.shift(i + 1..<Int(shapes[i + 1].end), (end &- start).kept(turned), Lanes())
        }
        tail.end &+= (start &+ end).kept(there)
        tail.lift(inBoxBy: bottom, where: there)
        tail.close(where: there .& (bottom .> 0))
        return top &+ height &+ bottom
    }
}
