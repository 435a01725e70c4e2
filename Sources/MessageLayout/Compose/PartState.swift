import Bytes

/// A part as a walk found it.
struct PartState {
    var isPresent = LaneMask.none
    /// As it was fitted.
    var fitted = Lanes()
    var left = Lanes()
    var top = Lanes()
    var width = Lanes()
    var height = Lanes()
    /// Behind the last line that is shown.
    var isLeftOut = LaneMask.none
}

extension Shape {
    /// The width that a part gets out of what there is, fitted as it was.
    @inline(__always)
    func width(in width: Lanes, fitted: Lanes, atMost most: @autoclosure () -> Lanes) -> Lanes {
        let follows = traits.contains(.follows)
        if follows, operation == .box { return (width &* Lanes(repeating: number)) / 100 }
        guard follows || alignment == .stretch else { return smaller(width, fitted) }
        return maximum == .zero ? width : smaller(width, larger(most(), fitted))
    }
}

/// Where the last line of a text ends.
struct TextEnd {
    /// From the start edge of the part that was asked.
    var end: Lanes
    var isOpen: LaneMask
    /// Screens on which it is the only line and runs against the row: there is room in front of it, as soon as it begins where the row does.
    var isTurned = LaneMask.none

    @inline(__always)
    static var none: TextEnd { TextEnd(end: Lanes(), isOpen: .none) }

    /// The width that a stamp beside it has to leave, of content that is so wide.
    func reach(_ content: Lanes) -> Lanes { end.replacing(with: content, where: isTurned) }

    /// Nothing may stand beside it.
    @inline(__always)
    mutating func close(where mask: LaneMask) { (isOpen, isTurned) = (isOpen .& .!mask, isTurned .& .!mask) }

    @inline(__always)
    mutating func set(_ other: TextEnd, where mask: LaneMask) {
        end.set(other.end, where: mask)
        isOpen = isOpen.replaced(by: other.isOpen, where: mask)
        isTurned = isTurned.replaced(by: other.isTurned, where: mask)
    }
}

/// A rectangle on each screen.
struct LaneRect {
    var left = Lanes()
    var top = Lanes()
    var width = Lanes()
    var height = Lanes()
}

// Parts in the order of their shapes.
extension Buffer<PartState> {
    /// Of the first ones, none is there.
    mutating func begin(_ count: Int) {
        for i in 0..<count { self[i].isPresent = .none }
    }

    func rect(_ i: Int) -> LaneRect {
        LaneRect(left: self[i].left, top: self[i].top, width: self[i].width, height: self[i].height)
    }

    mutating func set(_ i: Int, _ rect: LaneRect) {
        (self[i].left, self[i].top, self[i].width, self[i].height) = (rect.left, rect.top, rect.width, rect.height)
    }

    /// Moves some.
    mutating func shift(_ parts: Range<Int>, _ dx: Lanes, _ dy: Lanes) {
        for i in parts {
            self[i].left &+= dx
            self[i].top &+= dy
        }
    }

    /// In a row, alignment is about heights. What is stretched grows downward: what is in it stays at the top.
    mutating func align(_ row: Range<Int>, to height: Lanes, _ shapes: borrowing Buffer<Shape>, where live: LaneMask) {
        var i = row.lowerBound
        while i < row.upperBound {
            let isLower = self[i].isPresent .& live .& (self[i].height .< height)
            let end = Int(shapes[i].end)
            if isLower.isAny {
                let left = (height &- self[i].height).kept(isLower)
                switch shapes[i].alignment {
                case .stretch where shapes[i].operation.isStretchable: self[i].height &+= left
                case .stretch, .start: break
                case .center: shift(i..<end, Lanes(), left.half)
                case .end: shift(i..<end, Lanes(), left)
                }
            }
            i = end
        }
    }

