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

    /// A line that something stands above is not the only one.
    mutating func settleTail(_ i: Int) {
        guard tail.isTurned.isAny else { return }
        var count = Lanes()
        forEachPart(in: i) { count &-= $2.numbers }
        tail.isTurned = tail.isTurned .& (count .== 1)
    }

    mutating func placeStack(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        var bottom = y
        var isBegun = LaneMask.none
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny {
                bottom &+= gap.kept(there .& isBegun)
                isBegun = isBegun .| there
                let own = finalWidth(child, in: width)
                let offset = shapes[child].alignment.offset(of: own, in: width)
                bottom &+= place(child, x &+ offset, bottom, own, where: there)
                if shapes[child].alignment != .stretch && shapes[child].alignment != .start {
                    tail.end &+= offset.kept(there)
                    if shapes[child].alignment == .end { tail.set(.none, where: there .& (own .< width)) }
                }
            }
            if hasLimits { wasCut = wasCut .| (live .& parts[child].isLeftOut .& .!there) }
            child = Int(shapes[child].end)
        }
        settleTail(i)
        return bottom &- y
    }

    /// Those with a width of their own come first; the one that takes the rest is fitted into what they leave.
    mutating func fitRow(_ i: Int, _ room: Room) -> Lanes {
        var (rest, count) = (Lanes(repeating: -1), Lanes())
        forEachPart(in: i) { solver, child, there in
            count &-= there.numbers
            if solver.shapes[child].traits.contains(.takesRest) { rest.set(Int32(child), where: there) }
        }
        var used = pixels(shapes[i].lengths.a) &* larger(count &- 1, Lanes())
        let hasRest = rest .>= 0
        forEachPart(in: i) { solver, child, there in
            let isBefore = hasRest.isAny ? there .& (rest .!= Int32(child)) : there
            if isBefore.isAny { used &+= solver.fit(child, room.less(used), where: isBefore) }
        }
        var last = hasRest.isAny ? i + 1 : Int(shapes[i].end)
        while last < Int(shapes[i].end) {
            let isLast = live .& (rest .== Int32(last))
            if isLast.isAny { used &+= fit(last, room.less(used), where: isLast) }
            last = Int(shapes[last].end)
        }
        tail = .none
        account.compare(used, with: room)
        return used
    }

    mutating func placeRow(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        var (others, count, left, height) = (Lanes(), Lanes(), x, Lanes())
        forEachPart(in: i) { solver, child, there in
            count &-= there.numbers
            if !solver.shapes[child].traits.contains(.takesRest) { others &+= solver.parts[child].fitted.kept(there) }
        }
        others &+= gap &* larger(count &- 1, Lanes())
        forEachPart(in: i) { solver, child, there in
            let takesRest = solver.shapes[child].traits.contains(.takesRest)
            let own = takesRest ? larger(width &- others, Lanes()) : solver.parts[child].fitted
            height = larger(height, solver.place(child, left, y, own, where: there))
            left &+= (own &+ gap).kept(there)
        }
        tail = .none
        parts.align(i + 1..<Int(shapes[i].end), to: height, shapes, where: live)
        // A row that turns begins where its text does: what stands before words of the other direction stays beside them.
        if shapes[i].number == 1, let text = shapes.textOfRest(in: i) {
            let turned = texts.beginsOtherWay(text, screens.isMirrored(in: group), where: live .& isThere(text))
            parts.mirror(i + 1..<Int(shapes[i].end), in: width, from: x, shapes, where: turned)
            parts.turnOverlaid(in: i, shapes, where: turned)
        }
        return height
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
        tail.close(where: there .& (bottom .> 0))
        return top &+ height &+ bottom
    }
}
