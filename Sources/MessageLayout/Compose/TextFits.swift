import Bytes
import Typography

/// The texts of a message, broken for all the rooms that they have on screens. A text is broken once for rooms in
/// which its lines end at the same places, whatever their scales.
struct TextFits: ~Copyable {
    let shelf: TextShelf
    /// Messages in the place of screens, when many are solved on one.
    var bulk = TextBulk()
    /// Texts as they were broken last, by part.
    var broken = Buffer<BrokenText>()
    var fits = Buffer<TextFit>()
    private(set) var lines = LineBuffer()
    /// Chains by part and kin of screens.
    private var chains = Buffer<FitChain>()
    /// Known breaks of plain texts; the last of them by part, or -1; their fits by breaks and kin, or -1; and the
    /// units of all lines.
    private var known = Buffer<KnownBreaks>()
    private var lastKnown = Buffer<Int32>()
    private var knownFits = Buffer<Int32>()
    private(set) var units = Buffer<Int32>()
    /// The room and the most lines of the text that is sought.
    private var asked = (rooms: Lanes(), limits: Lanes())
    private var columnLines = ColumnLines()
    /// Whether some text was cut that can be expanded.
    var hasCut = false

    init(shelf: TextShelf) { self.shelf = shelf }

    /// Shows all lines of all texts.
    mutating func clearLimits(of parts: inout Buffer<PartState>, count: Int) {
        for i in 0..<count { (parts[i].isLeftOut, broken[i].mostLines) = (.none, Lanes()) }
    }

    /// Notes that lines of a stack are not shown.
    mutating func noteCut(where isCut: LaneMask) {
        hasCut = true
        bulk.isOther = bulk.isOther .| isCut
    }

    /// Turns to another message of `count` parts.
    mutating func begin(parts count: Int, kins: Int) {
        if broken.count < count { broken.refill(BrokenText(), count: count) }
        for i in 0..<count { broken[i].isAnyRightToLeft = false }
        chains.refill(FitChain(), count: count &* kins)
        lastKnown.refill(-1, count: count)
        known.removeAll()
        knownFits.removeAll()
        fits.removeAll()
        lines.removeAll()
        units.removeAll()
        (hasCut, bulk.isOn) = (false, false)
    }

    /// Turns to some of many messages.
    mutating func turn(to messages: Range<Int>, _ shapes: borrowing Buffer<Shape>) {
        bulk.turn(to: messages)
        for i in 0..<shapes.count where bulk.column(of: Int(shapes[i].value)) != nil { broken[i].isKnown = .none }
    }

    @inline(__always)
    func screen(of lane: Int, in group: Int) -> Int { bulk.isOn ? 0 : group &* Lanes.scalarCount &+ lane }

    /// A line of a text that was fitted.
    @inline(__always)
    func line(_ number: Int, of fit: borrowing TextFit) -> Line {
        let (own, first) = (lines[Int(fit.firstLine) &+ number], firstUnits(of: fit))
        return first < 0 ? own : own.scaled(to: units[first &+ number], fit.factor)
    }

    /// Place of the units of its first line; -1 where lines are as wide as they were found.
    @inline(__always)
    func firstUnits(of fit: borrowing TextFit) -> Int {
        fit.breaks < 0 ? -1 : Int(known[Int(fit.breaks)].firstUnits)
    }

    /// The most lines that a text of a part may have. It is inlined: a call would be given a copy of all that is here.
    @inline(__always)
    private func limit(_ part: Int, atMost most: Int32) -> Lanes {
        let own = broken[part].mostLines
        return Lanes(repeating: most).replacing(with: own, where: own .> 0)
    }

    /// Lanes where the first line of a part's text runs the other way than its screen.
    func beginsOtherWay(_ part: Int, _ isMirrored: LaneMask, where mask: LaneMask) -> LaneMask {
        let hasLines = mask .& (broken[part].lineCount .> 0)
        // Without a line from right to left, no lane needs a look.
        guard broken[part].isAnyRightToLeft else { return hasLines .& isMirrored }
        var turned = LaneMask.none
        for lane in hasLines.lanes {
            turned[lane] = fits[Int(broken[part].fit[lane])].isFirstRightToLeft != isMirrored[lane]
        }
        return turned
    }

