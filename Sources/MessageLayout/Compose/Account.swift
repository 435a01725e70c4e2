/// Room, and where it grows with the row.
struct Room {
    var pixels: Lanes
    /// Never where what is asked has no part.
    var isElastic: LaneMask

    @inline(__always)
    func less(_ taken: Lanes) -> Room { Room(pixels: larger(pixels &- taken, Lanes()), isElastic: isElastic) }

    @inline(__always)
    func only(_ there: LaneMask) -> Room { Room(pixels: pixels, isElastic: isElastic .& there) }
}

/// How far an answer reaches: of every comparison of room that comes from the row with what something needs, how much narrower
/// the row could be, and whether a wider one could change anything. So one solution serves every row in an interval.
struct Account {
    /// How much narrower the room may be with nothing changed.
    var slack = Lanes(repeating: .max)
    /// Lanes where more room would change nothing.
    var isWiderOpen = LaneMask.all
    /// Lanes where the other state, collapsed or expanded, could look different.
    var dependsOnState = LaneMask.none

    /// What was asked fits with so much to spare, or has not enough.
    @inline(__always)
    mutating func compare(_ wanted: Lanes, with room: Room) {
        spare(room.pixels &- wanted, room)
        wantsMore(room, where: wanted .> room.pixels)
    }

    /// A length that is wanted, or as much of it as there is room for.
    mutating func length(_ wanted: Lanes, _ room: Room) -> Lanes {
        compare(wanted, with: room)
        return smaller(wanted, room.pixels)
    }

    @inline(__always)
    mutating func spare(_ pixels: Lanes, _ room: Room, where mask: LaneMask = .all) {
        slack.set(smaller(slack, larger(pixels, Lanes())), where: room.isElastic .& mask)
    }

    /// More room would give another answer.
    @inline(__always)
    mutating func wantsMore(_ room: Room, where mask: LaneMask) {
        isWiderOpen = isWiderOpen .& .!(room.isElastic .& mask)
    }

    /// Lanes in which room is less than something needs: more would change that, and less would where it is enough.
    mutating func lacks(_ least: Lanes, of room: Room, where there: LaneMask) -> LaneMask {
        let isTight = there .& (room.pixels .< least)
        spare(room.pixels &- least, room, where: there .& .!isTight)
        wantsMore(room, where: isTight)
        return isTight
    }

    /// Any other room would. Returns this one.
    @discardableResult
    mutating func pin(_ room: Room) -> Lanes {
        spare(Lanes(), room)
        wantsMore(room, where: .all)
        return room.pixels
    }

    /// Room of which no more than so much may be taken.
    mutating func atMost(_ most: Lanes, _ room: Room) -> Room {
        let isNarrower = most .<= room.pixels
        spare(room.pixels &- most, room, where: isNarrower)
        return Room(
            pixels: room.pixels.replacing(with: most, where: isNarrower), isElastic: room.isElastic .& .!isNarrower)
    }

    /// A width; the least that it may be, if there is room, where it is less.
    mutating func atLeast(_ least: Lanes, _ width: Lanes, _ room: Room) -> Lanes {
        let isTooNarrow = width .< least
        spare(room.pixels &- least, room, where: isTooNarrow)
        wantsMore(room, where: isTooNarrow .& (least .> room.pixels))
        return width.replacing(with: smaller(least, larger(width, room.pixels)), where: isTooNarrow)
    }

    /// The width of content with a stamp: more than its own when the stamp then fits behind its last line, for which so much is
    /// needed.
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
