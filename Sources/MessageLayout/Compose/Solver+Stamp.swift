import Bytes

/// The stamp: time and status. It is a part of its own and never padding in the text, so that no bidi rule, no long
/// word and no large text moves it.
extension Solver {
    mutating func fitStamped(_ i: Int, _ room: Room) -> Lanes {
        let stamp = Int(shapes[i + 1].end)
        let there = isThere(i + 1)
        let content = there.isAny ? fit(i + 1, room, where: there) : Lanes()
        let end = tail.beside(shapes[i])
        let isStamped = stamp < Int(shapes[i].end) ? isThere(stamp) : .none
        guard isStamped.isAny else { return content }
        let own = fit(stamp, room, where: isStamped)
        tail = end.none(where: isStamped)
        let needed = end.reach(content) &+ pixels(shapes[i].lengths.a) &+ own
        let width = account.width(content, with: own, where: isStamped, behind: needed, end.hasRoom, room)
        return content.replacing(with: width, where: isStamped)
    }

    /// Places the stamp behind the last line where that leaves room, else on a line of its own.
    mutating func placeStamped(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let stamp = Int(shapes[i + 1].end)
        let there = isThere(i + 1)
        var content = there.isAny ? place(i + 1, x, y, width, where: there) : Lanes()
        let end = tail.beside(shapes[i])
        let isStamped = stamp < Int(shapes[i].end) ? isThere(stamp) : .none
        guard isStamped.isAny else { return content }
        let own = smaller(width, parts[stamp].fitted)
        let needed = end.reach(parts[i + 1].fitted) &+ pixels(shapes[i].lengths.a) &+ own
        let isBehind = end.hasRoom .& (needed .<= width)
        let isAside = isStamped .& isBehind .& end.isTurned
        // The line begins where the stamp stands, so the content gets the width without the stamp.
        let narrow = width.replacing(with: width &- pixels(shapes[i].lengths.a) &- own, where: isAside)
        if isAside.isAny { content = place(i + 1, x, y, narrow, where: there) }
        let height = place(stamp, x &+ width &- own, y, own, where: isStamped)
        // The stamp has one baseline with words beside it, and keeps off from a box above it.
        let level = larger(content &- end.rise(tail) &- height, Lanes())
        let below = content &+ pixels(shapes[i].lengths.c).kept(end.isBoxed .& (content .> 0))
        let drop = level &+ pixels(shapes[i].lengths.b)
        parts.shift(stamp..<Int(shapes[stamp].end), Lanes(), below.replacing(with: drop, where: isBehind))
        let isWidened = isBehind .& (needed .> parts[i + 1].fitted.kept(there))
        stampMode.set(isBehind: isBehind, isWidened: isWidened, where: isStamped)
        tail = end.none(where: isStamped)
        let both = (below &+ height).replacing(with: larger(content, level &+ height), where: isBehind)
        return content.replacing(with: both, where: isStamped)
    }

    mutating func placeOverlay(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        let height = place(i + 1, x, y, width)
        let end = tail
        placeOverlaid(i, LaneRect(left: x, top: y, width: width, height: height))
        tail = end
        return height
    }

    /// Places the parts over the first part of an overlay, once that has its place.
    mutating func placeOverlaid(_ i: Int, _ under: LaneRect) {
        let margin = pixels(shapes[i].lengths.a)
        forEachPart(in: i, from: Int(shapes[i + 1].end)) { solver, child, there in
            _ = solver.only(there) { $0.placeOver(child, under, margin: margin) }
        }
    }

    private mutating func placeOver(_ i: Int, _ under: LaneRect, margin: Lanes) -> Lanes {
        if shapes[i].anchor == .fill {
            let height = place(i, under.left, under.top, under.width)
            parts[i].height = larger(height, under.height)
            return height
        }
        let around = margin &+ margin
        let room = Room(pixels: larger(under.width &- around, Lanes()), isElastic: .none)
        let fitted = smaller(fit(i, room), room.pixels)
        let own = shapes[i].traits.contains(.follows) ? finalWidth(i, in: room.pixels) : fitted
        let height = place(i, under.left &+ margin, under.top &+ margin, own)
        let (dx, dy) = shapes[i].anchor.offset(room.pixels &- own, under.height &- around &- height)
        parts.shift(i..<Int(shapes[i].end), dx.kept(live), dy.kept(live))
        if shapes[i].traits.contains(.isStamp) { stampMode.set(.overMedia, where: live) }
        return height
    }
}

extension Shape.Anchor {
    /// The offset of a part in a space that is larger than it, if it is.
    fileprivate func offset(_ across: Lanes, _ down: Lanes) -> (Lanes, Lanes) {
        let (none, across, down) = (Lanes(), larger(across, Lanes()), larger(down, Lanes()))
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

extension SIMD16<Int32> {
    fileprivate mutating func set(_ mode: StampMode, where mask: LaneMask) { set(Int32(mode.rawValue), where: mask) }

    fileprivate mutating func set(isBehind: LaneMask, isWidened: LaneMask, where isStamped: LaneMask) {
        set(.ownLine, where: isStamped .& .!isBehind)
        set(.tucked, where: isStamped .& isBehind)
        set(.widened, where: isStamped .& isWidened)
    }
}