    /// Screens on which a text of a part, as it was fitted, ends a line within a word or has lines that are not shown.
    func isTorn(in whole: Int, _ shapes: borrowing Buffer<Shape>, where mask: LaneMask) -> LaneMask {
        var torn = LaneMask.none
        for part in whole..<Int(shapes[whole].end) where shapes[part].operation == .text {
            for lane in (mask .& broken[part].isKnown).lanes {
                let fit = fits[Int(broken[part].fit[lane])]
                torn[lane] = torn[lane] || fit.isTorn || fit.wasCut
            }
        }
        return torn
    }

    /// Breaks the text of a part in the lanes where its lines are not those of this room yet.
    @inline(__always)
    mutating func take(
        _ part: Int, _ shape: Shape, _ room: Lanes, hasLimit: Bool, where mask: LaneMask,
        _ screens: borrowing LaneScreens, in group: Int
    ) {
        let limit = hasLimit ? limit(part, atMost: shape.mostLines) : Lanes()
        let isNew = mask .& .!broken[part].serves(room, limit)
        if isNew.isAny { find(part, shape, room, limit, where: isNew, screens, in: group) }
    }

    /// Finds the lines of the text of a part on some screens of a group.
    @inline(never)
    private mutating func find(
        _ part: Int, _ shape: Shape, _ room: Lanes, _ limit: Lanes, where isNew: LaneMask,
        _ screens: borrowing LaneScreens, in group: Int
    ) {
        broken[part].isKnown = broken[part].isKnown .| isNew
        broken[part].limit.set(limit, where: isNew)
        let column = bulk.isOn ? bulk.column(of: Int(shape.value)) : nil
        let mayBeOpen = shape.traits.isDisjoint(with: [.isBlock, .isAligned])
        let isMirrored = screens.isMirrored(in: group).bits
        asked = (room, limit)
        var (place, lastKin) = (-1, -1)
        for lane in isNew.lanes {
            let (room, limit) = (asked.rooms.number(in: lane), asked.limits.number(in: lane))
            if let column {
                place = bulkFit(shape, column, lane, room, limit, screens)
            } else {
                let screen = screen(of: lane, in: group)
                let kin = screens.kin(of: screen)
                if kin != lastKin || !fits[place].serves(room, limit) {
                    place = fit(part, shape, screen, kin, room, limit, screens)
                }
                lastKin = kin
            }
            let isRightToLeft = isMirrored >> UInt32(truncatingIfNeeded: lane) & 1 != 0
            broken[part].set(lane, place, fits[place], mayBeOpen: mayBeOpen, isMirrored: isRightToLeft)
        }
    }

    /// Returns the fit of a text, found now or before.
    @inline(__always)
    private mutating func fit(
        _ part: Int, _ shape: Shape, _ screen: Int, _ kin: Int, _ room: Int32, _ limit: Int32,
        _ screens: borrowing LaneScreens
    ) -> Int {
        let known = knownFit(part, kin, room, limit, screens)
        return known >= 0 ? Int(known) : otherFit(part, shape, screen, kin, room, limit, screens)
    }

    /// Returns a fit from breaks that are known from another room or another scale; -1 if there is none.
    @inline(__always)
    private mutating func knownFit(
        _ part: Int, _ kin: Int, _ room: Int32, _ limit: Int32, _ screens: borrowing LaneScreens
    ) -> Int32 {
        var place = lastKnown[part]
        guard place >= 0 else { return -1 }
        let factor = chains[part &* screens.kinCount &+ kin].factor
        let most = factor.units(inBox: room &<< 6)
        while !known[Int(place)].breaks.hold(most) {
            place = known[Int(place)].before
            guard place >= 0 else { return -1 }
        }
        guard limit == 0 || known[Int(place)].lineCount <= limit else { return -1 }
        let own = knownFits[Int(place) &* screens.kinCount &+ kin]
        return own >= 0 ? own : Int32(truncatingIfNeeded: addFit(of: Int(place), kin, factor, screens))
    }

    /// Returns a fit without known breaks, or one from breaks that are found now.
    @inline(never)
    private mutating func otherFit(
        _ part: Int, _ shape: Shape, _ screen: Int, _ kin: Int, _ room: Int32, _ limit: Int32,
        _ screens: borrowing LaneScreens
    ) -> Int {
        let chain = part &* screens.kinCount &+ kin
        var place = chains[chain].last
        while place >= 0 {
            if fits[Int(place)].serves(room, limit) { return Int(place) }
            place = fits[Int(place)].before
        }
        let breaker = screens.role(shape.number, on: screen).breaker.withBox(room << 6)
        if var own = broken(part, shape, room, limit, breaker) {
            own.before = chains[chain].last
            fits.append(own)
            chains[chain].last = Int32(truncatingIfNeeded: fits.count &- 1)
            return fits.count &- 1
        }
        // The new breaks hold for this room, whatever is known of others.
        let number = known.count &- 1
        if known[number].before < 0 { takeFactors(part, shape, screens) }
        knownFits.append(repeating: -1, count: screens.kinCount)
        return addFit(of: number, kin, chains[chain].factor, screens)
    }

