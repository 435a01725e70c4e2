import Bytes

/// The stamp: time and status. It is a part of its own and never padding in the text, so that no bidi rule, no long word
/// and no large text moves it.
extension Solver {
    mutating func fitStamped(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        let stamp = Int(shapes[i + 1].end)
        let content = isThere(i + 1) ? fit(i + 1, room) : 0
        let end = tail
        guard stamp < Int(shape.end), isThere(stamp) else {
            tail = end
            return content
        }
        let own = fit(stamp, room)
        tail = .none
        return widthWithStamp(own, behind: end, content, gap: pixels(shape.lengths.a), room)
    }

    /// The width of content with a stamp: more than its own when the stamp then fits behind its last line.
    @inline(__always)
    mutating func widthWithStamp(
        _ stamp: Int32, behind end: Tail, _ content: Int32, gap: Int32, _ room: Room
    ) -> Int32 {
        guard end.isOpen else { return max(content, stamp) }
        let needed = end.end + gap + stamp
        if needed <= content { return max(content, stamp) }
        guard needed <= room.pixels else {
            wantsMore(room)
            return max(content, stamp)
        }
        spare(room.pixels - needed, room)
        return needed
    }

    /// Behind the last line where that leaves room, else on a line of its own.
    mutating func placeStamped(_ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let stamp = Int(shapes[i + 1].end)
        let height = isThere(i + 1) ? place(i + 1, x, y, width) : 0
        guard stamp < Int(shape.end), isThere(stamp) else { return height }
        return placeStamp(i, below: height, PixelRect(left: x, top: y, width: width, height: 0))
    }

    /// Puts the stamp of part `i` behind its content, which ends at `tail`, or below. Returns the height of both.
    @inline(__always)
    mutating func placeStamp(_ i: Int, below content: Int32, _ frame: PixelRect) -> Int32 {
        let stamp = Int(shapes[i + 1].end)
        let end = tail
        var height = content
        let own = min(frame.width, parts[stamp].width)
        let needed = end.end + pixels(shapes[i].lengths.a) + own
        let isBehind = end.isOpen && needed <= frame.width
        let stampHeight = place(stamp, frame.left + frame.width - own, frame.top, own)
        if isBehind {
            stampMode = needed > parts[i + 1].width ? .widened : .tucked
            let bottom = height + pixels(shapes[i].lengths.b)
            shift(stamp, 0, max(0, bottom - stampHeight))
            height = max(height, stampHeight)
        } else {
            stampMode = .ownLine
            shift(stamp, 0, height)
            height += stampHeight
        }
        tail = .none
        return height
    }

    mutating func placeOverlay(_ i: Int, _ shape: Shape, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let height = place(i + 1, x, y, width)
        let end = tail
        placeOverlaid(i, shape, PixelRect(left: x, top: y, width: width, height: height))
        tail = end
        return height
    }

    /// What stands over the first part of an overlay, once that has its place.
    mutating func placeOverlaid(_ i: Int, _ shape: Shape, _ under: PixelRect) {
        var child = Int(shapes[i + 1].end)
        while child < Int(shape.end) {
            if isThere(child) { placeOver(child, under, margin: pixels(shape.lengths.a)) }
            child = Int(shapes[child].end)
        }
    }

    private mutating func placeOver(_ i: Int, _ under: PixelRect, margin: Int32) {
        let shape = shapes[i]
        if shape.anchor == .fill {
            let height = place(i, under.left, under.top, under.width)
            parts[i].frame.height = max(height, under.height)
            return
        }
        let room = Room(pixels: max(0, under.width - 2 * margin), isElastic: false)
        let fitted = min(fit(i, room), room.pixels)
        let own = shape.traits.contains(.follows) ? finalWidth(i, in: room.pixels) : fitted
        let height = place(i, under.left + margin, under.top + margin, own)
        let (across, down) = (max(0, room.pixels - own), max(0, under.height - 2 * margin - height))
        let (dx, dy) = shape.anchor.offset(across, down)
        shift(i, dx, dy)
        if shapes[i].traits.contains(.isStamp) { stampMode = .overMedia }
    }
}

extension Shape.Anchor {
    fileprivate func offset(_ across: Int32, _ down: Int32) -> (Int32, Int32) {
        switch self {
        case .topStart, .fill: (0, 0)
        case .top: (across / 2, 0)
        case .topEnd: (across, 0)
        case .start: (0, down / 2)
        case .center: (across / 2, down / 2)
        case .end: (across, down / 2)
        case .bottomStart: (0, down)
        case .bottom: (across / 2, down)
        case .bottomEnd: (across, down)
        }
    }
}