    /// Puts what stands at the start of a row to its end.
    mutating func mirror(
        _ row: Range<Int>, in width: Lanes, from x: Lanes, _ shapes: borrowing Buffer<Shape>, where turned: LaneMask
    ) {
        guard turned.isAny else { return }
        var i = row.lowerBound
        while i < row.upperBound {
            let (before, end) = (self[i].left &- x, Int(shapes[i].end))
            shift(i..<end, (width &- self[i].width &- before &- before).kept(turned .& self[i].isPresent), Lanes())
            i = end
        }
    }

    /// In a row that was turned, what stands over a part at its start comes to its end: the bar of an option begins beneath the
    /// first of its letters.
    mutating func turnOverlaid(in row: Int, _ shapes: borrowing Buffer<Shape>, where turned: LaneMask) {
        guard turned.isAny else { return }
        var part = row + 1
        while part < Int(shapes[row].end) {
            let (operation, end) = (shapes[part].operation, Int(shapes[part].end))
            // A row that turns by words of its own has seen to what is in it.
            if operation == .row, shapes[part].number == 1 {
                part = end
                continue
            }
            if operation == .overlay {
                let under = rect(part + 1)
                mirror(Int(shapes[part + 1].end)..<end, in: under.width, from: under.left, shapes, where: turned)
            }
            part += 1
        }
    }

    /// Gives the cells of a grid from the first of a row on equal heights; what is in them keeps to the middle.
    mutating func stretch(
        _ cells: Range<Int>, from first: Lanes, to height: Lanes, _ shapes: borrowing Buffer<Shape>,
        where mask: LaneMask
    ) {
        var i = cells.lowerBound
        while i < cells.upperBound {
            let isLower = mask .& (first .<= Int32(i)) .& self[i].isPresent .& (self[i].height .< height)
            if isLower.isAny {
                let left = (height &- self[i].height).kept(isLower)
                shift(i + 1..<Swift.max(i + 1, Int(shapes[i].end)), Lanes(), left.half)
                self[i].height &+= left
            }
            i = Int(shapes[i].end)
        }
    }
}

extension Buffer<Shape> {
    /// The first text of the part of a row that takes the rest.
    func textOfRest(in row: Int) -> Int? {
        var child = row + 1
        while child < Int(self[row].end) {
            let end = Int(self[child].end)
            if self[child].traits.contains(.takesRest) { return (child..<end).first { self[$0].operation == .text } }
            child = end
        }
        return nil
    }

    /// The text by which an inset is turned: what it holds, itself or in other insets, or what the row in it turns by.
    func turningText(in inset: Int) -> Int? {
        let child = inset + 1
        if self[child].operation == .text { return child }
        if self[child].operation == .inset { return turningText(in: child) }
        return self[child].operation == .row && self[child].number == 1 ? textOfRest(in: child) : nil
    }

    /// Whether lines of some stack are limited, and for each variant a bit: whether some part is only in it, or only in the one
    /// before.
    ///
    /// - Parameter nodes: becomes the places of those that clients see.
    func summary(_ nodes: inout Buffer<Int32>) -> (hasLimits: Bool, differences: UInt8) {
        var (hasLimits, differences) = (false, UInt8(0))
        nodes.removeAll()
        for i in 0..<count {
            differences |= self[i].variants ^ self[i].variants << 1
            if self[i].node >= 0 { nodes.append(Int32(i)) }
            if self[i].operation == .stack, self[i].mostLines > 0 { hasLimits = true }
        }
        return (hasLimits, differences)
    }
}

extension Shape.Operation {
    /// Texts and pictures are as high as they are.
    fileprivate var isStretchable: Bool {
        switch self {
        case .stack, .row, .flow, .grid, .inset, .overlay, .stamped, .box: true
        case .media, .mosaic, .bars, .text: false
        }
    }
}

extension Shape.BoxAlignment {
    /// Where a part of some width begins in a wider one.
    @inline(__always)
    func offset(of own: Lanes, in width: Lanes) -> Lanes {
        switch self {
        case .stretch, .start: Lanes()
        case .center: (width &- own).half
        case .end: width &- own
        }
    }
}
