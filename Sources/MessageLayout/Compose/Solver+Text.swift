import Bytes
import Typography

/// A text broken at some room.
struct TextFit {
    var room: Int32
    var mostLines: Int32
    /// In the solver's buffer.
    var firstLine: Int32
    var lineCount: Int32
    /// Whole device pixels of the widest and of the last line.
    var widest: Int32
    var last: Int32
    var isLastRightToLeft: Bool
    var isAnyWrapped: Bool
    var isAnyRightToLeft: Bool
    /// Whether a little less room, or more, could break it differently though all of it fits: a soft hyphen that ends a
    /// paragraph is not shown, and yet a line is filled anew that has no room for it.
    var isTight = false
    /// Lines that are not there because there are too many.
    var wasCut: Bool
    /// The one before it of this part, on screens where it breaks alike.
    var before: Int32 = -1
    /// The place where it was written down last, and how wide it was there.
    var block: Int32 = -1
    var blockWidth: Int32 = 0
}

/// Answers to all that screens ask of the lines of a text: as it was broken last, where it was.
struct BrokenText {
    var isKnown = LaneMask.none
    var room = Lanes()
    /// The most lines that it was broken for; 0 for any number.
    var limit = Lanes()
    /// In `fits`.
    var fit = Lanes(repeating: -1)
    var widest = Lanes()
    /// The least room that it breaks so in.
    var needed = Lanes()
    var last = Lanes()
    var lineCount = Lanes()
    var isOpen = LaneMask.none
    var isWrapped = LaneMask.none
    var wasCut = LaneMask.none
    /// Lines that it may have of those of the stack around it; 0 where it has its own limit, or none.
    var mostLines = Lanes()
}

extension Solver {
    mutating func fitText(_ i: Int, _ room: Room) -> Lanes {
        if linesLeft != nil, shapes[i].traits.contains(.expands) {
            breakWithinLimit(i, at: room.pixels)
        } else {
            breakText(i, at: room.pixels)
        }
        compare(brokenTexts[i].needed, with: room)
        wantsMore(room, where: brokenTexts[i].isWrapped)
        finishText(i)
        return brokenTexts[i].widest
    }

    mutating func placeText(_ i: Int, _ width: Lanes) -> Lanes {
        let isOther =
            shapes[i].traits.contains(.follows)
            ? live : live .& (.!brokenTexts[i].isKnown .| (brokenTexts[i].widest .> width))
        if isOther.isAny {
            let outer = live
            live = isOther
            breakText(i, at: width)
            live = outer
        }
        finishText(i)
        return brokenTexts[i].lineCount &* screens.pitch(shapes[i].number, in: group)
    }

    /// A last line that ends at the row's end, or runs the other way, leaves no room behind it; and a text without words
    /// has no line.
    @inline(__always)
    private mutating func finishText(_ i: Int) {
        wasCut = wasCut.replaced(by: brokenTexts[i].wasCut, where: live)
        tail.end = brokenTexts[i].last
        tail.isOpen = brokenTexts[i].isOpen
    }

    /// Breaks a text where that was not done for this room, or for a variant before.
    @inline(__always)
    mutating func breakText(_ i: Int, at room: Lanes) {
        var limit = Lanes()
        if shapes[i].mostLines > 0 || hasLimits { limit = self.limit(i) }
        let isAsWide =
            (brokenTexts[i].room .== room) .| (.!brokenTexts[i].isWrapped .& (brokenTexts[i].widest .<= room))
        let isNew = live .& .!(brokenTexts[i].isKnown .& isAsWide .& (brokenTexts[i].limit .== limit))
        if isNew.isAny { breakAnew(i, at: room, limit, where: isNew) }
        if shapes[i].traits.contains(.expands) {
            dependsOnState = dependsOnState .| (live .& brokenTexts[i].wasCut)
        }
    }

    private func limit(_ i: Int) -> Lanes {
        if isExpanded, shapes[i].traits.contains(.expands) { return Lanes() }
        let own = brokenTexts[i].mostLines
        return Lanes(repeating: shapes[i].mostLines).replacing(with: own, where: own .> 0)
    }

    @inline(never)
    private mutating func breakAnew(_ i: Int, at room: Lanes, _ limit: Lanes, where isNew: LaneMask) {
        if bulk.isOn, let place = bulk.column(of: shapes[i].value) {
            return takeBulk(i, place, at: room, limit, where: isNew)
        }
        let mayBeOpen = shapes[i].traits.isDisjoint(with: [.isBlock, .isAligned])
        brokenTexts[i].take(room, limit, where: isNew)
        var place = -1
        var lastKin = -1
        for lane in isNew.lanes {
            let screen = screen(of: lane)
            let kin = screens.kin(of: screen)
            // Out of memory: a number of a vector at hand would have all of it written there first.
            let (room, limit) = (brokenTexts[i].room[lane], brokenTexts[i].limit[lane])
            if kin != lastKin || !fits[place].serves(room, limit) {
                place = fit(i, screen, kin, room, limit)
                lastKin = kin
            }
            let isOpen =
                mayBeOpen && !fits[place].wasCut && fits[place].lineCount > 0
                && fits[place].isLastRightToLeft == isMirrored[lane]
            brokenTexts[i].set(lane, Int32(truncatingIfNeeded: place), fits[place], isOpen: isOpen)
        }
    }

