import MessageLayout
import Typography

/// One layout: its shape, and what fills it.
extension RecordEncoder {
    mutating func encodeLayout(_ slice: Int, slot: Int, isMirrored: Bool, _ sheet: LayoutSheet) {
        let own = sheet.slices[slice]
        let all = PixelRect(left: 0, top: 0, width: own.size.width, height: own.size.height)
        let first = Int(own.placements)
        let firstFill = fills.count
        fills.append(repeating: 0, count: filled.count)
        placeNumbers.removeAll()
        var hugged = PixelSize.zero
        let nodeCount = filled.count / 2
        for i in 0..<nodeCount {
            let placement = sheet.placements[first + i]
            guard placement.isPresent else {
                placeNumbers.append(0)
                continue
            }
            let parent = Int(sheet.skeleton.nodes[i].parent)
            precondition(parent < i)
            let isInside = parent >= 0 && sheet.placements[first + parent].isPresent
            let outer = isInside ? sheet.placements[first + parent].frame : all
            var numbers = PlaceNumbers()
            numbers.take(
                PinnedFrame(placement.frame, in: outer, pins: sheet.skeleton.nodes[i].pins, isMirrored: isMirrored),
                placement)
            if placement.block >= 0 {
                let block = sheet.blocks[Int(placement.block)]
                let known = encodeBlock(Int(placement.block), node: i, width: placement.frame.width, sheet)
                let size = PixelSize(width: known.widest, height: block.pitch &* Int32(block.lines.count))
                hugged.width = max(hugged.width, size.width)
                hugged.height &+= size.height
                numbers.hug(size)
                fills[firstFill + 2 * i] = known.content
                filled[2 * i] = true
            }
            if !placement.bars.isEmpty {
                fills[firstFill + 2 * i + 1] = encodeBars(placement.bars, sheet)
                filled[2 * i + 1] = true
            }
            placeNumbers.append(number(of: numbers, at: slot * nodeCount + i))
        }
        heads.append(
            Head(
                scale: scale.thousandths, isMirrored: isMirrored,
                shape: encodeShape(
                    own.stamp, own.size.width &- hugged.width, own.size.height &- hugged.height), fills: Int32(firstFill)))
    }

    /// From 1.
    private mutating func number(of numbers: PlaceNumbers, at place: Int) -> Int32 {
        if knownPlaces[place].scale != scale.thousandths || knownPlaces[place].numbers != numbers {
            knownPlaces[place] = KnownPlace(
                scale: scale.thousandths, number: numbers.append(to: &places, at: scale) + 1, numbers: numbers)
        }
        return knownPlaces[place].number
    }

    /// From 1.
    private mutating func encodeShape(_ stamp: StampMode, _ width: Int32, _ height: Int32) -> Int32 {
        if let wide = RecordForm.points(width, scale), let high = RecordForm.points(height, scale) {
            shapes.number(UInt32(stamp.rawValue) | RecordForm.pointsShape)
            shapes.number(wide)
            shapes.number(high)
        } else {
            shapes.number(UInt32(stamp.rawValue))
            shapes.signed(width)
            shapes.signed(height)
        }
        for i in 0..<placeNumbers.count { shapes.number(placeNumbers[i]) }
        return shapes.close() + 1
    }

    /// From 1.
    private mutating func encodeBars(_ bars: Range<Int32>, _ sheet: LayoutSheet) -> Int32 {
        contents.number(UInt32(bars.count) << RecordForm.countShift | RecordForm.bars)
        for i in bars { contents.number(UInt32(sheet.bars[Int(i)])) }
        return contents.close() + 1
    }
}

extension PlaceNumbers {
    @inline(__always)
    fileprivate mutating func take(_ place: PinnedFrame, _ placement: LayoutSheet.Placement) {
        var bits = RecordForm.Place.isPresent.rawValue
        if placement.radius != 0 { bits |= RecordForm.Place.radius.rawValue }
        if placement.fill.width | placement.fill.height != 0 { bits |= RecordForm.Place.fill.rawValue }
        if !placement.bars.isEmpty { bits |= RecordForm.Place.bars.rawValue }
        if place.hasNegativeDistance { bits |= RecordForm.Place.signed.rawValue }
        parts = RecordForm.Place(rawValue: bits)
        (across, down) = (place.across, place.down)
        (radius, fill) = (placement.radius, placement.fill)
    }

    /// Leaves out what is as its lines are.
    @inline(__always)
    fileprivate mutating func hug(_ lines: PixelSize) {
        var bits = parts.rawValue | RecordForm.Place.lines.rawValue
        if !across.isStretched && across.second == lines.width {
            bits |= RecordForm.Place.hugging.rawValue
            across.second = 0
        }
        if !down.isStretched && down.second == lines.height {
            bits |= RecordForm.Place.stacked.rawValue
            down.second = 0
        }
        parts = RecordForm.Place(rawValue: bits)
    }
}
