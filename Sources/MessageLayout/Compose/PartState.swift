import Bytes

/// A part as a walk found it.
struct PartState {
    var isPresent = LaneMask.none
    /// The width that was found by `fit`.
    var fitted = Lanes()
    /// The columns of a grid, as it was fitted.
    var columns = Lanes(repeating: 1)
    var left = Lanes()
    var top = Lanes()
    var width = Lanes()
    var height = Lanes()
    /// Lanes where the part is left out: behind the last line that is shown, or by a row that yields.
    var isLeftOut = LaneMask.none
}

extension Shape {
    /// The final width of a part in `width`, given its fitted width.
    @inline(__always)
    func width(in width: Lanes, fitted: Lanes, atMost most: @autoclosure () -> Lanes) -> Lanes {
        let follows = traits.contains(.follows)
        if follows, operation == .box { return (width &* Lanes(repeating: number)) / 100 }
        guard follows || alignment == .stretch else { return smaller(width, fitted) }
        return maximum == .zero ? width : smaller(width, larger(most(), fitted))
    }
}

/// A rectangle on each screen.
struct LaneRect {
    var left = Lanes()
    var top = Lanes()
    var width = Lanes()
    var height = Lanes()

    mutating func put(_ rect: PixelRect, in lane: Int) {
        left.put(rect.left, in: lane)
        top.put(rect.top, in: lane)
        width.put(rect.width, in: lane)
        height.put(rect.height, in: lane)
    }
}

// Parts in the order of their shapes.
extension Buffer<PartState> {
    /// Marks the first `count` parts as absent.
    mutating func begin(_ count: Int) {
        for i in 0..<count { self[i].isPresent = .none }
    }

    func rect(_ i: Int) -> LaneRect {
        LaneRect(left: self[i].left, top: self[i].top, width: self[i].width, height: self[i].height)
    }

    mutating func set(_ i: Int, _ rect: LaneRect) {
        (self[i].left, self[i].top, self[i].width, self[i].height) = (rect.left, rect.top, rect.width, rect.height)
    }

    /// Moves a range of parts.
    mutating func shift(_ parts: Range<Int>, _ dx: Lanes, _ dy: Lanes) {
        for i in parts {
            self[i].left &+= dx
            self[i].top &+= dy
        }
    }

    /// Aligns the parts of a row by their heights. A stretched part grows downward, and its contents stay at the top.
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

    /// Turns a row: the parts at its start come to its end, and so do the overlays on them.
    mutating func turn(
        row: Int, in width: Lanes, from x: Lanes, _ texts: borrowing TextFits, _ shapes: borrowing Buffer<Shape>,
        where turned: LaneMask
    ) {
        guard turned.isAny else { return }
        let parts = row + 1..<Int(shapes[row].end)
        mirror(parts, in: width, from: x, shapes, where: turned)
        hug(parts, texts, shapes, where: turned)
        turnOverlaid(in: row, shapes, where: turned)
    }

    /// Mirrors the parts of a row: those at its start come to its end.
    private mutating func mirror(
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

    /// Narrows each text of a turned row that is aligned in its room: it begins at the row's edge, as it ended there.
    private mutating func hug(
        _ row: Range<Int>, _ texts: borrowing TextFits, _ shapes: borrowing Buffer<Shape>, where turned: LaneMask
    ) {
        guard turned.isAny else { return }
        var i = row.lowerBound
        while i < row.upperBound {
            if shapes[i].operation == .text, shapes[i].traits.contains(.isAligned) {
                self[i].width.set(smaller(self[i].width, texts.broken[i].widest), where: turned .& self[i].isPresent)
            }
            i = Int(shapes[i].end)
        }
    }

    /// Mirrors the overlays in a turned row: one at the start of a part comes to its end, so that the bar of an
    /// option begins beneath the first of its letters.
    private mutating func turnOverlaid(in row: Int, _ shapes: borrowing Buffer<Shape>, where turned: LaneMask) {
        guard turned.isAny else { return }
        var part = row + 1
        while part < Int(shapes[row].end) {
            let (operation, end) = (shapes[part].operation, Int(shapes[part].end))
            // A row that turns by words of its own has already turned its parts.
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

    /// Gives the cells in a row of a grid, from the first on, equal heights; their contents keep to the middle.
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

    /// The part whose baseline is that of a row: the one that takes the rest, else the last.
    func leading(in row: Int) -> Int {
        var (child, last) = (row + 1, row + 1)
        while child < Int(self[row].end) {
            if self[child].traits.contains(.takesRest) { return child }
            last = child
            child = Int(self[child].end)
        }
        return last
    }

    /// Whether a row leaves out its other parts where its first part has too little room beside them.
    func yields(_ row: Int) -> Bool { self[row].operation == .row && self[row].lengths.d != .zero }

    /// The text that an inset is turned by: the text that it holds, also in nested insets, or the one that the row in
    /// it turns by.
    func turningText(in inset: Int) -> Int? {
        let child = inset + 1
        if self[child].operation == .text { return child }
        if self[child].operation == .inset { return turningText(in: child) }
        return self[child].operation == .row && self[child].number == 1 ? textOfRest(in: child) : nil
    }

    /// Whether a stack limits its lines or a row yields; and a bit for each variant: whether some part is only in it,
    /// or only in the one before.
    ///
    /// - Parameter nodes: becomes the places of the parts that clients see.
    func summary(_ nodes: inout Buffer<Int32>) -> (hasLimits: Bool, differences: UInt8) {
        var (hasLimits, differences) = (false, UInt8(0))
        nodes.removeAll()
        for i in 0..<count {
            differences |= self[i].variants ^ self[i].variants << 1
            if self[i].node >= 0 { nodes.append(Int32(i)) }
            if self[i].operation == .stack && self[i].mostLines > 0 || yields(i) { hasLimits = true }
        }
        return (hasLimits, differences)
    }
}

extension Shape.Operation {
    /// Whether a part can be stretched: texts and pictures keep their heights.
    fileprivate var isStretchable: Bool {
        switch self {
        case .stack, .row, .flow, .grid, .inset, .overlay, .stamped, .box: true
        case .media, .mosaic, .bars, .text: false
        }
    }
}

extension Buffer<PartState> {
    /// Brings back the parts of a row that were left out.
    mutating func take(in row: Int, _ shapes: borrowing Buffer<Shape>, where mask: LaneMask) {
        var i = row + 1
        while i < Int(shapes[row].end) {
            self[i].isLeftOut = self[i].isLeftOut .& .!mask
            i = Int(shapes[i].end)
        }
    }

    /// Leaves out all parts of a row but the one that takes the rest.
    mutating func leaveOut(in row: Int, _ shapes: borrowing Buffer<Shape>, where mask: LaneMask) {
        var i = row + 1
        while i < Int(shapes[row].end) {
            if !shapes[i].traits.contains(.takesRest) { self[i].isLeftOut = self[i].isLeftOut .| mask }
            i = Int(shapes[i].end)
        }
    }
}

extension Shape.BoxAlignment {
    /// The space below a part of a row that is higher by `left`.
    func space(below left: Lanes) -> Lanes {
        switch self {
        case .stretch, .start: left
        case .center: left &- left.half
        case .end: Lanes()
        }
    }

    /// The distance at which a part begins in a wider one.
    @inline(__always)
    func offset(of own: Lanes, in width: Lanes) -> Lanes {
        switch self {
        case .stretch, .start: Lanes()
        case .center: (width &- own).half
        case .end: width &- own
        }
    }
}
