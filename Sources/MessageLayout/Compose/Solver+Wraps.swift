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
        var (left, top, height) = (x, y, Lanes())
        forEachPart(in: i) { solver, child, there in
            let own = smaller(solver.parts[child].fitted, width)
            let wraps = there .& (left .> x) .& (left &+ own .> x &+ width)
            left.set(x, where: wraps)
            top.set(top &+ height &+ lineGap, where: wraps)
            height.set(Lanes(), where: wraps)
            height = larger(height, solver.place(child, left, top, own, where: there))
            left &+= (own &+ gap).kept(there)
        }
        tail = TextEnd(end: larger(left &- gap &- x, Lanes()), isOpen: left .> x)
        return top &+ height &- y
    }

    mutating func fitGrid(_ i: Int, _ room: Room) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        let columns = columns(i)
        let gaps = gap &* (columns &- 1)
        let cell = Room(pixels: larger(room.pixels &- gaps, Lanes()) / columns, isElastic: .none)
        var widest = Lanes()
        forEachPart(in: i) { widest = larger(widest, $0.fit($1, cell, where: $2)) }
        tail = .none
        account.pin(room)
        return widest &* columns &+ gaps
    }

    /// What does not divide goes to the first columns, a pixel each.
    mutating func placeGrid(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let (gap, lineGap) = (pixels(shapes[i].lengths.a), pixels(shapes[i].lengths.b))
        let columns = columns(i)
        let room = larger(width &- gap &* (columns &- 1), Lanes())
        let share = room / columns
        let rest = room &- share &* columns
        var (column, left, top, height, first) = (Lanes(), x, y, Lanes(), Lanes(repeating: Int32(i + 1)))
        forEachPart(in: i) { solver, child, there in
            let wraps = there .& (column .== columns)
            if wraps.isAny {
                solver.parts.stretch(i + 1..<child, from: first, to: height, solver.shapes, where: wraps)
                left.set(x, where: wraps)
                top.set(top &+ height &+ lineGap, where: wraps)
                column.set(Lanes(), where: wraps)
                height.set(Lanes(), where: wraps)
                first.set(Int32(child), where: wraps)
            }
            let own = share &- (column .< rest).numbers
            height = larger(height, solver.place(child, left, top, own, where: there))
            left &+= (own &+ gap).kept(there)
            column &-= there.numbers
        }
        parts.stretch(i + 1..<Int(shapes[i].end), from: first, to: height, shapes, where: live)
        tail = .none
        return top &+ height &- y
    }

    /// Columns that a grid has: no more than there are parts in it.
    private mutating func columns(_ i: Int) -> Lanes {
        var count = Lanes()
        forEachPart(in: i) { count &-= $2.numbers }
        return larger(smaller(count, Lanes(repeating: shapes[i].number)), Lanes(repeating: 1))
    }
}
