import Bytes

/// Parts below and beside each other.
extension Solver {
    mutating func fitStack(_ i: Int, _ room: Room) -> Lanes {
        if shapes[i].mostLines > 0 { return fitLimitedStack(i, room) }
        var widest = Lanes()
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny { widest = larger(widest, fit(child, room, where: there)) }
            child = Int(shapes[child].end)
        }
        return widest
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
                let offset = offset(child, of: own, in: width)
                bottom &+= place(child, x &+ offset, bottom, own, where: there)
                if shapes[child].alignment != .stretch && shapes[child].alignment != .start {
                    tail.end &+= offset.kept(there)
                    if shapes[child].alignment == .end { tail.set(.none, where: there .& (own .< width)) }
                }
            }
            if hasLimits { wasCut = wasCut .| (live .& parts[child].isLeftOut .& .!there) }
            child = Int(shapes[child].end)
        }
        return bottom &- y
    }

    /// Those with a width of their own come first; the one that takes the rest is fitted into what they leave.
    mutating func fitRow(_ i: Int, _ room: Room) -> Lanes {
        var rest = Lanes(repeating: -1)
        var takesRest = false
        var count = Lanes()
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            count &-= there.numbers
            if shapes[child].traits.contains(.takesRest), there.isAny {
                takesRest = true
                rest.set(Lanes(repeating: Int32(child)), where: there)
            }
            child = Int(shapes[child].end)
        }
        var used = pixels(shapes[i].lengths.a) &* larger(count &- 1, Lanes())
        child = i + 1
        while child < Int(shapes[i].end) {
            var there = isThere(child)
            if takesRest { there = there .& (rest .!= Int32(child)) }
            if there.isAny { used &+= fit(child, room.less(used), where: there) }
            child = Int(shapes[child].end)
        }
        child = takesRest ? i + 1 : Int(shapes[i].end)
        while child < Int(shapes[i].end) {
            let there = live .& (rest .== Int32(child))
            if there.isAny { used &+= fit(child, room.less(used), where: there) }
            child = Int(shapes[child].end)
        }
        tail = .none
        compare(used, with: room)
        return used
    }

    mutating func placeRow(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let gap = pixels(shapes[i].lengths.a)
        var (others, count) = (Lanes(), Lanes())
        var takesRest = false
        var child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            count &-= there.numbers
            if shapes[child].traits.contains(.takesRest) {
                takesRest = true
            } else {
                others &+= parts[child].fitted.kept(there)
            }
            child = Int(shapes[child].end)
        }
        if takesRest { others &+= gap &* larger(count &- 1, Lanes()) }
        var (left, height) = (x, Lanes())
        child = i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny {
                let own =
                    shapes[child].traits.contains(.takesRest)
                    ? larger(width &- others, Lanes()) : parts[child].fitted
                height = larger(height, place(child, left, y, own, where: there))
                left &+= (own &+ gap).kept(there)
            }
            child = Int(shapes[child].end)
        }
        tail = .none
        alignRow(i, height)
        if shapes[i].number == 1 { turnRow(i, x, width) }
        return height
    }

    /// A row that turns begins where its text does: what stands before words of the other direction stays beside them. The text is the
    /// first one of the part that takes the rest.
    private mutating func turnRow(_ i: Int, _ x: Lanes, _ width: Lanes) {
        guard let text = textOfRest(in: i) else { return }
        var turned = LaneMask.none
        for lane in (live .& isThere(text)).lanes {
            let fit = fits[Int(brokenTexts[text].fit[lane])]
            turned[lane] = fit.lineCount > 0 && fit.isLastRightToLeft != isMirrored[lane]
        }
        guard turned.isAny else { return }
        var child = i + 1
        while child < Int(shapes[i].end) {
            let before = parts[child].left &- x
            shift(child, (width &- parts[child].width &- before &- before).kept(turned .& isThere(child)), Lanes())
            child = Int(shapes[child].end)
        }
    }

    private func textOfRest(in i: Int) -> Int? {
        var child = i + 1
        while child < Int(shapes[i].end) {
            if shapes[child].traits.contains(.takesRest) {
                return (child..<Int(shapes[child].end)).first { shapes[$0].operation == .text }
            }
            child = Int(shapes[child].end)
        }
        return nil
    }

    /// In a row, alignment is about heights. What is stretched grows downward: what is in it stays at the top.
    private mutating func alignRow(_ i: Int, _ height: Lanes) {
        var child = i + 1
        while child < Int(shapes[i].end) {
            let isLower = parts[child].isPresent .& live .& (parts[child].height .< height)
            if isLower.isAny {
                let left = (height &- parts[child].height).kept(isLower)
                switch shapes[child].alignment {
                case .stretch where shapes[child].operation.isStretchable: parts[child].height &+= left
                case .stretch, .start: break
                case .center: shift(child, Lanes(), left.half)
                case .end: shift(child, Lanes(), left)
                }
            }
            child = Int(shapes[child].end)
        }
    }

    mutating func fitInset(_ i: Int, _ room: Room) -> Lanes {
        let sides = shapes[i].lengths
        let around = pixels(sides.b) &* Lanes(repeating: shapes[i].number) &+ pixels(sides.d)
        let there = isThere(i + 1)
        guard there.isAny else { return around }
        let width = fit(i + 1, room.less(around), where: there)
        tail.end &+= around.kept(there)
        if sides.c != .zero { tail.isOpen = tail.isOpen .& .!there }
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
        let left = x &+ start &+ offset(i + 1, of: own, in: inside)
        let height = place(i + 1, left, y &+ top, own, where: there)
        tail.end &+= (start &+ end).kept(there)
        tail.isOpen = tail.isOpen .& .!(there .& (bottom .> 0))
        return top &+ height &+ bottom
    }
}

extension Shape.Operation {
    /// Texts and pictures are as high as they are.
    fileprivate var isStretchable: Bool {
        switch self {
        case .stack, .row, .flow, .grid, .inset, .overlay, .stamped, .box: true
        case .media, .mosaic, .bars, .text: false
        }
    }
}
