import Bytes

/// The stamp: time and status. It is a part of its own and never padding in the text, so that no bidi rule, no long word
/// and no large text moves it.
extension Solver {
    mutating func fitStamped(_ i: Int, _ room: Room) -> Lanes {
        let stamp = Int(shapes[i + 1].end)
        let there = isThere(i + 1)
        let content = there.isAny ? fit(i + 1, room, where: there) : Lanes()
        let end = tail
        let isStamped = stamp < Int(shapes[i].end) ? isThere(stamp) : .none
        guard isStamped.isAny else { return content }
        let own = fit(stamp, room, where: isStamped)
        tail = end
        tail.set(.none, where: isStamped)
        let width = widthWithStamp(own, behind: end, content, gap: pixels(shapes[i].lengths.a), room, isStamped)
        return content.replacing(with: width, where: isStamped)
    }

    /// The width of content with a stamp: more than its own when the stamp then fits behind its last line.
    private mutating func widthWithStamp(
        _ stamp: Lanes, behind end: Tail, _ content: Lanes, gap: Lanes, _ room: Room, _ isStamped: LaneMask
    ) -> Lanes {
        let needed = end.end &+ gap &+ stamp
        let isWider = isStamped .& end.isOpen .& (needed .> content)
        let fits = isWider .& (needed .<= room.pixels)
        wantsMore(room, where: isWider .& .!fits)
        spare(room.pixels &- needed, room, where: fits)
        return larger(content, stamp).replacing(with: needed, where: fits)
    }

    /// Behind the last line where that leaves room, else on a line of its own.
    mutating func placeStamped(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let stamp = Int(shapes[i + 1].end)
        let there = isThere(i + 1)
        let content = there.isAny ? place(i + 1, x, y, width, where: there) : Lanes()
        let end = tail
        let isStamped = stamp < Int(shapes[i].end) ? isThere(stamp) : .none
        guard isStamped.isAny else { return content }
        let own = smaller(width, parts[stamp].fitted)
        let needed = end.end &+ pixels(shapes[i].lengths.a) &+ own
        let isBehind = end.isOpen .& (needed .<= width)
        let height = place(stamp, x &+ width &- own, y, own, where: isStamped)
        let drop = larger(content &+ pixels(shapes[i].lengths.b) &- height, Lanes())
        shift(stamp, Lanes(), content.replacing(with: drop, where: isBehind))
        setStamp(.ownLine, where: isStamped .& .!isBehind)
        setStamp(.tucked, where: isStamped .& isBehind)
        setStamp(.widened, where: isStamped .& isBehind .& (needed .> parts[i + 1].fitted.kept(there)))
        tail = end
        tail.set(.none, where: isStamped)
        let both = (content &+ height).replacing(with: larger(content, height), where: isBehind)
        return content.replacing(with: both, where: isStamped)
    }

    private mutating func setStamp(_ mode: StampMode, where mask: LaneMask) {
        stampMode.set(Lanes(repeating: Int32(mode.rawValue)), where: mask)
    }

    mutating func placeOverlay(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let height = place(i + 1, x, y, width)
        let end = tail
        placeOverlaid(i, LaneRect(left: x, top: y, width: width, height: height))
        tail = end
        return height
    }

    /// What stands over the first part of an overlay, once that has its place.
    mutating func placeOverlaid(_ i: Int, _ under: LaneRect) {
        let margin = pixels(shapes[i].lengths.a)
        var child = Int(shapes[i + 1].end)
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny {
                let (outer, before) = (live, tail)
                live = there
                placeOver(child, under, margin: margin)
                live = outer
                var own = before
                own.set(tail, where: there)
                tail = own
            }
            child = Int(shapes[child].end)
        }
    }

    private mutating func placeOver(_ i: Int, _ under: LaneRect, margin: Lanes) {
        if shapes[i].anchor == .fill {
            let height = place(i, under.left, under.top, under.width)
            parts[i].height = larger(height, under.height)
            return
        }
        let around = margin &+ margin
        let room = Room(pixels: larger(under.width &- around, Lanes()), isElastic: .none)
        let fitted = smaller(fit(i, room), room.pixels)
        let own = shapes[i].traits.contains(.follows) ? finalWidth(i, in: room.pixels) : fitted
        let height = place(i, under.left &+ margin, under.top &+ margin, own)
        let across = larger(room.pixels &- own, Lanes())
        let down = larger(under.height &- around &- height, Lanes())
        let (dx, dy) = shapes[i].anchor.offset(across, down)
        shift(i, dx.kept(live), dy.kept(live))
        if shapes[i].traits.contains(.isStamp) { setStamp(.overMedia, where: live) }
    }
}

/// A rectangle on each screen.
struct LaneRect {
    var left = Lanes()
    var top = Lanes()
    var width = Lanes()
    var height = Lanes()
}

extension Shape.Anchor {
    fileprivate func offset(_ across: Lanes, _ down: Lanes) -> (Lanes, Lanes) {
        let none = Lanes()
        return switch self {
        case .topStart, .fill: (none, none)
        case .top: (across.half, none)
        case .topEnd: (across, none)
        case .start: (none, down.half)
        case .center: (across.half, down.half)
        case .end: (across, down.half)
        case .bottomStart: (none, down)
        case .bottom: (across.half, down)
        case .bottomEnd: (across, down)
        }
    }
}
