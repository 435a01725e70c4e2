import Bytes

/// Parts that go on below where a row is full, and parts in columns.
extension Solver {
    mutating func fitFlow(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let gap = pixels(shape.lengths.a)
        var (line, widest): (Int32, Int32) = (0, 0)
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) {
                let own = fit(child, room)
                if line > 0 && line + gap + own > room.pixels {
                    wantsMore(room)
                    line = own
                } else {
                    line += (line > 0 ? gap : 0) + own
                }
                widest = max(widest, line)
            }
            child = Int(shapes[child].end)
        }
        tail = Tail(end: line, isOpen: line > 0)
        if widest <= room.pixels { spare(room.pixels - widest, room) } else { pin(room) }
        return widest
    }

    mutating func placeFlow(_ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let (gap, lineGap) = (pixels(shape.lengths.a), pixels(shape.lengths.b))
        var (left, top, height): (Int32, Int32, Int32) = (x, y, 0)
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) {
                let own = min(parts[child].width, width)
                if left > x && left + own > x + width {
                    (left, top, height) = (x, top + height + lineGap, 0)
                }
                height = max(height, place(child, left, top, own))
                left += own + gap
            }
            child = Int(shapes[child].end)
        }
        tail = Tail(end: max(0, left - gap - x), isOpen: left > x)
        return top + height - y
    }

    mutating func fitGrid(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let gap = pixels(shape.lengths.a)
        let columns = max(1, min(shape.number, childCount(i, shape)))
        let gaps = gap * (columns - 1)
        let cell = Room(pixels: max(0, room.pixels - gaps) / columns, isElastic: false)
        var widest: Int32 = 0
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) { widest = max(widest, fit(child, cell)) }
            child = Int(shapes[child].end)
        }
        tail = .none
        pin(room)
        return widest * columns + gaps
    }

    /// What does not divide goes to the first columns, a pixel each.
    mutating func placeGrid(_ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let (gap, lineGap) = (pixels(shape.lengths.a), pixels(shape.lengths.b))
        let columns = max(1, min(shape.number, childCount(i, shape)))
        let room = max(0, width - gap * (columns - 1))
        var (column, left, top, height): (Int32, Int32, Int32, Int32) = (0, x, y, 0)
        var first = i + 1
        var child = i + 1
        while child < Int(shape.end) {
            if isThere(child) {
                if column == columns {
                    stretch(from: first, to: child, height)
                    (column, left, top, height, first) = (0, x, top + height + lineGap, 0, child)
                }
                let own = room / columns + (column < room % columns ? 1 : 0)
                height = max(height, place(child, left, top, own))
                left += own + gap
                column += 1
            }
            child = Int(shapes[child].end)
        }
        stretch(from: first, to: Int(shape.end), height)
        tail = .none
        return top + height - y
    }

    /// The cells of a row are equally high.
    private mutating func stretch(from first: Int, to end: Int, _ height: Int32) {
        var child = first
        while child < end {
            let left = height - parts[child].frame.height
            if parts[child].isPresent, left > 0 {
                if child + 1 < Int(shapes[child].end) { shiftInside(child, left / 2) }
                parts[child].frame.height = height
            }
            child = Int(shapes[child].end)
        }
    }

    private mutating func shiftInside(_ i: Int, _ dy: Int32) {
        for inside in i + 1..<Int(shapes[i].end) { parts[inside].frame.top += dy }
    }

    private mutating func childCount(_ i: Int, _ shape: Shape) -> Int32 {
        var (child, count): (Int, Int32) = (i + 1, 0)
        while child < Int(shape.end) {
            if isThere(child) { count += 1 }
            child = Int(shapes[child].end)
        }
        return count
    }
}
