import Bytes

/// The fast path that most texts take. Sixteen stops are compared with the width at once, because the end of a line
/// cannot be predicted, and a branch that is predicted wrong costs more than all comparisons of a line.
extension LineBreaker {
    /// Appends the lines of a plain text.
    func breakPlainLines(of text: borrowing MeasuredText, in unit: AdvanceUnit, into lines: inout LineBuffer) {
        let ruler = ruler(for: unit)
        let ends = text.stops.ends.span
        let breaks = text.stops.breaks.span
        let items = text.stops.items.span
        var place = PlainPlace(items)
        while place.stop < breaks.count {
            let (line, next) =
                ruler.nextLine(ends, breaks, items, from: place) ?? wordLine(of: text, breaks, items, from: place)
            lines.append(line)
            place = next
        }
    }

    /// A line on which not even the first word fits.
    @inline(never)
    func wordLine(
        of text: borrowing MeasuredText, _ breaks: borrowing Span<Stops.Break>, _ items: borrowing Span<Stops.Item>,
        from place: PlainPlace
    ) -> (line: Line, behind: PlainPlace) {
        let line = wordLine(of: text, from: place.start)
        var place = place
        (place.units, place.unitsToGrow) = PlainPlace.unknown
        while breaks[place.stop].offset < line.end { place.stop += 1 }
        let stop = breaks[place.stop]
        if stop.offset == line.end {
            while place.itemStop <= place.stop { place.passItem(items) }
            place.pass(place.stop, stop)
            return (line, place)
        }
        place.base &+= text.beginning(at: line.start) &+ text.units(from: line.start, to: line.end)
        while place.itemStop <= place.stop && items[place.item].units &- place.base <= 0 { place.passItem(items) }
        place.base &-= text.beginning(at: line.end)
        place.start = line.end
        return (line, place)
    }
}

/// The place where the next line begins.
struct PlainPlace {
    fileprivate(set) var start: Int32 = 0
    /// The first stop behind the start.
    fileprivate(set) var stop = 0
    /// Units up to the start, less those that the break before it adds to the line.
    fileprivate var base: Int32 = 0
    /// The first item that begins behind the start, and its stop.
    fileprivate private(set) var item = 0
    fileprivate private(set) var itemStop: Int
    /// Units of the line that ended here, and the fewest with which it would have taken in more. Where that does not
    /// follow from sums alone, the first is the largest number and the second 0.
    fileprivate(set) var units = PlainPlace.unknown.units
    fileprivate(set) var unitsToGrow = PlainPlace.unknown.unitsToGrow

    fileprivate static let unknown = (units: Int32.max, unitsToGrow: Int32(0))

    init(_ items: borrowing Span<Stops.Item>) { itemStop = items[0].stop }

    /// Goes to the break of a stop.
    @inline(__always)
    fileprivate mutating func pass(_ number: Int, _ stop: Stops.Break) {
        start = stop.start
        self.stop = number &+ 1
        base = stop.next
    }

    fileprivate mutating func passItem(_ items: borrowing Span<Stops.Item>) {
        item += 1
        itemStop = items[item].stop
    }
}

extension Ruler {
    /// The line that begins at `place`, and the place behind it; nil when a word is wider than the box.
    @inline(__always)
    func nextLine(
        _ ends: borrowing Span<Int32>, _ breaks: borrowing Span<Stops.Break>, _ items: borrowing Span<Stops.Item>,
        from place: PlainPlace
    ) -> (line: Line, behind: PlainPlace)? {
        let fits = count(ends, from: place)
        guard fits > 0 else { return nil }
        let last = place.stop &+ fits &- 1
        if place.itemStop <= last { return lineOfItems(ends, breaks, items, from: place, to: last) }
        let stop = breaks[last]
        let units = max(0, ends[last] &- place.base)
        let line = Line(start: place.start, end: stop.offset, width: factor.pixels(units), traits: stop.traits)
        var place = place
        (place.units, place.unitsToGrow) = (units, ends[last &+ 1] &- place.base)
        place.pass(last, stop)
        return (line, place)
    }

    /// The next line where an item begins on it. `farthest` would fit if nothing were rounded up but the sum.
    @inline(never)
    private func lineOfItems(
        _ ends: borrowing Span<Int32>, _ breaks: borrowing Span<Stops.Break>, _ items: borrowing Span<Stops.Item>,
        from place: PlainPlace, to farthest: Int
    ) -> (line: Line, behind: PlainPlace)? {
        for last in (place.stop...farthest).reversed() {
            var width: Int32 = 0
            var base = place.base
            var next = place
            while next.itemStop <= last && items[next.item].units &- ends[last] < 0 {
                width &+= factor.pixels(items[next.item].units &- base)
                base = items[next.item].units
                next.passItem(items)
            }
            width = max(0, width &+ factor.pixels(ends[last] &- base))
            if width <= most {
                let stop = breaks[last]
                let line = Line(start: place.start, end: stop.offset, width: width, traits: stop.traits)
                while next.itemStop <= last { next.passItem(items) }
                next.pass(last, stop)
                (next.units, next.unitsToGrow) = PlainPlace.unknown
                return (line, next)
            }
        }
        return nil
    }

    /// The number of stops that fit on a line. Ends never decrease, so those that fit come first.
    @inline(__always)
    private func count(_ ends: borrowing Span<Int32>, from place: PlainPlace) -> Int {
        let tooFar = SIMD16<Int32>(repeating: place.base &+ limit &+ 1)
        let sign = SIMD16<Int32>(repeating: 31)
        var first = place.stop
        while true {
            precondition(first >= 0 && first &+ Stops.lanes <= ends.count)
            let next = unsafe ends.bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: first &* 4, as: SIMD16<Int32>.self)
            // The sign of each difference, -1 if it fits. Comparing would say the same, but adds up more slowly.
            let fits = 0 &- Int(((next &- tooFar) &>> sign).wrappedSum())
            first &+= fits
            if fits < Stops.lanes { return first &- place.stop }
        }
    }
}
