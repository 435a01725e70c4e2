import Bytes

/// The state of parts that are placed beside each other in lines, one line below the other.
struct PartLines {
    private let (x, y): (Lanes, Lanes)
    /// Place of the next part.
    private(set) var (left, top): (Lanes, Lanes)
    /// Height of the line at hand.
    private(set) var lineHeight = Lanes()

    init(_ x: Lanes, _ y: Lanes) { (self.x, self.y, left, top) = (x, y, x, y) }

    /// Height of all lines.
    var height: Lanes { top &+ lineHeight &- y }

    mutating func take(_ width: Lanes, high height: Lanes, gap: Lanes, where there: LaneMask) {
        lineHeight = larger(lineHeight, height)
        left &+= (width &+ gap).kept(there)
    }

    /// Ends the line: the next part stands below it.
    mutating func end(gap: Lanes, where mask: LaneMask) {
        top.set(top &+ lineHeight &+ gap, where: mask)
        lineHeight.set(Lanes(), where: mask)
    }

    /// Ends the line, and goes back to the start.
    mutating func wrap(gap: Lanes, where mask: LaneMask) {
        end(gap: gap, where: mask)
        left.set(x, where: mask)
    }
}

/// The lines of a flow: parts beside each other, and on below where the room ends.
struct FlowLines {
    private var lines: PartLines
    private let (x, width, gap, lineGap): (Lanes, Lanes, Lanes, Lanes)
    /// Whether lines end alike, and do not begin alike.
    private let endsAlike: Bool
    /// First part of the line at hand.
    private var first: Lanes
    private var end = TextEnd.none

    var left: Lanes { lines.left }
    var top: Lanes { lines.top }
    var height: Lanes { lines.height }

    init(_ shape: Shape, from first: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes, gap: Lanes, lineGap: Lanes) {
        lines = PartLines(x, y)
        (self.x, self.width, self.gap, self.lineGap) = (x, width, gap, lineGap)
        (endsAlike, self.first) = (shape.alignment == .end, Lanes(repeating: Int32(first)))
    }

    /// Begins another line where a part of this width has no room.
    mutating func wrap(
        _ part: Int, _ own: Lanes, in flow: Int, _ parts: inout Buffer<PartState>, where there: LaneMask
    ) {
        let wraps = there .& (lines.left .> x) .& (lines.left &+ own .> x &+ width)
        if endsAlike, wraps.isAny {
            close(flow + 1..<part, &parts, where: wraps)
            first.set(Int32(part), where: wraps)
        }
        lines.wrap(gap: lineGap, where: wraps)
    }

    mutating func take(_ own: Lanes, high: Lanes, _ tail: TextEnd, where there: LaneMask) {
        lines.take(own, high: high, gap: gap, where: there)
        end.set(tail, where: there)
    }

    /// Returns the end of the flow, behind its last part.
    func tail(_ own: Range<Int>, _ parts: inout Buffer<PartState>) -> TextEnd {
        let isBegun = lines.left .> x
        if endsAlike { close(own, &parts, where: isBegun) }
        var tail = end
        (tail.end, tail.isOpen) = (larger(lines.left &- gap &- x, Lanes()), endsAlike ? .none : isBegun)
        tail.isTurned = .none
        return tail
    }

    /// Moves the parts of the line at hand to the end.
    private func close(_ own: Range<Int>, _ parts: inout Buffer<PartState>, where mask: LaneMask) {
        let left = x &+ width &+ gap &- lines.left
        for i in own { parts[i].left &+= left.kept(mask .& (first .<= Int32(i))) }
    }
}
