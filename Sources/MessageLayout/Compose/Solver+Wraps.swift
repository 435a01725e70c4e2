import Bytes

/// Parts that go on below where a row is full, and parts in columns.
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
        var lines = PartLines(x, y)
        forEachPart(in: i) { solver, child, there in
            let own = smaller(solver.parts[child].fitted, width)
            lines.wrap(gap: lineGap, where: there .& (lines.left .> x) .& (lines.left &+ own .> x &+ width))
            let height = solver.place(child, lines.left, lines.top, own, where: there)
            lines.take(own, high: height, gap: gap, where: there)
        }
        tail = TextEnd(end: larger(lines.left &- gap &- x, Lanes()), isOpen: lines.left .> x)
        return lines.height
    }

    mutating func fitGrid(_ i: Int, _ room: Room) -> Lanes {
        var columns = columns(i)
        while true {
            let gaps = pixels(shapes[i].lengths.a) &* (columns &- 1)
            let cell = Room(pixels: larger(room.pixels &- gaps, Lanes()) / columns, isElastic: .none)
            var widest = Lanes()
            forEachPart(in: i) { widest = larger(widest, $0.fit($1, cell, where: $2)) }
            let width = widest &* columns &+ gaps
            guard let fewer = columns.halved(where: live .& (width .> room.pixels)) else {
                tail = .none
                account.pin(room)
                return width
            }
            columns = fewer
        }
    }

    /// What does not divide goes to the first columns, a pixel each.
    mutating func placeGrid(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let (gap, lineGap) = (pixels(shapes[i].lengths.a), pixels(shapes[i].lengths.b))
        // As many as were fitted: cells that were wide in fewer columns are so in more.
        var (columns, widest) = (columns(i), Lanes())
        forEachPart(in: i) { widest = larger(widest, $0.parts[$1].fitted.kept($2)) }
        while let fewer = columns.halved(where: live .& (widest &* columns &+ gap &* (columns &- 1) .> width)) {
            columns = fewer
        }
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

    /// Columns that a grid has: no more than there are parts in it.
    private mutating func columns(_ i: Int) -> Lanes {
        larger(smaller(count(in: i), Lanes(repeating: shapes[i].number)), Lanes(repeating: 1))
    }
}

extension SIMD16<Int32> {
    /// Half as many columns, where they are too many and more than one; nil if that is nowhere.
    fileprivate func halved(where isTooMany: LaneMask) -> Lanes? {
        let mask = isTooMany .& (self .> 1)
        return mask.isAny ? replacing(with: (self &+ Lanes(repeating: 1)).half, where: mask) : nil
    }
}
