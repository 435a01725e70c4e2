/// The road that most messages take: one column of texts in a bubble, of which one has the stamp. The same sums as for any
/// parts, without asking each what it is.
extension Solver {
    /// Solves a plan that is a column, in so much room.
    mutating func solveColumn(in room: Room) -> PixelSize {
        let start = pixels(shapes[0].lengths.b) * shapes[0].number
        let around = start + pixels(shapes[0].lengths.d)
        let width = fitColumn(room)
        parts[0].width = width
        let frame = PixelRect(
            left: start, top: pixels(shapes[0].lengths.a), width: max(0, width - around), height: 0)
        form = ColumnForm()
        let bottom = placeColumn(frame)
        let height = bottom + pixels(shapes[0].lengths.c)
        show(0, PixelRect(left: 0, top: 0, width: width, height: height))
        if shapes[1].operation == .stack {
            show(1, PixelRect(left: frame.left, top: frame.top, width: frame.width, height: bottom - frame.top))
        }
        return PixelSize(width: width, height: height)
    }

    /// The first of the texts; a stack may be around them.
    private var firstOfColumn: Int { shapes[1].operation == .stack ? 2 : 1 }

    /// The width of the bubble.
    mutating func fitColumn(_ room: Room) -> Int32 {
        let around = pixels(shapes[0].lengths.b) * shapes[0].number + pixels(shapes[0].lengths.d)
        let inside = room.less(around)
        var width: Int32 = 0
        var child = firstOfColumn
        while child < shapes.count {
            if shapes[child].variants & variant != 0 {
                let isText = shapes[child].operation == .text
                let text = isText ? child : child + 1
                var own = fitText(text, inside)
                parts[text].width = own
                if !isText {
                    let end = tail
                    let stamp = fit(child + 2, inside)
                    own = widthWithStamp(stamp, behind: end, own, gap: pixels(shapes[child].lengths.a), inside)
                }
                width = max(width, own)
            }
            child = Int(shapes[child].end)
        }
        width += around
        return shapes[0].minimum == .zero ? width : atLeast(pixels(shapes[0].minimum), width, room)
    }

    /// Returns where it ends.
    private mutating func placeColumn(_ frame: PixelRect) -> Int32 {
        var child = firstOfColumn
        let gap = child == 2 ? pixels(shapes[1].lengths.a) : 0
        var bottom = frame.top
        var isFirst = true
        while child < shapes.count {
            if shapes[child].variants & variant != 0 {
                if !isFirst { bottom += gap }
                isFirst = false
                if shapes[child].operation == .text {
                    let isStretched = shapes[child].alignment == .stretch
                    let own = isStretched ? frame.width : min(frame.width, parts[child].width)
                    let left = frame.left + (isStretched ? 0 : offset(child, of: own, in: frame.width))
                    let height = placeText(child, own)
                    show(child, PixelRect(left: left, top: bottom, width: own, height: height))
                    form.add(lines: fits[Int(parts[child].fit)].lineCount)
                    bottom += height
                } else {
                    bottom += placeStamped(
                        child, PixelRect(left: frame.left, top: bottom, width: frame.width, height: 0))
                }
            }
            child = Int(shapes[child].end)
        }
        return bottom
    }

    /// A text with a stamp that is the same on every row. Returns their height.
    private mutating func placeStamped(_ i: Int, _ frame: PixelRect) -> Int32 {
        let (text, stamp) = (i + 1, i + 2)
        var frame = frame
        frame.height = placeText(text, frame.width)
        show(text, frame)
        let height = placeStamp(i, below: frame.height, frame)
        form.below = height - frame.height
        form.belowStamp = height - (parts[stamp].frame.bottom - frame.top)
        frame.height = height
        show(i, frame)
        return height
    }

    private mutating func show(_ i: Int, _ frame: PixelRect) {
        parts[i].isPresent = true
        parts[i].frame = frame
    }
}

/// What may differ between the layouts of a column on screens with the same measures, but for sizes of texts and what follows
/// from them.
struct ColumnForm: Equatable {
    /// How far the stamp reaches below the text, and the column below the stamp.
    var below: Int32 = 0
    var belowStamp: Int32 = 0
    /// Other texts, and of each how many lines it has.
    private var texts: Int32 = 0
    private var lines: UInt64 = 0
    /// Whether all are told.
    private var isWhole = true