    private mutating func addFit(of number: Int, _ kin: Int, _ factor: Factor, _ screens: borrowing LaneScreens) -> Int
    {
        knownFits[number &* screens.kinCount &+ kin] = Int32(truncatingIfNeeded: fits.count)
        fits.append(TextFit(known[number], Int32(truncatingIfNeeded: number), factor))
        return fits.count &- 1
    }

    /// Sets the factor of each kin, so that all screens find the known breaks of a text.
    private mutating func takeFactors(_ part: Int, _ shape: Shape, _ screens: borrowing LaneScreens) {
        for kin in 0..<screens.kinCount {
            chains[part &* screens.kinCount &+ kin].factor = known[known.count - 1].breaks.factor(
                of: screens.role(shape.number, on: screens.first(ofKin: kin)).breaker)
        }
    }

    /// Breaks a text; nil if its lines are now among the known breaks.
    @inline(never)
    private mutating func broken(
        _ part: Int, _ shape: Shape, _ room: Int32, _ limit: Int32, _ breaker: LineBreaker
    ) -> TextFit? {
        let (first, firstUnits, text) = (lines.count, units.count, Int(shape.value))
        let breaks = shelf.lend(text) { PlainBreaks(of: $0, breaker, into: &lines, &units) }
        let isCut = limit > 0 && lines.count - first > Int(limit)
        if let breaks, !isCut {
            let last = units.count - 1
            known.append(
                KnownBreaks(
                    breaks: breaks, firstLine: Int32(first), firstUnits: Int32(firstUnits),
                    lineCount: Int32(lines.count - first), lastUnits: last < firstUnits ? 0 : units[last],
                    isFirstRightToLeft: lines.count > first && lines[first].traits.contains(.rightToLeft),
                    isLastRightToLeft: lines.count > first && lines[lines.count - 1].traits.contains(.rightToLeft),
                    before: lastKnown[part]))
            lastKnown[part] = Int32(known.count - 1)
            return nil
        }
        if isCut {
            if shape.traits.contains(.expands) { hasCut = true }
            shelf.lend(text) { breaker.cut(&lines, from: first, to: Int(limit), of: $0) }
        }
        return TextFit(
            lines, first..<lines.count, room: room, limit: limit, wasCut: isCut,
            isTight: shelf.lend(text) { $0.hidesHyphen(on: lines, from: first) })
    }
}

// Texts of many messages, broken together in a room that some of them have.
extension TextFits {
    private mutating func bulkFit(
        _ shape: Shape, _ column: Int, _ lane: Int, _ room: Int32, _ limit: Int32, _ screens: borrowing LaneScreens
    ) -> Int {
        let own = bulk.place(column, lane)
        var place = -1
        for known in bulk.fits(of: column) where place < 0 && fits[known.first &+ own].serves(room, 0) {
            place = known.first &+ own
        }
        if place < 0, bulk.mayBreak(column) { place = breakAll(shape.number, column, room, screens) + own }
        // Texts were broken in too many rooms already, or this one has too many lines.
        if place < 0 || limit > 0 && fits[place].lineCount > limit { bulk.isOther[lane] = true }
        return place < 0 ? bulk.fits(of: column)[0].first + own : place
    }

    /// Breaks all texts of a column, and returns where their fits begin.
    @inline(never)
    private mutating func breakAll(
        _ role: Int32, _ column: Int, _ room: Int32, _ screens: borrowing LaneScreens
    ) -> Int {
        let (first, firstLine) = (fits.count, lines.count)
        let breaker = screens.role(role, on: 0).breaker.withBox(room << 6)
        breaker.breakLines(of: bulk[column].different, into: &columnLines)
        if bulk.keepsLines { unsafe lines.append(columnLines.lines.elements) }
        for text in 0..<bulk[column].different.count {
            var fit = TextFit(columnLines.lines, columnLines.range(of: text), room: room)
            fit.firstLine &+= Int32(truncatingIfNeeded: firstLine)
            fits.append(fit)
        }
        bulk.note(column, room: room, first: first)
        return first
    }
}
