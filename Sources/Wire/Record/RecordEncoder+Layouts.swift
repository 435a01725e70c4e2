import MessageLayout
import Typography

/// One layout: its shape, and what fills it.
extension RecordEncoder {
    mutating func encodeLayout(_ slice: Int, slot: Int, isMirrored: Bool, _ sheet: LayoutSheet) {
        let own = sheet.slices[slice]
        let all = PixelRect(left: 0, top: 0, width: own.size.width, height: own.size.height)
        let first = Int(own.placements)
        let placements = sheet.placements.span
        let layout = layouts.count
        layouts.append(repeating: 0, count: 1 + filled.count)
        var hugged = PixelSize.zero
        var isAsBefore = true
        for i in 0..<nodes.count {
            let placement = placements[first + i]
            guard placement.isPresent else {
                put(-1, at: slot * nodes.count + i, &isAsBefore)
                continue
            }
            let parent = Int(nodes[i].parent)
            precondition(parent < i)
            let isInside = parent >= 0 && placements[first + parent].isPresent
            let outer = isInside ? placements[first + parent].frame : all
            var numbers = PlaceNumbers(placement, in: outer, nodes[i].sides, isMirrored: isMirrored)
            if placement.block >= 0 {
                let known = encodeBlock(Int(placement.block), node: i, width: placement.frame.width, sheet)
                hugged.width = max(hugged.width, known.widest)
                hugged.height &+= known.height
                numbers.hug(known.widest, known.height, nodes[i].sides)
                layouts[layout + 1 + 2 * i] = known.content
                filled[2 * i] = true
            }
            if placement.bars.lowerBound < placement.bars.upperBound {
                layouts[layout + 2 + 2 * i] = encodeBars(placement.bars, sheet)
                filled[2 * i + 1] = true
            }
            let before = shapePlaces[slot * nodes.count + i]
            if before >= 0 && knownPlaces[Int(before)].numbers.isEqual(numbers) { continue }
            put(place(of: numbers, node: i), at: slot * nodes.count + i, &isAsBefore)
        }
        let (width, height) = (own.size.width &- hugged.width, own.size.height &- hugged.height)
        let last = lastShapes[slot]
        let isLast = isAsBefore && last.stamp == own.stamp && last.width == width && last.height == height
        if !isLast || last.number == 0 {
            lastShapes[slot] = KnownShape(
                stamp: own.stamp, width: width, height: height, number: encodeShape(slot, own.stamp, width, height))
        }
        layouts[layout] = lastShapes[slot].number
    }

    @inline(__always)
    private mutating func put(_ known: Int32, at place: Int, _ isAsBefore: inout Bool) {
        isAsBefore = isAsBefore && shapePlaces[place] == known
        shapePlaces[place] = known
    }

    /// Where these numbers are in `knownPlaces`.
    private mutating func place(of numbers: PlaceNumbers, node: Int) -> Int32 {
        var known = lastPlaces[node]
        while known >= 0 {
            if knownPlaces[Int(known)].numbers.isEqual(numbers) { return known }
            known = knownPlaces[Int(known)].before
        }
        let number = numbers.append(to: &places, at: scale, nodes[node].sides) + 1
        knownPlaces.append(KnownPlace(numbers: numbers, number: number, before: lastPlaces[node]))
        lastPlaces[node] = Int32(knownPlaces.count - 1)
        return lastPlaces[node]
    }

    /// From 1.
    private mutating func encodeShape(_ slot: Int, _ stamp: StampMode, _ width: Int32, _ height: Int32) -> Int32 {
        if let wide = RecordForm.points(width, scale), let high = RecordForm.points(height, scale) {
            shapes.number(UInt32(stamp.rawValue) | RecordForm.pointsShape)
            shapes.number(wide)
            shapes.number(high)
        } else {
            shapes.number(UInt32(stamp.rawValue))
            shapes.signed(width)
            shapes.signed(height)
        }
        for i in slot * nodes.count..<(slot + 1) * nodes.count {
            let place = shapePlaces[i]
            shapes.number(place < 0 ? 0 : knownPlaces[Int(place)].number)
        }
        return shapes.close() + 1
    }

    /// From 1.
    private mutating func encodeBars(_ bars: Range<Int32>, _ sheet: LayoutSheet) -> Int32 {
        contents.number(UInt32(bars.count) << RecordForm.countShift | RecordForm.bars)
        for i in bars { contents.number(UInt32(sheet.bars[Int(i)])) }
        return contents.close() + 1
    }
}
