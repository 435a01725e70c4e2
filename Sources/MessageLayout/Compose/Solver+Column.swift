/// The road that most messages take: one column of texts in a bubble, of which one has the stamp. The same sums as for any
/// parts, without asking each what it is.
extension Solver {
    /// Solves a plan that is a column, in so much room.
    mutating func solveColumn(in room: Int32) -> PixelSize {
        let sides = shapes[0].lengths
        let start = pixels(sides.b) * shapes[0].number
        let around = start + pixels(sides.d)
        let isStack = shapes[1].operation == .stack
        let first = isStack ? 2 : 1
        var width = fitColumn(from: first, Room(pixels: max(0, room - around), isElastic: true)) + around
        if shapes[0].minimum != .zero {
            width = atLeast(pixels(shapes[0].minimum), width, Room(pixels: room, isElastic: true))
        }
        parts[0].width = width
        let frame = PixelRect(left: start, top: pixels(sides.a), width: max(0, width - around), height: 0)
        let gap = isStack ? pixels(shapes[1].lengths.a) : 0
        let bottom = placeColumn(from: first, gap, frame)
        let height = bottom + pixels(sides.c)
        show(0, PixelRect(left: 0, top: 0, width: width, height: height))
        if isStack {
            show(1, PixelRect(left: frame.left, top: frame.top, width: frame.width, height: bottom - frame.top))
        }
        return PixelSize(width: width, height: height)
    }

    private mutating func fitColumn(from first: Int, _ room: Room) -> Int32 {
        var width: Int32 = 0
        var child = first
        while child < shapes.count {
            let next = Int(shapes[child].end)
            if shapes[child].variants & variant != 0 {
                var own: Int32
                if shapes[child].operation == .text {
                    own = fitText(child, shapes[child], room)
                } else {
                    // The text, and behind it the stamp.
                    parts[child + 1].width = fitText(child + 1, shapes[child + 1], room)
                    let end = tail
                    let content = parts[child + 1].width
                    let stamp = fit(child + 2, room)
                    own = widthWithStamp(stamp, behind: end, content, gap: pixels(shapes[child].lengths.a), room)
                }
                parts[child].width = own
                width = max(width, own)
            }
            child = next
        }
        return width
    }

    /// Returns where it ends.
    private mutating func placeColumn(from first: Int, _ gap: Int32, _ frame: PixelRect) -> Int32 {
        var bottom = frame.top
        var isFirst = true
        var child = first
        while child < shapes.count {
            let next = Int(shapes[child].end)
            if shapes[child].variants & variant != 0 {
                if !isFirst { bottom += gap }
                isFirst = false
                if shapes[child].operation == .text {
                    let isStretched = shapes[child].alignment == .stretch
                    let own = isStretched ? frame.width : min(frame.width, parts[child].width)
                    let left = frame.left + (isStretched ? 0 : offset(child, of: own, in: frame.width))
                    let height = placeText(child, shapes[child], left, own)
                    show(child, PixelRect(left: left, top: bottom, width: own, height: height))
                    bottom += height
                } else {
                    let height = placeText(child + 1, shapes[child + 1], frame.left, frame.width)
                    show(child + 1, PixelRect(left: frame.left, top: bottom, width: frame.width, height: height))
                    let all = placeStamp(
                        child, below: height, PixelRect(left: frame.left, top: bottom, width: frame.width, height: 0))
                    show(child, PixelRect(left: frame.left, top: bottom, width: frame.width, height: all))
                    bottom += all
                }
            }
            child = next
        }
        return bottom
    }

    private mutating func show(_ i: Int, _ frame: PixelRect) {
        parts[i].isPresent = true
        parts[i].frame = frame
    }
}

extension [Shape] {
    /// Texts in an inset, one of them with a stamp that is the same on every row.
    var isColumn: Bool {
        guard count >= 4, self[0].operation == .inset, self[0].maximum == .zero, self[0].isUsual,
            Int(self[1].end) == count
        else { return false }
        if self[1].isPlainStack {
            var (child, stamps) = (2, 0)
            while child < count {
                if self[child].operation == .stamped { stamps += 1 }
                guard isColumnText(child) || isColumnStamp(child) else { return false }
                child = Int(self[child].end)
            }
            return stamps == 1
        }
        return isColumnStamp(1)
    }

    private func isColumnText(_ i: Int) -> Bool {
        self[i].operation == .text && self[i].isUsual && self[i].minimum == .zero && self[i].maximum == .zero
    }

    /// A text and behind it a row.
    private func isColumnStamp(_ i: Int) -> Bool {
        self[i].operation == .stamped && self[i].isUsual && self[i].minimum == .zero && self[i].maximum == .zero
            && self[i].alignment == .stretch && i + 2 < count && isColumnText(i + 1)
            && self[i + 1].alignment == .stretch && self[i + 1].variants & self[i].variants == self[i].variants
            && self[i + 2].operation == .row && self[i + 2].end == self[i].end
            && self[i + 2].variants & self[i].variants == self[i].variants && self[i + 2].shows == .always
    }
}

extension Shape {
    /// There whenever its variant is, and with a width of its own.
    fileprivate var isUsual: Bool {
        shows == .always && traits.isDisjoint(with: [.follows, .takesRest, .fills])
    }

    /// A stack that asks for nothing but an order.
    var isPlainStack: Bool {
        operation == .stack && node < 0 && minimum == .zero && maximum == .zero && alignment == .stretch && isUsual
    }
}
