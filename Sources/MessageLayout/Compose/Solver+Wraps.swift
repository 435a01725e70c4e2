import Bytes

/// Parts that go on below where a line is full, and parts in columns.
extension Solver {
    mutating func fitFlow(_ i: Int, _ room: Room) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        var (line, widest) = (Lanes(), Lanes())
        forEachPart(in: i) { solver, child, there in
            let own = solver.fit(child, room, where: there)
            let isBegun = line .> 0
            let beside = line &+ gap.kept(isBegun) &+ own
            let wraps = there .& isBegun .& (beside .> room.pixels)
            solver.account.wantsMore(room, where: wraps)
            line.set(beside.replacing(with: own, where: wraps), where: there)
            widest = larger(widest, line)
        }
        tail = TextEnd(end: line, isOpen: line .> 0)
        account.compare(widest, with: room)
        return widest
    }

    mutating func placeFlow(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let (gap, lineGap) = (pixels(shapes[i].lengths.a), pixels(shapes[i].lengths.b))
        var lines = FlowLines(shapes[i], from: i + 1, x, y, width, gap: gap, lineGap: lineGap)
        forEachPart(in: i) { solver, child, there in
            let own = smaller(solver.parts[child].fitted, width)
            lines.wrap(child, own, in: i, &solver.parts, where: there)
            let height = solver.place(child, lines.left, lines.top, own, where: there)
            lines.take(own, high: height, solver.tail, where: there)
        }
        tail = lines.tail(i + 1..<Int(shapes[i].end), &parts)
        return lines.height
    }

    /// Fits a grid: as many columns as there are cells, then half of these, and so on while the cells are wider than
    /// the room, would break a word, or would cut lines.
    mutating func fitGrid(_ i: Int, _ room: Room) -> Lanes {
        var columns = larger(smaller(count(in: i), Lanes(repeating: shapes[i].number)), Lanes(repeating: 1))
        while true {
            let gaps = pixels(shapes[i].lengths.a) &* (columns &- 1)
            let cell = Room(pixels: larger(room.pixels &- gaps, Lanes()) / columns, isElastic: .none)
            var (widest, isTorn) = (Lanes(), LaneMask.none)
            forEachPart(in: i) { solver, child, there in
                widest = larger(widest, solver.fit(child, cell, where: there))
                isTorn = isTorn .| solver.texts.isTorn(in: child, solver.shapes, where: there)
            }
            let width = widest &* columns &+ gaps
            guard let fewer = columns.halved(where: live .& (isTorn .| (width .> room.pixels))) else {
                parts[i].columns.set(columns, where: live)
                tail = .none
                account.pin(room)
                return width
            }
            columns = fewer
        }
    }

    /// Places a grid. Pixels that do not divide go to the first columns, one each.
    mutating func placeGrid(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let (gap, lineGap) = (pixels(shapes[i].lengths.a), pixels(shapes[i].lengths.b))
        let columns = parts[i].columns
        let room = larger(width &- gap &* (columns &- 1), Lanes())
        let share = room / columns
        let rest = room &- share &* columns
        var (lines, column, first) = (PartLines(x, y), Lanes(), Lanes(repeating: Int32(i + 1)))
        forEachPart(in: i) { solver, child, there in
            let wraps = there .& (column .== columns)
            if wraps.isAny {
                solver.parts.stretch(i + 1..<child, from: first, to: lines.lineHeight, solver.shapes, where: wraps)
                lines.wrap(gap: lineGap, where: wraps)
                column.set(Lanes(), where: wraps)
                first.set(Int32(child), where: wraps)
            }
            let own = share &- (column .< rest).numbers
            let height = solver.place(child, lines.left, lines.top, own, where: there)
            lines.take(own, high: height, gap: gap, where: there)
            column &-= there.numbers
        }
        parts.stretch(i + 1..<Int(shapes[i].end), from: first, to: lines.lineHeight, shapes, where: live)
        tail = .none
        return lines.height
    }
}

extension SIMD16<Int32> {
    /// Half as many columns where there are too many, and more than one; nil if that is nowhere.
    fileprivate func halved(where isTooMany: LaneMask) -> Lanes? {
        let mask = isTooMany .& (self .> 1)
        return mask.isAny ? replacing(with: (self &+ Lanes(repeating: 1)).half, where: mask) : nil
    }
}