    mutating func add(lines count: Int32) {
        texts += 1
        lines = lines << 16 | UInt64(truncatingIfNeeded: count)
        if texts > 4 || count >= 1 << 16 { isWhole = false }
    }

    static func == (one: ColumnForm, other: ColumnForm) -> Bool {
        one.below == other.below && one.belowStamp == other.belowStamp && one.lines == other.lines
            && one.texts == other.texts && one.isWhole && other.isWhole
    }
}

extension Plan {
    /// Whether every node of a column has a width of its own or keeps to both sides, and stands above the text with the
    /// stamp or keeps to the bottom.
    var keepsDistances: Bool {
        guard shapes[0].node == 0, shapes.allSatisfy({ $0.operation != .text || $0.radius == .zero }) else {
            return false
        }
        var child = shapes[1].operation == .stack ? 2 : 1
        while child < shapes.count {
            let next = Int(shapes[child].end)
            if shapes[child].operation == .text {
                let across: Pins = shapes[child].alignment == .stretch ? [.start, .end] : shapes[child].alignment.pins
                guard !across.isEmpty, pins(of: child).intersection([.start, .end]) == across,
                    pins(of: child).intersection([.top, .bottom]) == .top
                else { return false }
            } else {
                guard next == shapes.count, shapes[child].node < 0,
                    pins(of: child + 1).isSuperset(of: [.start, .end, .top]),
                    (child + 2..<next).allSatisfy({ shapes[$0].node < 0 || keepsToEnd($0) })
                else { return false }
            }
            child = next
        }
        return true
    }

    private func pins(of part: Int) -> Pins {
        let node = skeleton.nodes[Int(shapes[part].node)]
        return node.parent == 0 ? node.pins : []
    }

    /// Whether it keeps to the end and the bottom of the bubble, or stands in what does.
    private func keepsToEnd(_ part: Int) -> Bool {
        skeleton.nodes[Int(shapes[part].node)].parent > 0 || pins(of: part) == [.end, .bottom]
    }
}

extension Shape.BoxAlignment {
    /// The one edge that something so aligned keeps to.
    fileprivate var pins: Pins {
        switch self {
        case .start: .start
        case .end: .end
        case .center, .stretch: []
        }
    }
}

extension [Shape] {
    /// Texts in an inset, one of them with a stamp that is the same on every row.
    var isColumn: Bool {
        guard count >= 4, self[0].operation == .inset, self[0].maximum == .zero, self[0].isUsual,
            Int(self[1].end) == count
        else { return false }
        if self[1].isPlainStack {
            var (child, stamps) = (2, 0)
            while child < count {
                if self[child].operation == .stamped { stamps += 1 }
                guard isColumnText(child) || isColumnStamp(child) else { return false }
                child = Int(self[child].end)
            }
            return stamps == 1
        }
        return isColumnStamp(1)
    }

    private func isColumnText(_ i: Int) -> Bool {
        self[i].operation == .text && self[i].isUsual && self[i].minimum == .zero && self[i].maximum == .zero
    }

    /// A text and behind it a row.
    private func isColumnStamp(_ i: Int) -> Bool {
        self[i].operation == .stamped && self[i].isUsual && self[i].minimum == .zero && self[i].maximum == .zero
            && self[i].alignment == .stretch && i + 2 < count && isColumnText(i + 1)
            && self[i + 1].alignment == .stretch && self[i + 1].variants & self[i].variants == self[i].variants
            && self[i + 2].operation == .row && self[i + 2].end == self[i].end
            && self[i + 2].variants & self[i].variants == self[i].variants && self[i + 2].shows == .always
    }
}

extension Shape {
    /// There whenever its variant is, and with a width of its own.
    fileprivate var isUsual: Bool {
        shows == .always && traits.isDisjoint(with: [.follows, .takesRest, .fills])
    }

    /// A stack that asks for nothing but an order.
    var isPlainStack: Bool {
        operation == .stack && node < 0 && minimum == .zero && maximum == .zero && alignment == .stretch && isUsual
    }
}
