import Bytes

/// The road that most messages take: one column of texts in a bubble, of which one has the stamp. The same sums as for any
/// parts, without asking each what it is.
extension Solver {
    /// One of the texts.
    struct ColumnText {
        /// The part that it is, and the part of the column that it stands for: with the stamp, which is zero for none.
        let text: Int
        let part: Int
        let stamp: Int
        let variants: UInt8
        let alignment: Shape.BoxAlignment
        // As it was broken in this room.
        var lineCount: Int32 = 0
        var widest: Int32 = 0
        var height: Int32 = 0
        var tail = Tail.none
        var isWrapped = false
        var dependsOnState = false
    }

    /// In device pixels.
    struct ColumnLengths {
        var (top, bottom, start, around): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        var gap: Int32 = 0
        var minimum: Int32 = 0
        /// Between the last line and a stamp behind it, and how far that reaches below the line.
        var (stampGap, stampDrop): (Int32, Int32) = (0, 0)
        /// Room and state for which texts are broken; -1 for none.
        var room: Int32 = -1
        var isExpanded = false
    }

    /// Turns to another message.
    mutating func beginColumn() {
        columnTexts.removeAll()
        guard isColumn else { return }
        var part = shapes[1].operation == .stack ? 2 : 1
        while part < shapes.count {
            let hasStamp = shapes[part].operation == .stamped
            columnTexts.append(
                ColumnText(
                    text: hasStamp ? part + 1 : part, part: part, stamp: hasStamp ? part + 2 : 0,
                    variants: shapes[part].variants, alignment: shapes[part].alignment))
            part = Int(shapes[part].end)
        }
    }

    /// Turns to another group of screens.
    mutating func turnColumn() {
        columnLengths = ColumnLengths()
        guard isColumn else { return }
        let sides = shapes[0].lengths
        let start = pixels(sides.b) * shapes[0].number
        (columnLengths.top, columnLengths.bottom) = (pixels(sides.a), pixels(sides.c))
        (columnLengths.start, columnLengths.around) = (start, start + pixels(sides.d))
        columnLengths.gap = shapes[1].operation == .stack ? pixels(shapes[1].lengths.a) : 0
        columnLengths.minimum = pixels(shapes[0].minimum)
        for i in 0..<columnTexts.count where columnTexts[i].stamp > 0 {
            let stamped = shapes[columnTexts[i].part].lengths
            (columnLengths.stampGap, columnLengths.stampDrop) = (pixels(stamped.a), pixels(stamped.b))
        }
    }

    /// Solves a plan that is a column, in so much room.
    mutating func solveColumn(in room: Room) -> PixelSize {
        let width = fitColumn(room)
        parts[0].width = width
        let inside = PixelRect(
            left: columnLengths.start, top: columnLengths.top, width: max(0, width - columnLengths.around), height: 0)
        let bottom = placeColumn(inside)
        let height = bottom + columnLengths.bottom
        show(0, PixelRect(left: 0, top: 0, width: width, height: height))
        if shapes[1].operation == .stack {
            show(1, PixelRect(left: inside.left, top: inside.top, width: inside.width, height: bottom - inside.top))
        }
        return PixelSize(width: width, height: height)
    }

    /// Finds how large a column is and how it is arranged, with a stamp of which the size is known, and puts nothing in
    /// its place. Nil where the stamp has not the room that it wants.
    mutating func outlineColumn(variant: Int, stamp: PixelSize) -> PixelSize? {
        let room = begin(variant: variant, isExpanded: false)
        guard stamp.width <= room.pixels - columnLengths.around else { return nil }
        let width = fitColumn(room, stamp: stamp.width)
        let inside = width - columnLengths.around
        form = ColumnForm()
        var bottom = columnLengths.top
        var isFirst = true
        for i in 0..<columnTexts.count {
            let text = columnTexts[i]
            guard text.variants & self.variant != 0 else { continue }
            if !isFirst { bottom += columnLengths.gap }
            isFirst = false
            bottom += text.height
            guard text.stamp > 0 else {
                form.add(lines: text.lineCount)
                continue
            }
            let needed = text.tail.end + columnLengths.stampGap + stamp.width
            if text.tail.isOpen, needed <= inside {
                stampMode = needed > text.widest ? .widened : .tucked
                form.below = max(0, stamp.height - text.height)
                form.belowStamp = text.height + form.below - max(stamp.height, text.height + columnLengths.stampDrop)
            } else {
                stampMode = .ownLine
                form.below = stamp.height
            }
            form.stamp = stamp
            bottom += form.below
        }
        return PixelSize(width: width, height: bottom + columnLengths.bottom)
    }

