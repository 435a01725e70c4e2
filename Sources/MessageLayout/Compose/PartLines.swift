/// Parts on their way into a line beside each other, and into the next one below it.
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

    /// The next part stands below these.
    mutating func end(gap: Lanes, where mask: LaneMask) {
        top.set(top &+ lineHeight &+ gap, where: mask)
        lineHeight.set(Lanes(), where: mask)
    }

    /// It stands at the start, too.
    mutating func wrap(gap: Lanes, where mask: LaneMask) {
        end(gap: gap, where: mask)
        left.set(x, where: mask)
    }
}
