/// Room in pixels, and the lanes in which it grows with the row.
struct Room {
    var pixels: Lanes
    /// Lanes in which the room grows with the row: none of those in which the part at hand is absent.
    var isElastic: LaneMask

    @inline(__always)
    func less(_ taken: Lanes) -> Room { Room(pixels: larger(pixels &- taken, Lanes()), isElastic: isElastic) }

    @inline(__always)
    func only(_ there: LaneMask) -> Room { Room(pixels: pixels, isElastic: isElastic .& there) }
}

/// The reach of a solution: over all comparisons of elastic room with a need, how much narrower the row could be, and
/// whether a wider row could change anything. So one solution serves every row in an interval.
struct Account {
    /// The amount by which the room may be narrower with nothing changed.
    var slack = Lanes(repeating: .max)
    /// Lanes where more room would change nothing.
    var isWiderOpen = LaneMask.all
    /// Lanes where the other state, collapsed or expanded, could look different.
    var dependsOnState = LaneMask.none

    /// Notes how much room is to spare, and where a wanted width finds too little.
    @inline(__always)
    mutating func compare(_ wanted: Lanes, with room: Room) {
        spare(room.pixels &- wanted, room)
        wantsMore(room, where: wanted .> room.pixels)
    }

    /// Returns the wanted length, or as much of it as there is room for.
    mutating func length(_ wanted: Lanes, _ room: Room) -> Lanes {
        compare(wanted, with: room)
        return smaller(wanted, room.pixels)
    }

    @inline(__always)
    mutating func spare(_ pixels: Lanes, _ room: Room, where mask: LaneMask = .all) {
        slack.set(smaller(slack, larger(pixels, Lanes())), where: room.isElastic .& mask)
    }

    /// Notes that more room would give another answer.
    @inline(__always)
    mutating func wantsMore(_ room: Room, where mask: LaneMask) {
        isWiderOpen = isWiderOpen .& .!(room.isElastic .& mask)
    }

    /// Returns the lanes in which room is less than a need. More room would change the answer there; elsewhere less
    /// room would.
    mutating func lacks(_ least: Lanes, of room: Room, where there: LaneMask) -> LaneMask {
        let isTight = there .& (room.pixels .< least)
        spare(room.pixels &- least, room, where: there .& .!isTight)
        wantsMore(room, where: isTight)
        return isTight
    }

    /// Notes that any other room would give another answer. Returns this one.
    @discardableResult
    mutating func pin(_ room: Room) -> Lanes {
        spare(Lanes(), room)
        wantsMore(room, where: .all)
        return room.pixels
    }

    /// Returns the room, of which no more than `most` may be taken.
    mutating func atMost(_ most: Lanes, _ room: Room) -> Room {
        let isNarrower = most .<= room.pixels
        spare(room.pixels &- most, room, where: isNarrower)
        return Room(
            pixels: room.pixels.replacing(with: most, where: isNarrower), isElastic: room.isElastic .& .!isNarrower)
    }

    /// Returns `width`; where that is less than `least`, as much of `least` as there is room for.
    mutating func atLeast(_ least: Lanes, _ width: Lanes, _ room: Room) -> Lanes {
        let isTooNarrow = width .< least
        spare(room.pixels &- least, room, where: isTooNarrow)
        wantsMore(room, where: isTooNarrow .& (least .> room.pixels))
        return width.replacing(with: smaller(least, larger(width, room.pixels)), where: isTooNarrow)
    }

    /// Returns the width of content with a stamp: more than its own where the stamp then fits behind its last line,
    /// which takes `needed`.
    mutating func width(
        _ content: Lanes, with stamp: Lanes, where isStamped: LaneMask, behind needed: Lanes, _ isOpen: LaneMask,
        _ room: Room
    ) -> Lanes {
        let isWider = isStamped .& isOpen .& (needed .> content)
        let fits = isWider .& (needed .<= room.pixels)
        wantsMore(room, where: isWider .& .!fits)
        spare(room.pixels &- needed, room, where: fits)
        return larger(content, stamp).replacing(with: needed, where: fits)
    }
}