    /// The width of the bubble. Of the stamp it asks how wide it is, unless it is told.
    mutating func fitColumn(_ room: Room, stamp known: Int32 = -1) -> Int32 {
        let inside = room.less(columnLengths.around)
        if columnLengths.room != inside.pixels || columnLengths.isExpanded != isExpanded { breakColumn(inside.pixels) }
        var width: Int32 = 0
        for i in 0..<columnTexts.count {
            let text = columnTexts[i]
            guard text.variants & variant != 0 else { continue }
            if text.widest <= inside.pixels { spare(inside.pixels - text.widest, inside) } else { pin(inside) }
            if text.isWrapped { wantsMore(inside) }
            if text.dependsOnState { dependsOnState = true }
            var own = text.widest
            parts[text.text].width = own
            if text.stamp > 0 {
                if known >= 0 { spare(inside.pixels - known, inside) }
                let stamp = known >= 0 ? known : fit(text.stamp, inside)
                own = widthWithStamp(stamp, behind: text.tail, own, gap: columnLengths.stampGap, inside)
            }
            width = max(width, own)
        }
        width += columnLengths.around
        return atLeast(columnLengths.minimum, width, room)
    }

    /// Once for all variants.
    mutating func breakColumn(_ room: Int32) {
        (columnLengths.room, columnLengths.isExpanded) = (room, isExpanded)
        for i in 0..<columnTexts.count {
            let text = columnTexts[i].text
            let place = broken(text, at: room)
            parts[text].fit = Int32(truncatingIfNeeded: place)
            columnTexts[i].lineCount = fits[place].lineCount
            columnTexts[i].widest = fits[place].widest
            columnTexts[i].height = fits[place].lineCount * roles[role(shapes[text])].pitch
            columnTexts[i].tail = tail(ofFit: place, text)
            columnTexts[i].isWrapped = fits[place].isAnyWrapped
            columnTexts[i].dependsOnState = fits[place].wasCut && shapes[text].traits.contains(.expands)
        }
    }

    /// Returns where it ends. No text is given less than it was fitted into, so none is broken again.
    private mutating func placeColumn(_ frame: PixelRect) -> Int32 {
        form = ColumnForm()
        var bottom = frame.top
        var isFirst = true
        for i in 0..<columnTexts.count {
            let text = columnTexts[i]
            guard text.variants & variant != 0 else { continue }
            if !isFirst { bottom += columnLengths.gap }
            isFirst = false
            let isStretched = text.alignment == .stretch
            let width = isStretched ? frame.width : min(frame.width, text.widest)
            let left = frame.left + (isStretched ? 0 : offset(text.text, of: width, in: frame.width))
            var own = PixelRect(left: left, top: bottom, width: width, height: text.height)
            show(text.text, own)
            if text.stamp > 0 {
                tail = text.tail
                own.height = placeStamp(text.part, below: text.height, own)
                show(text.part, own)
                form.below = own.height - text.height
                form.belowStamp = bottom + own.height - parts[text.stamp].frame.bottom
                form.stamp = PixelSize(
                    width: parts[text.stamp].frame.width, height: parts[text.stamp].frame.height)
            } else {
                form.add(lines: text.lineCount)
            }
            bottom += own.height
        }
        return bottom
    }

    /// How wide a text stands in a bubble of some width.
    @inline(__always)
    func columnWidth(of text: ColumnText, in width: Int32) -> Int32 {
        let inside = width - columnLengths.around
        return text.alignment == .stretch ? inside : min(inside, text.widest)
    }

    /// Whether a text is one of the stamp's in a column, and as wide as its only line.
    func isWholeInStamp(_ i: Int, _ width: Int32) -> Bool {
        for text in 0..<columnTexts.count where columnTexts[text].stamp > 0 {
            let fit = fits[Int(parts[i].fit)]
            return columnTexts[text].stamp < i && i < Int(shapes[columnTexts[text].part].end) && fit.lineCount == 1
                && !fit.isAnyWrapped && fit.widest == width
        }
        return false
    }

    /// Whether all texts of the stamp are on one line: it is then the same in every room that is wide enough.
    func isStampWhole() -> Bool {
        for i in 0..<columnTexts.count where columnTexts[i].stamp > 0 {
            for inside in columnTexts[i].stamp..<Int(shapes[columnTexts[i].stamp].end) where parts[inside].isPresent {
                if shapes[inside].operation == .text, fits[Int(parts[inside].fit)].isAnyWrapped { return false }
            }
        }
        return true
    }

    @inline(__always)
    private mutating func show(_ i: Int, _ frame: PixelRect) {
        parts[i].isPresent = true
        parts[i].frame = frame
    }
}