    /// Texts of many messages are broken together, in a room that some of them have.
    private mutating func takeBulk(_ i: Int, _ column: Int, at room: Lanes, _ limit: Lanes, where isNew: LaneMask) {
        let mayBeOpen = shapes[i].traits.isDisjoint(with: [.isBlock, .isAligned])
        brokenTexts[i].take(room, limit, where: isNew)
        for lane in isNew.lanes {
            let (room, limit) = (brokenTexts[i].room[lane], brokenTexts[i].limit[lane])
            let known = bulkFit(i, column, lane, room)
            let place = known ?? bulk.fits(of: column)[0].first + bulk.place(column, lane)
            if known == nil || limit > 0 && fits[place].lineCount > limit { bulk.isOther[lane] = true }
            let isOpen =
                mayBeOpen && fits[place].lineCount > 0 && fits[place].isLastRightToLeft == isMirrored[lane]
            brokenTexts[i].set(lane, Int32(truncatingIfNeeded: place), fits[place], isOpen: isOpen)
        }
    }

    /// Nil where texts were broken in too many rooms already.
    @inline(__always)
    private mutating func bulkFit(_ i: Int, _ column: Int, _ lane: Int, _ room: Int32) -> Int? {
        let own = bulk.place(column, lane)
        for known in bulk.fits(of: column) where fits[known.first &+ own].serves(room, 0) { return known.first &+ own }
        guard bulk.mayBreak(column) else { return nil }
        return breakAll(i, column, room) + own
    }

    /// Returns where their fits begin.
    @inline(never)
    private mutating func breakAll(_ i: Int, _ column: Int, _ room: Int32) -> Int {
        let (first, firstLine) = (fits.count, lines.count)
        breaker(i, on: 0, room: room).breakLines(of: bulk[column].different, into: &columnLines)
        if bulk.keepsLines { unsafe lines.append(columnLines.lines.elements) }
        for text in 0..<bulk[column].different.count {
            var fit = TextFit(columnLines.lines, columnLines.range(of: text), room: room, limit: 0, wasCut: false)
            fit.firstLine &+= Int32(truncatingIfNeeded: firstLine)
            fits.append(fit)
        }
        bulk.note(column, room: room, first: first)
        return first
    }

    /// The lines of a text, broken now or before.
    private mutating func fit(_ i: Int, _ screen: Int, _ kin: Int, _ room: Int32, _ limit: Int32) -> Int {
        let head = i &* screens.kinCount &+ kin
        var place = Int(lastFits[head])
        while place >= 0, !fits[place].serves(room, limit) { place = Int(fits[place].before) }
        if place >= 0 { return place }
        var fit = broken(i, screen, room, limit)
        fit.before = lastFits[head]
        fits.append(fit)
        lastFits[head] = Int32(fits.count - 1)
        return fits.count - 1
    }

    private mutating func broken(_ i: Int, _ screen: Int, _ room: Int32, _ limit: Int32) -> TextFit {
        let breaker = breaker(i, on: screen, room: room)
        let first = lines.count
        let value = Int(shapes[i].value)
        texts.breakLines(of: value, breaker, into: &lines)
        var wasCut = false
        if limit > 0, lines.count - first > Int(limit) {
            if shapes[i].traits.contains(.expands) { hasCut = true }
            texts.cut(value, breaker, &lines, to: first + Int(limit))
            wasCut = true
        }
        var fit = TextFit(lines, first..<lines.count, room: room, limit: limit, wasCut: wasCut)
        fit.isTight = texts.hidesHyphen(value, on: lines, from: first)
        return fit
    }

    func breaker(_ i: Int, on screen: Int, room: Int32) -> LineBreaker {
        screens.role(shapes[i].number, on: screen).breaker.withBox(room << 6)
    }
}

extension BrokenText {
    /// Says of some lanes in what room they are broken. What `set` says of them follows.
    @inline(__always)
    mutating func take(_ room: Lanes, _ limit: Lanes, where isNew: LaneMask) {
        isKnown = isKnown .| isNew
        self.room.set(room, where: isNew)
        self.limit.set(limit, where: isNew)
    }

    @inline(__always)
    mutating func set(_ lane: Int, _ place: Int32, _ own: TextFit, isOpen: Bool) {
        fit[lane] = place
        (widest[lane], last[lane], lineCount[lane]) = (own.widest, own.last, own.lineCount)
        needed[lane] = own.isTight ? room[lane] : own.widest
        (self.isOpen[lane], isWrapped[lane], wasCut[lane]) = (isOpen, own.isAnyWrapped || own.isTight, own.wasCut)
    }
}

extension TextFit {
    /// Of some lines.
    init(_ lines: borrowing LineBuffer, _ range: Range<Int>, room: Int32, limit: Int32, wasCut: Bool) {
        let extent = lines.extent(of: range)
        self.init(
            room: room, mostLines: limit, firstLine: Int32(range.lowerBound), lineCount: Int32(range.count),
            widest: extent.widest.wholePixels, last: 0, isLastRightToLeft: false,
            isAnyWrapped: wasCut || extent.isAnyWrapped, isAnyRightToLeft: extent.isAnyRightToLeft, wasCut: wasCut)
        guard !range.isEmpty else { return }
        let own = lines[range.upperBound - 1]
        last = own.width.wholePixels
        isLastRightToLeft = own.traits.contains(.rightToLeft)
    }

    /// Whether these are the lines of the text in some room: they were broken for it, or nothing had to be.
    @inline(__always)
    fileprivate func serves(_ room: Int32, _ limit: Int32) -> Bool {
        (self.room == room || !isAnyWrapped && !isTight && widest <= room) && mostLines == limit
    }
}

extension Int32 {
    /// The fewest whole device pixels that hold a length in 1/64. The line breaker grants a line 1/64 pixel more than its
    /// box has, and so does this: a line that fills its box must not make the message wider than its row.
    var wholePixels: Int32 { (self + 62) >> 6 }
}
