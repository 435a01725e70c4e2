import Bytes

/// Parts that go on below where a row is full, and parts in columns.
extension Solver {
    mutating func fitFlow(_ i: Int, _ room: Room) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        var (line, widest) = (Lanes(), Lanes())
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny {
                let own = fit(child, room, where: there)
                let isBegun = line .> 0
                let beside = line &+ gap.kept(isBegun) &+ own
                let wraps = there .& isBegun .& (beside .> room.pixels)
                wantsMore(room, where: wraps)
                line.set(beside.replacing(with: own, where: wraps), where: there)
                widest = larger(widest, line)
            }
            child = Int(shapes[child].end)
        }
        tail = Tail(end: line, isOpen: line .> 0)
        compare(widest, with: room)
        return widest
    }

    mutating func placeFlow(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let (gap, lineGap) = (pixels(shapes[i].lengths.a), pixels(shapes[i].lengths.b))
        var (left, top, height) = (x, y, Lanes())
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny {
                let own = smaller(parts[child].fitted, width)
                let wraps = there .& (left .> x) .& (left &+ own .> x &+ width)
                left.set(x, where: wraps)
                top.set(top &+ height &+ lineGap, where: wraps)
                height.set(Lanes(), where: wraps)
                height = larger(height, place(child, left, top, own, where: there))
                left &+= (own &+ gap).kept(there)
            }
            child = Int(shapes[child].end)
        }
        tail = Tail(end: larger(left &- gap &- x, Lanes()), isOpen: left .> x)
        return top &+ height &- y
    }

    mutating func fitGrid(_ i: Int, _ room: Room) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        let columns = columns(i)
        let gaps = gap &* (columns &- 1)
        let cell = Room(pixels: larger(room.pixels &- gaps, Lanes()) / columns, isElastic: .none)
        var widest = Lanes()
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny { widest = larger(widest, fit(child, cell, where: there)) }
            child = Int(shapes[child].end)
        }
        tail = .none
        pin(room)
        return widest &* columns &+ gaps
    }

    /// What does not divide goes to the first columns, a pixel each.
    mutating func placeGrid(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let (gap, lineGap) = (pixels(shapes[i].lengths.a), pixels(shapes[i].lengths.b))
        let columns = columns(i)
        let room = larger(width &- gap &* (columns &- 1), Lanes())
        let share = room / columns
        let rest = room &- share &* columns
        var (column, left, top, height) = (Lanes(), x, y, Lanes())
        var first = Lanes(repeating: Int32(i + 1))
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny {
                let wraps = there .& (column .== columns)
                if wraps.isAny {
                    stretch(i, from: first, to: child, height, where: wraps)
                    left.set(x, where: wraps)
                    top.set(top &+ height &+ lineGap, where: wraps)
                    column.set(Lanes(), where: wraps)
                    height.set(Lanes(), where: wraps)
                    first.set(Lanes(repeating: Int32(child)), where: wraps)
                }
                let own = share &- (column .< rest).numbers
                height = larger(height, place(child, left, top, own, where: there))
                left &+= (own &+ gap).kept(there)
                column &-= there.numbers
            }
            child = Int(shapes[child].end)
        }
        stretch(i, from: first, to: Int(shapes[i].end), height, where: live)
        tail = .none
        return top &+ height &- y
    }

    /// The cells of a row are equally high.
    private mutating func stretch(_ i: Int, from first: Lanes, to end: Int, _ height: Lanes, where mask: LaneMask) {
        var child = i + 1
        while child < end {
            let isLower =
                mask .& (first .<= Int32(child)) .& parts[child].isPresent .& (parts[child].height .< height)
            if isLower.isAny {
                let left = (height &- parts[child].height).kept(isLower)
                for inside in child + 1..<max(child + 1, Int(shapes[child].end)) { parts[inside].top &+= left.half }
                parts[child].height &+= left
            }
            child = Int(shapes[child].end)
        }
    }

    /// Columns that a grid has: no more than there are parts in it.
    private mutating func columns(_ i: Int) -> Lanes {
        var count = Lanes()
        var child = i + 1
        while child < Int(shapes[i].end) {
            count &-= isThere(child).numbers
            child = Int(shapes[child].end)
        }
        return larger(smaller(count, Lanes(repeating: shapes[i].number)), Lanes(repeating: 1))
    }
}
