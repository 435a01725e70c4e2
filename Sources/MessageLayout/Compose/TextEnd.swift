import Bytes

/// End of the last line of a text.
struct TextEnd {
    /// The distance from the start edge of the part that was asked.
    var end: Lanes
    var isOpen: LaneMask
    /// Screens on which it is the only line and runs against the row: there is room in front of it, as soon as it
    /// begins where the row does.
    var isTurned = LaneMask.none
    /// The distance from the baseline of that line to the bottom of the part: negative if space that a box has below
    /// is in it, and 0 if the line is of no text.
    var below = Lanes()

    @inline(__always)
    static var none: TextEnd { TextEnd(end: Lanes(), isOpen: .none) }

    /// The width that a stamp beside it has to leave for content of this width.
    func reach(_ content: Lanes) -> Lanes { end.replacing(with: content, where: isTurned) }

    /// Screens on which something may stand beside it.
    var hasRoom: LaneMask { isOpen .| isTurned }

    /// This end, as a stamp finds it: a stamp that may not be aside stands below a line that runs against the row.
    @inline(__always)
    func beside(_ stamped: Shape) -> TextEnd {
        var end = self
        if stamped.number == 0 { end.isTurned = .none }
        return end
    }

    /// This end, and none where something else stands there.
    func none(where mask: LaneMask) -> TextEnd {
        var end = self
        end.set(.none, where: mask)
        return end
    }

    /// Notes that nothing may stand beside it.
    @inline(__always)
    mutating func close(where mask: LaneMask) { (isOpen, isTurned) = (isOpen .& .!mask, isTurned .& .!mask) }

    @inline(__always)
    mutating func set(_ other: TextEnd, where mask: LaneMask) {
        end.set(other.end, where: mask)
        isOpen = isOpen.replaced(by: other.isOpen, where: mask)
        isTurned = isTurned.replaced(by: other.isTurned, where: mask)
        below.set(other.below, where: mask)
    }

    /// Screens on which a box ends there, and not a line of a text.
    var isBoxed: LaneMask { below .<= 0 }

    /// Adds space that the part has below the line.
    mutating func lift(by space: Lanes) {
        below &+= space.kept(below .> 0) &- space.kept(below .< 0)
    }

    /// Adds space that a box around the part has below it.
    mutating func lift(inBoxBy space: Lanes, where mask: LaneMask) {
        below.set(Lanes() &- below.magnitudes &- space, where: mask .& (space .> 0) .& (below .!= 0))
    }

    /// Height above the bottom of this part at which a stamp has one baseline with it.
    func rise(_ stamp: TextEnd) -> Lanes {
        (below.magnitudes &- stamp.below.magnitudes).kept((below .!= 0) .& (stamp.below .!= 0))
    }
}

extension TextEnd {
    /// Leaves a row: a stamp may stand behind it only if its last part takes the rest, and always stands beside the
    /// others.
    @inline(__always)
    mutating func leave(_ shapes: borrowing Buffer<Shape>, row: Int) {
        let leading = shapes.leading(in: row)
        isTurned = .none
        let isLast = shapes[leading].traits.contains(.takesRest) && shapes[leading].end == shapes[row].end
        if !isLast || shapes[row].lengths.c != .zero { isOpen = .none }
    }
}

/// The end of the text whose baseline is that of a row.
struct RowEnd {
    private let row: Int
    private let leading: Int
    private var end = TextEnd.none
    private var height = Lanes()

    init(_ shapes: borrowing Buffer<Shape>, _ row: Int) { (self.row, leading) = (row, shapes.leading(in: row)) }

    /// Takes the end of a part that was placed.
    @inline(__always)
    mutating func take(_ tail: TextEnd, of part: Int, at left: Lanes, high: Lanes, where there: LaneMask) {
        guard part == leading else { return }
        end.set(tail, where: there)
        end.end &+= left
        height = high
    }

    /// - Parameter isBelow: lanes where other parts stand on a line below it.
    func tail(_ shapes: borrowing Buffer<Shape>, high: Lanes, _ isBelow: LaneMask) -> TextEnd {
        var tail = end
        tail.lift(by: shapes[leading].alignment.space(below: high &- height))
        tail.below.set(Lanes(), where: isBelow)
        tail.leave(shapes, row: row)
        return tail
    }
}
