import Bytes

/// Parts below and beside each other.
extension Solver {
    mutating func fitStack(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        if shape.mostLines > 0 { return fitLimitedStack(i, shape, room) }
        var widest: Int32 = 0
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) { widest = max(widest, fit(child, room)) }
            child = Int(shapes[child].end)
        }
        return widest
    }

    mutating func placeStack(_ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let gap = pixels(shape.lengths.a)
        var bottom = y
        var isFirst = true
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) {
                if !isFirst { bottom += gap }
                let own = finalWidth(child, in: width)
                let offset = offset(child, of: own, in: width)
                bottom += place(child, x + offset, bottom, own)
                tail.end += offset
                if own < width && shapes[child].alignment == .end { tail = .none }
                isFirst = false
            } else if parts[child].isLeftOut {
                wasCut = true
            }
            child = Int(shapes[child].end)
        }
        return bottom - y
    }

    /// Those with a width of their own come first; the one that takes the rest is fitted into what they leave.
    mutating func fitRow(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let gap = pixels(shape.lengths.a)
        var used: Int32 = 0
        var rest: Int?
        var count: Int32 = 0
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) {
                count += 1
                if shapes[child].traits.contains(.takesRest) { rest = child }
            }
            child = Int(shapes[child].end)
        }
        used = gap * max(0, count - 1)
        child = i + 1
        while child < Int(shape.end) {
            if isThere(child), child != rest { used += fit(child, room.less(used)) }
            child = Int(shapes[child].end)
        }
        if let rest { used += fit(rest, room.less(used)) }
        tail = .none
        if used <= room.pixels { spare(room.pixels - used, room) } else { pin(room) }
        return used
    }

    mutating func placeRow(_ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let gap = pixels(shape.lengths.a)
        var others: Int32 = 0
        var count: Int32 = 0
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) {
                count += 1
                if !shapes[child].traits.contains(.takesRest) { others += parts[child].width }
            }
            child = Int(shapes[child].end)
        }
        others += gap * max(0, count - 1)
        var left = x
        var height: Int32 = 0
        child = i + 1
        while child < Int(shape.end) {
            if isThere(child) {
                let takesRest = shapes[child].traits.contains(.takesRest)
                let own = takesRest ? max(0, width - others) : parts[child].width
                height = max(height, place(child, left, y, own))
                left += own + gap
            }
            child = Int(shapes[child].end)
        }
        tail = .none
        alignRow(i, shape, height)
        return height
    }

    /// In a row, alignment is about heights. What is stretched grows downward: what is in it stays at the top.
    private mutating func alignRow(_ i: Int, _ shape: Shape, _ height: Int32) {
        var child = i + 1
        while child < Int(shape.end) {
            let left = height - parts[child].frame.height
            if parts[child].isPresent, left > 0 {
                switch shapes[child].alignment {
                case .stretch where shapes[child].operation.isStretchable: parts[child].frame.height = height
                case .stretch, .start: break
                case .center: shift(child, 0, left / 2)
                case .end: shift(child, 0, left)
                }
            }
            child = Int(shapes[child].end)
        }
    }

    mutating func fitInset(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let sides = pixels(shape.lengths.b) * shape.number + pixels(shape.lengths.d)
        guard isThere(i + 1) else { return sides }
        let width = fit(i + 1, room.less(sides)) + sides
        tail.end += sides
        if shape.lengths.c != .zero { tail.isOpen = false }
        return width
    }

    mutating func placeInset(_ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let (top, start) = (pixels(shape.lengths.a), pixels(shape.lengths.b) * shape.number)
        let (bottom, end) = (pixels(shape.lengths.c), pixels(shape.lengths.d))
        guard isThere(i + 1) else { return top + bottom }
        let inside = max(0, width - start - end)
        let own = finalWidth(i + 1, in: inside)
        let height = place(i + 1, x + start + offset(i + 1, of: own, in: inside), y + top, own)
        tail.end += start + end
        if bottom > 0 { tail.isOpen = false }
        return top + height + bottom
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
