import MessageLayout
import Typography

/// One layout: its shape, and what fills it.
extension RecordEncoder {
    mutating func encodeLayout(_ slice: Int, slot: Int, isMirrored: Bool, _ sheet: LayoutSheet) {
        let own = sheet.slices[slice]
        let first = Int(own.placements)
        let placements = sheet.placements.span
        let firstFill = fills.count
        fills.append(repeating: 0, count: filled.count)
        var hugged = PixelSize(width: 0, height: 0)
        for i in 0..<nodes.count {
            let placement = placements[first + i]
            if placement.block >= 0 { encodeBlock(placement, node: i, firstFill, &hugged, sheet) }
            if placement.bars.lowerBound < placement.bars.upperBound {
                encodeBars(placement, node: i, firstFill, sheet)
            }
        }
        let layout = Layout(
            stamp: own.stamp, width: own.size.width &- hugged.width, height: own.size.height &- hugged.height,
            places: places(of: own, isMirrored: isMirrored, placements))
        let last = lastLayouts[slot]
        append(layout, like: last)
        lastLayouts[slot] = Int32(layouts.count - 1)
    }

    /// Where the numbers of a layout's places begin.
    @inline(__always)
    private mutating func places(
        of slice: LayoutSheet.Slice, isMirrored: Bool, _ placements: borrowing Span<LayoutSheet.Placement>
    ) -> Int32 {
        let number = Int(slice.arrangement)
        guard number >= 0 && number < RecordEncoder.mostArrangements else {
            find(slice, isMirrored: isMirrored, placements)
            return enumerate()
        }
        while arrangements.count <= number { arrangements.append(Arrangement()) }
        if arrangements[number].message != message {
            if arrangements[number].chunks < 0 {
                find(slice, isMirrored: isMirrored, placements)
                arrangements[number].chunks = Int32(arrangedPlaces.count)
                for i in 0..<chunks.count { arrangedPlaces.append(chunks[i]) }
            } else {
                chunks.removeAll()
                let first = Int(arrangements[number].chunks)
                for i in first..<first + nodes.count { chunks.append(arrangedPlaces[i]) }
            }
            arrangements[number].message = message
            arrangements[number].places = enumerate()
        }
        return arrangements[number].places
    }

    private static let mostArrangements = 4096

    /// Numbers the chunks of the layout at work.
    private mutating func enumerate() -> Int32 {
        let first = placeNumbers.count
        for i in 0..<chunks.count { placeNumbers.append(chunks[i] < 0 ? 0 : places.number(of: chunks[i])) }
        return Int32(first)
    }

    /// Finds the places of a layout, told from the edges that each is pinned to.
    private mutating func find(
        _ slice: LayoutSheet.Slice, isMirrored: Bool, _ placements: borrowing Span<LayoutSheet.Placement>
    ) {
        let all = PixelRect(left: 0, top: 0, width: slice.size.width, height: slice.size.height)
        let first = Int(slice.placements)
        chunks.removeAll()
        for i in 0..<nodes.count {
            let placement = placements[first + i]
            guard placement.isPresent else {
                chunks.append(-1)
                continue
            }
            let parent = Int(nodes[i].parent)
            precondition(parent < i)
            let isInside = parent >= 0 && placements[first + parent].isPresent
            let outer = isInside ? placements[first + parent].frame : all
            var numbers = PlaceNumbers(placement, in: outer, nodes[i].sides, isMirrored: isMirrored)
            if placement.block >= 0 {
                let known = knownBlocks[Int(placement.block)]
                numbers.hug(known.widest, known.height, nodes[i].sides)
            }
            chunks.append(chunk(of: numbers, node: i))
        }
    }

    /// With the shape of another, if there is one and nothing differs.
    private mutating func append(_ layout: Layout, like other: Int32) {
        var layout = layout
        if other >= 0 && layouts[Int(other)].isEqual(to: layout) {
            layout.shape = layouts[Int(other)].shape
        } else {
            layout.shape = encodeShape(layout)
        }
        layouts.append(layout)
    }

    @inline(__always)
    private mutating func encodeBlock(
        _ placement: LayoutSheet.Placement, node: Int, _ firstFill: Int, _ hugged: inout PixelSize, _ sheet: LayoutSheet
    ) {
        let known = encodeBlock(Int(placement.block), node: node, width: placement.frame.width, sheet)
        hugged.width = max(hugged.width, known.widest)
        hugged.height &+= known.height
        fills[firstFill + 2 * node] = known.content
        filled[2 * node] = true
    }

    private mutating func chunk(of numbers: PlaceNumbers, node: Int) -> Int32 {
        var known = lastPlaces[node]
        while known >= 0 {
            if knownPlaces[Int(known)].numbers.isEqual(numbers) { return knownPlaces[Int(known)].chunk }
            known = knownPlaces[Int(known)].before
        }
        let chunk = numbers.append(to: &places.chunks, at: scale, nodes[node].sides)
        knownPlaces.append(KnownPlace(numbers: numbers, chunk: chunk, before: lastPlaces[node]))
        lastPlaces[node] = Int32(knownPlaces.count - 1)
        return chunk
    }

    /// From 1.
    private mutating func encodeShape(_ layout: Layout) -> Int32 {
        if let wide = RecordForm.points(layout.width, scale), let high = RecordForm.points(layout.height, scale) {
            shapes.number(UInt32(layout.stamp.rawValue) | RecordForm.pointsShape)
            shapes.number(wide)
            shapes.number(high)
        } else {
            shapes.number(UInt32(layout.stamp.rawValue))
            shapes.signed(layout.width)
            shapes.signed(layout.height)
        }
        for i in Int(layout.places)..<Int(layout.places) + nodes.count { shapes.number(placeNumbers[i]) }
        return shapes.close() + 1
    }

    private mutating func encodeBars(
        _ placement: LayoutSheet.Placement, node: Int, _ firstFill: Int, _ sheet: LayoutSheet
    ) {
        contents.number(UInt32(placement.bars.count) << RecordForm.countShift | RecordForm.bars)
        for i in placement.bars { contents.number(UInt32(sheet.bars[Int(i)])) }
        fills[firstFill + 2 * node + 1] = contents.close() + 1
        filled[2 * node + 1] = true
    }
}

extension RecordEncoder.Layout {
    @inline(__always)
    fileprivate func isEqual(to other: Self) -> Bool {
        places == other.places && stamp.rawValue == other.stamp.rawValue && width == other.width
            && height == other.height
    }
}
